"""Gaussians from noisy moments: what is measured is what is released, and noise makes nothing up."""

import numpy as np
import pyarrow as pa
import pytest

from understudy.game.data.clipped import clipped, latent, moments
from understudy.game.data.normals import Normals, brought
from understudy.game.haar import beside, haar
from understudy.game.moments import Second, drawn_together, positive, standing
from understudy.game.smooth import cosines, frames
from understudy.game.space import Space
from understudy.publish.run import rehearse
from understudy.refusal import Misuse
from understudy.schema.column import Image, Listed, Number
from understudy.schema.coordinates import UNIT, coordinates
from understudy.schema.grid import Grid
from understudy.schema.image import pictures, pixels
from understudy.schema.schema import Schema, Unit
from understudy.vault.tape import Tape

D, N = 6, 4000
GRID = Grid.even(0, 999, 20)
NUMBERS = tuple(Number(f"x{i}", grid=GRID) for i in range(D))
PLAIN = Schema("numbers", Unit("person"), NUMBERS, n=N)
LABELLED = Schema("numbers", Unit("person"), (*NUMBERS, Listed("kind", values=("a", "b"))), n=N, label="kind")
RECIPES = ("gaussian", "private_pca", "ron_gauss", "ron_gauss_mixture")


def table(rng: np.random.Generator) -> tuple[pa.Table, np.ndarray, np.ndarray]:
    """Two classes, each with a covariance of its own."""
    kinds = rng.integers(0, 2, N)
    roots = rng.normal(size=(2, D, D)) * 60
    x = np.where(kinds, 420, 560)[:, None] + np.einsum("ni,nij->nj", rng.normal(size=(N, D)), roots[kinds])
    x = np.clip(np.rint(x), 0, 999).astype(int)
    columns = {f"x{i}": x[:, i] for i in range(D)} | {"kind": np.array(["a", "b"])[kinds]}
    return pa.table(columns), x, kinds


def values_of(made: pa.Table) -> tuple[np.ndarray, np.ndarray]:
    return np.stack([made[f"x{i}"].to_numpy() for i in range(D)], axis=1), np.array(made["kind"].to_pylist()) == "b"


@pytest.mark.parametrize("recipe", RECIPES)
def test_with_a_large_budget_the_moments_of_classes_come_back(recipe: str) -> None:
    rows, x, kinds = table(np.random.default_rng(0))
    made = rehearse(rows, LABELLED, seed=1, epsilon=1000, delta="1e-6", recipe=recipe)
    y, other = values_of(made.table)
    assert abs(kinds.mean() - other.mean()) < (0.1 if recipe == "ron_gauss" else 0.01)
    groups = [(x, y)] if recipe == "ron_gauss" else [(x[kinds == k], y[other == k]) for k in (0, 1)]
    for real, synthetic in groups:
        spread = np.cov(real.T)
        assert abs(real.mean(0) - synthetic.mean(0)).max() < 0.06 * np.sqrt(spread.max())
        assert np.linalg.norm(np.cov(synthetic.T) - spread) < 0.1 * np.linalg.norm(spread)


@pytest.mark.parametrize(("recipe", "far"), [("copula", 0.15), ("dp_merf", 0.35)])
def test_other_recipes_of_sums_come_near(recipe: str, far: float) -> None:
    """Copulas see cells of a twentieth of the range only, and a network is trained, not solved for."""
    rows, x, kinds = table(np.random.default_rng(0))
    made = rehearse(rows, LABELLED, seed=1, epsilon=1000, delta="1e-6", recipe=recipe)
    y, other = values_of(made.table)
    assert abs(kinds.mean() - other.mean()) < 0.01
    for k in (0, 1):
        real, synthetic = x[kinds == k], y[other == k]
        spread = np.cov(real.T)
        assert abs(real.mean(0) - synthetic.mean(0)).max() < far * np.sqrt(np.diag(spread).max())
        assert np.linalg.norm(np.cov(synthetic.T) - spread) < far * np.linalg.norm(spread)


