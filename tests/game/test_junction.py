"""The junction tree against enumeration of every row, and against mbi; the fit against its own optimality conditions."""

import itertools
import warnings

import numpy as np
import pytest

from understudy.game.data.combing import comb_rows
from understudy.game.data.entropic import Dual, Seen, descend, factors
from understudy.game.data.graphical import Graphical, pooled
from understudy.game.data.junction import Clique, calibrate, cells, join, marginal, spread, summed, triangulate
from understudy.game.data.merging import Groups, gathered, parted
from understudy.refusal import Misuse
from understudy.schema.column import Listed
from understudy.schema.schema import Schema, Unit

EPSILON = 1e-12
SIZES = (3, 2, 4, 1, 3, 2)
GRAPHS: dict[str, list[Clique]] = {
    "nothing": [],
    "a chain": [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)],
    "a star": [(0, 2), (1, 2), (2, 4), (2, 5)],
    "a cycle": [(0, 1), (1, 2), (2, 4), (4, 5), (0, 5)],
    "two islands": [(0, 1, 2), (4, 5)],
    "all together": [(0, 1, 2, 3, 4, 5)],
    "overlapping triples": [(0, 1, 2), (1, 2, 4), (0, 4, 5)],
}
EVERY = tuple(range(len(SIZES)))

each_graph = pytest.mark.parametrize("graph", GRAPHS.values(), ids=list(GRAPHS))


def enumerated(cliques: list[Clique], theta: list[np.ndarray]) -> tuple[np.ndarray, float]:
    """Every row's probability, and log Z."""
    full = np.zeros(SIZES)
    for clique, table in zip(cliques, theta, strict=True):
        full = full + spread(table, clique, EVERY)
    log_z = float(np.log(np.exp(full).sum()))
    return np.exp(full - log_z), log_z


def drawn(graph: list[Clique], scale: float = 2.0) -> list[np.ndarray]:
    rng = np.random.default_rng(len(graph))
    return [rng.normal(scale=scale, size=[SIZES[v] for v in clique]) for clique in graph]


@each_graph
def test_marginals_are_those_of_enumeration(graph: list[Clique]) -> None:
    theta = drawn(graph)
    truth, log_z = enumerated(graph, theta)
    tree = join(triangulate(graph, SIZES), SIZES)
    found = calibrate(tree, factors(tree, [np.zeros(size) for size in SIZES], graph, theta))
    assert found.log_z == pytest.approx(log_z, abs=EPSILON)
    for k in range(1, 5):
        for columns in itertools.combinations(EVERY, k):
            assert abs(marginal(found, columns) - summed(truth, EVERY, columns)).max() < EPSILON


@each_graph
def test_a_tree_has_every_clique_and_each_column_in_one_piece(graph: list[Clique]) -> None:
    maximal = triangulate(graph, SIZES)
    tree = join(maximal, SIZES)
    assert {v for node in tree for v in node.columns} == set(EVERY)
    assert all(any(set(clique) <= set(node.columns) for node in tree) for clique in graph)
    assert cells(maximal, SIZES) == sum(np.prod([SIZES[v] for v in node.columns]) for node in tree)
    for v in EVERY:
        having = [i for i, node in enumerate(tree) if v in node.columns]
        assert sum(v in tree[i].separator for i in having) == len(having) - 1


def test_mbi_says_the_same() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        mbi = pytest.importorskip("mbi")
        import jax

    graph = GRAPHS["overlapping triples"]
    theta = drawn(graph)
    names = [f"c{v}" for v in EVERY]
    with jax.enable_x64(True):
        domain = mbi.Domain(names, SIZES)
        cliques = [tuple(names[v] for v in clique) for clique in graph]
        tables = {c: mbi.Factor(domain.project(c), t) for c, t in zip(cliques, theta, strict=True)}
        potentials = mbi.CliqueVector(domain, cliques, tables)
        tree = join(triangulate(graph, SIZES), SIZES)
        found = calibrate(tree, factors(tree, [np.zeros(size) for size in SIZES], graph, theta))
        for columns in itertools.combinations(EVERY, 3):
            theirs = mbi.marginal_oracles.variable_elimination(potentials, tuple(names[v] for v in columns), 1.0)
            assert abs(np.asarray(theirs.datavector(flatten=False)) - marginal(found, columns)).max() < 1e-6


