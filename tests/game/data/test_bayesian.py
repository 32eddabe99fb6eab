"""The Bayesian network against its own product of conditionals, made cell by cell, and against a chain that it must recover."""

import numpy as np
import pytest
from taped import N, margin, schema_of, tape_of, variation

from understudy.game.data.bayesian import BayesianPlayer
from understudy.vault.tape import Tape

SIZES = {"a": 2, "b": 3, "c": 2, "d": 3}
NAMES, SHAPE = list(SIZES), tuple(SIZES.values())
SCHEMA = schema_of(SIZES)
TRUTH = np.random.default_rng(4).dirichlet(np.full(36, 0.5)).reshape(SHAPE)
ONES = [(name,) for name in NAMES]


def fitted(looks: list[list[tuple[str, ...]]], truth: np.ndarray = TRUTH, sigma: float = 0.1):
    return BayesianPlayer(1000).fit(tape_of(truth, SCHEMA, looks, sigma), SCHEMA)


def test_it_is_the_product_of_its_conditionals() -> None:
    """a and c are the first family, d has both for parents, b has d."""
    guess = fitted([ONES, [("a", "c")], [("a", "c", "d")], [("b", "d")]])
    ac, acd, bd = (margin(TRUTH, NAMES, clique) for clique in (("a", "c"), ("a", "c", "d"), ("b", "d")))
    d_given = acd / acd.sum(axis=2, keepdims=True)
    b_given = bd / bd.sum(axis=0, keepdims=True)
    by_hand = np.einsum("ac,acd,bd->abcd", ac, d_given, b_given)
    assert guess.marginal(tuple(NAMES)) == pytest.approx(by_hand, abs=2e-4)
    for clique in (("a", "b"), ("c", "b", "a"), ("d",)):
        assert guess.marginal(clique) == pytest.approx(margin(by_hand, NAMES, clique), abs=2e-4)


def test_a_chain_is_recovered() -> None:
    a, b = TRUTH.sum(axis=(1, 2, 3)), margin(TRUTH, NAMES, ("a", "b"))
    bc, cd = margin(TRUTH, NAMES, ("b", "c")), margin(TRUTH, NAMES, ("c", "d"))
    chain = np.einsum(
        "a,ab,bc,cd->abcd",
        a,
        b / b.sum(axis=1, keepdims=True),
        bc / bc.sum(axis=1, keepdims=True),
        cd / cd.sum(axis=1, keepdims=True),
    )
    guess = fitted([ONES, [("b", "c")], [("a", "b")], [("c", "d")]], chain)
    assert variation(guess.marginal(tuple(NAMES)), chain) < 1e-3


def test_columns_alone_are_a_product() -> None:
    product = np.einsum("a,b,c,d->abcd", *(margin(TRUTH, NAMES, one) for one in ONES))
    assert fitted([ONES]).marginal(tuple(NAMES)) == pytest.approx(product, abs=1e-4)


def test_parents_that_were_never_seen_have_the_columns_own_children() -> None:
    tape = Tape({"release": "r", "coin": "0"})
    schema = schema_of({"a": 2, "b": 3, "c": 2})
    exact = {"kind": "DiscreteGaussian", "sigma2": "1"}
    counts = [N // 2, N // 2, N // 2, N // 4, N // 4, N // 2, N // 2]
    tape.append({"kind": "marginals", "cliques": [["a"], ["b"], ["c"]], "mechanism": exact}, {}, np.array(counts))
    # b = 2 is never seen beside anything, so c given b = 2 is c's column
    seen = np.array([N // 2, 0, 0, N // 2, 0, 0])
    tape.append({"kind": "marginals", "cliques": [["a", "b"]], "mechanism": exact}, {}, np.array([N, 0, 0, 0, 0, 0]))
    tape.append({"kind": "marginals", "cliques": [["b", "c"]], "mechanism": exact}, {}, seen)
    told = BayesianPlayer(100).fit(tape, schema).given({"b": 2}).marginal(("c",))
    assert told == pytest.approx(np.array([0.5, 0.5]), abs=1e-6)


def test_noise_makes_no_negative_cell() -> None:
    guess = fitted([ONES, [("a", "c")], [("a", "c", "d")], [("b", "d")]], sigma=3000)
    table = guess.marginal(tuple(NAMES))
    assert table.min() >= 0 and table.sum() == pytest.approx(1)