@pytest.mark.parametrize("recipe", (*RECIPES, "copula", "dp_merf"))
@pytest.mark.parametrize("delta", ["0", "1e-6"])
def test_no_run_costs_more_than_was_said(recipe: str, delta: str) -> None:
    rows, _, _ = table(np.random.default_rng(1))
    made = rehearse(rows, LABELLED, seed=1, epsilon=1, delta=delta, recipe=recipe, rows=50)
    assert sum(made.certificate["spent"]["share"].values()) == pytest.approx(1)
    assert made.certificate["spent"]["epsilon"] <= 1


def test_clipped_values_have_the_moments_that_were_asked_for() -> None:
    """Against simulation: a Gaussian of known shift, spread and correlation, clipped."""
    rng = np.random.default_rng(2)
    root = rng.normal(size=(4, 4))
    root /= np.linalg.norm(root, axis=0)
    shift, spread = rng.uniform(-0.3, 1, 4), rng.uniform(0.2, 0.9, 4)
    x = np.clip(shift + spread * (rng.normal(size=(200_000, 4)) @ root), 0, 1)
    mean, square = moments(shift, spread)
    assert abs(x.mean(0) - mean).max() < 0.005 and abs(x.var(0) - square).max() < 0.005
    again, wide = latent(mean, square)
    assert abs(again - shift).max() < 1e-3 and abs(wide - spread).max() < 1e-3
    offset, factor, specks = clipped(x.mean(0), np.cov(x.T), x.var(0), 4)
    y = np.clip(offset + rng.normal(size=(200_000, 4)) @ factor + specks * rng.normal(size=(200_000, 4)), 0, 1)
    assert abs(x.mean(0) - y.mean(0)).max() < 0.005
    assert abs(np.cov(x.T) - np.cov(y.T)).max() < 0.005


def test_rows_are_brought_to_their_moments() -> None:
    rng = np.random.default_rng(3)
    factor = rng.normal(size=(2, 5)) * 0.04
    mean = np.full(5, 0.5)
    loose = (mean + rng.normal(size=(60, 2)) @ factor).astype(np.float32)
    x = np.clip(brought(loose, mean.astype(np.float32), factor.astype(np.float32)), 0, 1)
    off = np.cov(x.T, bias=True) - factor.T @ factor
    assert np.linalg.norm(off) < 0.02 * np.linalg.norm(factor.T @ factor)
    assert np.linalg.norm(np.cov(loose.T, bias=True) - factor.T @ factor) > 5 * np.linalg.norm(off)
    few = loose[:3]
    assert brought(few, mean.astype(np.float32), factor.astype(np.float32)) is few


def test_noise_alone_has_no_directions_and_sets_no_classes_apart() -> None:
    rng = np.random.default_rng(4)
    d, blur = 60, 0.1
    noise = rng.normal(size=(3, d, d)) * blur
    noise = np.triu(noise, 1) + np.swapaxes(np.triu(noise, 1), 1, 2)
    second = Second(np.eye(d) + noise, np.full(3, blur))
    sizes = np.ones(3)
    together = drawn_together(second, sizes)
    apart = np.linalg.norm(together[0] - together[1]) / np.linalg.norm(noise[0] - noise[1])
    assert apart < 0.5
    # by the semicircle law noise has no eigenvalue above 2 sqrt(d) blur, but for some at its edge
    assert positive(noise[0], blur * 1.05).trace() < 1.2 * 2 * d**0.5 * blur
    strong = np.zeros((d, d))
    strong[:2, :2] = 9 * np.eye(2)
    values, vectors = standing(strong + noise[0], blur * 1.05)
    assert vectors.shape == (d, 2)
    # what a found direction truly has, against the spike that was put there
    assert np.allclose(np.diag(vectors.T @ strong @ vectors), np.sqrt(values**2 - 4 * d * blur**2), rtol=0.05)