def dual(graph: list[Clique], price: float) -> Dual:
    rng = np.random.default_rng(3)
    truth, _ = enumerated(graph, drawn(graph))
    seen = [Seen(c, m + rng.normal(scale=0.01, size=m.shape), np.full(m.shape, 1e-4) * (1 + rng.random(m.shape)))
            for c, m in ((c, summed(truth, EVERY, c)) for c in graph)]  # fmt: skip
    base = [np.log(rng.dirichlet(np.ones(size))) for size in SIZES]
    return Dual(join(triangulate(graph, SIZES), SIZES), base, seen, price)


def solved(problem: Dual) -> tuple[np.ndarray, list[np.ndarray]]:
    size = sum(s.frequency.size for s in problem.seen)
    theta = descend(problem.slope, np.zeros(size), lambda g: float(abs(g).max()) < 1e-9, 2000)
    return theta, problem.parts(theta)


@pytest.mark.parametrize("name", ["a cycle", "two islands", "overlapping triples"])
def test_the_fit_solves_its_primal_problem(name: str) -> None:
    """theta = (y - p) / (price v) at the solution: what is left of the misfit pays for the information, cell by cell."""
    problem = dual(GRAPHS[name], price=30.0)
    flat, theta = solved(problem)
    value, gradient = problem.slope(flat)
    assert abs(gradient).max() < 1e-8
    found = problem.field(theta)
    misfit, q = 0.0, np.ones(SIZES)
    for s, t in zip(problem.seen, theta, strict=True):
        p = marginal(found, s.clique)
        assert abs((s.frequency - p) - problem.price * s.variance * t).max() < 1e-8
        misfit += float(((p - s.frequency) ** 2 / (2 * s.variance)).sum())
    for v, base in enumerate(problem.base):
        q = q * spread(np.exp(base), (v,), EVERY)
    every = [(v,) for v in EVERY]
    p, _ = enumerated([*every, *(s.clique for s in problem.seen)], [*problem.base, *theta])
    information = float((p * np.log(p / q)).sum())
    # strong duality: misfit + price KL = - price * dual value
    assert misfit + problem.price * information == pytest.approx(-problem.price * value, rel=1e-8)


def test_the_gradient_is_the_slope() -> None:
    problem = dual(GRAPHS["a cycle"], price=5.0)
    rng = np.random.default_rng(0)
    x = rng.normal(size=sum(s.frequency.size for s in problem.seen))
    _, gradient = problem.slope(x)
    for place in rng.choice(len(x), 8, replace=False):
        step = np.zeros_like(x)
        step[place] = 1e-5
        rise = problem.slope(x + step)[0] - problem.slope(x - step)[0]
        assert rise / 2e-5 == pytest.approx(gradient[place], abs=1e-7)


def test_two_looks_at_one_clique_are_averaged_by_precision() -> None:
    once = Seen((0,), np.array([0.2, 0.8]), np.array([1.0, 1.0]))
    again = Seen((0,), np.array([0.5, 0.5]), np.array([0.5, 0.5]))
    (both,) = pooled([once, again])
    assert both.frequency.tolist() == pytest.approx([0.4, 0.6])
    assert both.variance.tolist() == pytest.approx([1 / 3, 1 / 3])


@each_graph
def test_rows_are_nearly_the_model(graph: list[Clique]) -> None:
    """In the root every count is n p rounded; elsewhere within one for each group; independence is kept."""
    theta = drawn(graph, scale=0.7)
    tree = join(triangulate(graph, SIZES), SIZES)
    found = calibrate(tree, factors(tree, [np.zeros(size) for size in SIZES], graph, theta))
    n = 20_000
    rows = comb_rows(found, n, np.random.default_rng(1))
    truth, _ = enumerated(graph, theta)
    for i, node in enumerate(tree):
        exact = n * summed(truth, EVERY, node.columns)
        counted = np.zeros(exact.shape)
        np.add.at(counted, tuple(rows[v] for v in node.columns), 1)
        slack = 1 if i == 0 else 1 + np.prod([SIZES[v] for v in node.columns])
        assert abs(counted - exact).max() < slack
    # everything together: the distance is that of independent draws at most
    counted = np.zeros(SIZES)
    np.add.at(counted, tuple(rows[v] for v in EVERY), 1)
    chi = ((counted - n * truth) ** 2 / (n * truth)).sum()
    assert chi < truth.size + 6 * (2 * truth.size) ** 0.5


