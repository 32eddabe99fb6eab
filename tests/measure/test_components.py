"""Principal components, against scikit-learn and scipy."""

import numpy as np
import pytest
from scipy.linalg import subspace_angles
from sklearn.decomposition import PCA

from understudy.measure.components import Components, compare, components


def rows(seed: int, turn: float = 0.0) -> np.ndarray:
    x = np.random.default_rng(seed).normal(size=(400, 4)) * [4, 2, 1, 0.5]
    spin = np.eye(4)
    spin[:2, :2] = [[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]
    return x @ spin.T


def test_components_are_those_of_scikit_learn():
    ours, theirs = components(rows(1), 3), PCA(3).fit(rows(1))
    assert abs((ours.directions * theirs.components_).sum(axis=1)) == pytest.approx(np.ones(3))
    assert ours.variances == pytest.approx(theirs.explained_variance_ratio_)


def test_the_angle_of_spaces_is_scipys():
    w, v = components(rows(1), 2), components(rows(2) @ np.diag([1, 1, 3, 1]), 2)
    theirs = np.degrees(subspace_angles(w.directions.T, v.directions.T)).max()
    assert compare(w, v).space == pytest.approx(theirs)


def test_a_turn_is_seen_and_a_sign_is_not():
    w, v = components(rows(1), 2), components(rows(1, turn=np.radians(30)), 2)
    found = compare(w, v)
    assert found.angle == pytest.approx([30, 30], abs=0.5) and found.space < 2
    flipped = compare(w, Components(-v.directions, v.variances))
    assert flipped.free == pytest.approx(found.free) and flipped.raw != pytest.approx(found.raw)
    # |w - w'| = 2 sin(angle / 2)
    assert found.free == pytest.approx(2 * np.sin(np.radians(found.angle) / 2))