def test_smooth_pictures_are_found_in_a_smooth_frame() -> None:
    """A slow wave over 16 x 16 pixels, under noise: restricted to slow waves, it is found nearer."""
    space = Space((Image("picture", height=16, width=16),))
    wave = np.outer(cosines(16, 3)[:, 2], cosines(16, 2)[:, 1]).ravel()
    noise = np.random.default_rng(7).normal(size=(256, 256))
    noise = np.triu(noise, 1) + np.triu(noise, 1).T
    near, far = (
        abs(standing(80 * np.outer(wave, wave) + noise, 1.0, some)[1][:, 0] @ wave) for some in (frames(space), ())
    )
    # the angle is about sqrt(d) / 80: six of 16 waves a side, or all
    assert 1 - near < 0.3 * (1 - far) and 1 - far < 0.05
    # where the fine waves have more, they are kept
    fine = np.kron(cosines(16, 16)[:, 15], cosines(16, 16)[:, 14])
    assert abs(standing(80 * np.outer(fine, fine) + noise, 1.0, frames(space))[1][:, 0] @ fine) > 0.9


def test_frames_are_orthonormal_and_public() -> None:
    tape = Tape({"release": "r", "coin": "00"})
    frame = beside(haar(tape, 12, 5), 2)
    assert np.allclose(frame.T @ frame, np.eye(7)) and frame.shape == (14, 7)
    assert (haar(tape, 12, 5) == frame[:12, :5]).all()
    firsts = [haar(Tape({"release": "r", "coin": f"{i:02}"}), 3, 1)[0, 0] for i in range(400)]
    # a coordinate of a uniform direction in three dimensions is uniform on -1..1: without the sign it is never positive
    assert abs(np.mean(firsts)) < 0.1 and abs(np.var(firsts) - 1 / 3) < 0.06


def test_given_values_are_met_and_what_never_happens_is_refused() -> None:
    rows, _, _ = table(np.random.default_rng(5))
    made = rehearse(rows, LABELLED, seed=1, epsilon=100, delta="1e-6", recipe="gaussian", rows=100)
    drawn = made.sample(200, given={"kind": "b", "x0": 500})
    assert set(drawn["kind"].to_pylist()) == {"b"} and set(drawn["x0"].to_pylist()) == {500}
    guess = made.guess
    assert isinstance(guess, Normals)
    assert guess.marginal(("kind",)).sum() == pytest.approx(1)
    wide = Normals(PLAIN, "", *(getattr(guess.of_class(0), name) for name in ("weights", "cells", "offsets")), *point())
    with pytest.raises(Misuse, match="hardly a row"):
        wide.given({"x0": 0}).rows(1, np.random.default_rng(0))


def point() -> tuple[np.ndarray, ...]:
    """A component without any spread."""
    nothing = np.zeros((1, 1, D), dtype=np.float32)
    return nothing, nothing[:, 0], np.full((1, D), 0.5, dtype=np.float32), nothing


def test_no_row_is_farther_from_the_middle_than_said() -> None:
    space = Space.of(LABELLED)
    corners = [pa.chunked_array([[0, 999]])] * D
    found = np.concatenate([coordinates(a, c) for a, c in zip(corners, NUMBERS, strict=True)], axis=1)
    kinds = coordinates(pa.chunked_array([["a", "b"]]), LABELLED.column("kind"))
    lengths = np.linalg.norm(np.concatenate([found, kinds], axis=1) - space.middle, axis=1)
    assert space.longest - 2 * UNIT**0.5 < lengths.max() <= space.longest


def test_what_lies_beside_the_directions_varies_too() -> None:
    """Pictures of independent pixels: no direction stands out, and yet rows vary as the private ones do, smoothly spread."""
    rng = np.random.default_rng(11)
    spread = np.where(np.arange(12) < 6, 12.0, 30.0)[:, None] * np.ones((12, 12))
    levels = np.clip(np.rint(128 + spread * rng.normal(size=(3000, 12, 12))), 0, 255).astype(np.uint8)
    schema = Schema("pictures", Unit("person"), (Image("picture", height=12, width=12),), n=3000)
    rows = pa.table({"picture": pictures(levels.reshape(3000, 144), schema.images[0])})
    made = rehearse(rows, schema, seed=1, epsilon=20, delta="1e-6", recipe="private_pca", workload="1way")
    found = pixels(made.table["picture"], schema.images[0]).astype(float).reshape(-1, 12, 12).var(axis=(0, 2))
    assert np.allclose(found[[1, 2, 3, 8, 9, 10]], spread[[1, 2, 3, 8, 9, 10], 0] ** 2, rtol=0.25)