def test_two_children_of_one_parent_do_not_move_together() -> None:
    """The samplers of older graphical tools fail this: given the parent, the children must be independent."""
    parent = np.full(2, 0.5)
    tree = join(triangulate([(0, 1), (0, 2)], (2, 5, 5)), (2, 5, 5))
    found = calibrate(tree, factors(tree, [np.log(parent), np.zeros(5), np.zeros(5)], [], []))
    rows = comb_rows(found, 50_000, np.random.default_rng(0))
    counted = np.zeros((2, 5, 5))
    np.add.at(counted, (rows[0], rows[1], rows[2]), 1)
    assert abs(counted - 1000).max() < 6 * 1000**0.5


GROUPS = Groups.of_counts(np.array([900.0, 3.0, 2.0, 500.0, -4.0]), 9.0)


def test_merging_keeps_sums_and_parting_undoes_it() -> None:
    assert GROUPS.size == 3
    assert GROUPS.group.tolist() == [0, 2, 2, 1, 2]
    table = np.arange(20.0).reshape(4, 5)
    merged = gathered(table, [Groups.apart(4), GROUPS])
    assert merged.tolist() == [[row[0], row[3], row[1] + row[2] + row[4]] for row in table.tolist()]
    assert parted(merged, [Groups.apart(4), GROUPS]).sum(axis=1) == pytest.approx(table.sum(axis=1))
    split = GROUPS.split(np.repeat([0, 1, 2], 1000), np.random.default_rng(0))
    assert set(split[:1000]) == {0}
    assert set(split[1000:2000]) == {3}
    share = np.bincount(split[2000:], minlength=5) / 1000
    assert abs(share - np.where(GROUPS.group == 2, GROUPS.share, 0)).max() <= 1e-3


def guess() -> Graphical:
    rng = np.random.default_rng(5)
    groups = {"a": GROUPS, "b": Groups.apart(2), "c": Groups.apart(4)}
    base = [np.log(rng.dirichlet(np.ones(g.size))) for g in groups.values()]
    theta = {(0, 1): rng.normal(size=(3, 2)), (1, 2): rng.normal(size=(2, 4))}
    return Graphical(groups, base, lambda: theta)


def test_a_guess_given_cells_is_bayes() -> None:
    joint = guess().marginal(("a", "b", "c"))
    assert joint.sum() == pytest.approx(1)
    assert abs(guess().marginal(("c", "a")) - joint.sum(axis=1).T).max() < EPSILON
    given = guess().given({"a": 2, "c": 1})
    assert given.marginal(("b",)) == pytest.approx(joint[2, :, 1] / joint[2, :, 1].sum())
    rows = given.rows(500, np.random.default_rng(0))
    assert set(rows["a"]) == {2}
    assert set(rows["c"]) == {1}
    assert abs(np.bincount(rows["b"], minlength=2) / 500 - given.marginal(("b",))).max() < 0.01


def test_what_cannot_be_is_not_given() -> None:
    impossible = Graphical(guess().groups, [*guess().base[:2], np.array([0.0, -np.inf, 0.0, 0.0])], dict)
    with pytest.raises(Misuse, match="no chance"):
        impossible.given({"c": 1})


def test_a_model_is_rebuilt_as_it_was() -> None:
    schema = Schema(
        "t", Unit("person"), tuple(Listed(n, values=tuple(range(k))) for n, k in (("a", 5), ("b", 2), ("c", 4)))
    )
    words, arrays = guess().model()
    again = Graphical.rebuild(words, arrays, schema)
    one, other = (g.rows(100, np.random.default_rng(2)) for g in (guess(), again))
    assert all((one[name] == other[name]).all() for name in one)


def test_there_is_room_for_what_there_was_room_for() -> None:
    assert guess().tree_cells([]) == 3 + 2 + 4
    assert guess().tree_cells([("a", "b"), ("b", "c")]) == 6 + 8
    assert guess().tree_cells([("a", "b"), ("b", "c"), ("a", "c")]) == 24
    assert guess().cells(("a", "c")) == 12
