"""Exact small worlds: every table of at most four rows, every neighbour, and what one privacy unit moves there.

Law.  Over all tables of at most four rows, all units of 1 to R rows, and both relations:

    moved    the largest l1, squared l2, linf and keys are the declared Sensitivity: never above it, and reached
    Laplace  max over outputs of P / P'  =  r^(-l1),                  in fractions, with exp(-1/scale) = r
    Gaussian D_alpha <= alpha l2sq / (2 sigma2),                      reached for whole alpha
    Gumbel   max P / P' over min P / P' <= exp(2 linf / scale),       in fractions, reached
    Threshold the chance that a key of only one table is shown <= the charged delta, and so is the hockey-stick divergence

The rows go through the real vault. A declaration that is too small is rejected by the very checks that pass the true one.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache, reduce
from itertools import combinations, combinations_with_replacement, product

import numpy as np
import pyarrow as pa
import pytest
from scipy.special import logsumexp

from understudy.privacy.charge import Measure, price
from understudy.question.bound import Variations, WorstCell, WorstQuery
from understudy.question.categories import Categories
from understudy.question.count import Count
from understudy.question.critic_gradient import UNIT, CriticGradient
from understudy.question.degrees import Degrees
from understudy.question.errors import Errors
from understudy.question.marginals import Marginals
from understudy.question.mechanism import DiscreteGaussian, DiscreteLaplace, Exact, Gumbel, Threshold
from understudy.question.payoff import Payoff
from understudy.question.quantiles import Quantiles
from understudy.question.queries import Box, HalfSpace
from understudy.question.reference import Reference
from understudy.question.select import Select
from understudy.question.select_cell import LISTED, SelectCell
from understudy.question.sensitivity import Sensitivity
from understudy.refusal import Misuse
from understudy.schema.column import Boolean, Identifier, Listed, Number, Pending
from understudy.schema.decode import spread
from understudy.schema.grid import Grid
from understudy.schema.pair import Edge
from understudy.schema.relation import Relation
from understudy.schema.schema import Schema, Unit
from understudy.vault.vault import Vault

AR, RO = Relation.ADD_REMOVE, Relation.REPLACE_ONE
MOST = 4  # rows of a table

COLUMNS = {
    "smokes": ([False, True], Boolean("smokes")),
    "tie": (
        [{"source": one, "target": other} for one, other in [*combinations("abcd", 2), ("a", None), ("c", "c")]],
        Edge("tie", missing=("",), blocks=(("one", ("a", "b")), ("other", ("c", "d")))),
    ),
    "ward": (["n", "s", "w"], Listed("ward", values=("n", "s", "w"))),
    "income": ([-9, 1, 5, None], Pending("income", missing=("",), like=Number("income", missing=("",)))),
    "town": (
        ["Bern", "Basel", "Chur", "Davos", None],
        Pending("town", missing=("",), like=Listed("town", ("",), other="else")),
    ),
}
ALL = (("smokes",), ("ward",), ("smokes", "ward"))
POINT = {"smokes": np.array([1, 1, 1]), "ward": np.array([1, 1, 1])}  # all synthetic rows in one cell
SPREAD = {"smokes": np.array([0, 1, 1]), "ward": np.array([0, 1, 2])}
SIZES = {"smokes": 2, "ward": 3}
POINTED = Reference.of_tables({c: 4 * Reference.of_rows(POINT, SIZES)[c] // 3 for c in ALL})
SPREADED = Reference.of_rows(SPREAD, SIZES)


@dataclass(frozen=True)
class World:
    """The columns that a kind of question looks at, and some questions of the kind."""

    columns: tuple[str, ...]
    questions: tuple


BOUNDS = (Exact(), ALL, Reference.of_rows(POINT, SIZES), 3, 4), (Exact(), ALL, Reference.of_rows(SPREAD, SIZES), 3, 2)
QUERIES = Box((("smokes", 1, 1), ("ward", 0, 1))), HalfSpace((("smokes", 2), ("ward", -1)), 1)
SURE = Reference.of_tables(  # a critic that is sure of everything: every weight is the largest one
    {c: np.full([SIZES[name] for name in c], -40 * UNIT) for c in ALL}
)
PLAYED = (*QUERIES[:1], Box((("smokes", 0, 0), ("ward", 2, 2))), Box((("smokes", 1, 1),)))
CELLS = tuple(  # three tables against the sum of three references, one too high in places and one too low
    SelectCell(
        Exact(), ALL, QUERIES, Reference.of_tables({c: k * POINTED[c] for c in ALL} | {LISTED: np.array([k, 0])}), 3
    )
    for k in (0, 3)
)
WORLDS = {
    "count": World(("smokes", "ward"), (Count(Exact()),)),
    "marginals": World(("smokes", "ward"), (Marginals(Exact(), ALL),)),
    "degrees": World(("tie",), (Degrees(Exact(), "tie", (2, 2)),)),
    "select": World(("smokes", "ward"), (Select(Exact(), ALL, POINTED), Select(Exact(), ALL, SPREADED))),
    "weighted select": World(("smokes", "ward"), (Select(Exact(), ALL, POINTED, (3, 3, 1), (0, 5, -2)),)),
    "select cell": World(("smokes", "ward"), CELLS),
    "critic gradient": World(("smokes", "ward"), (CriticGradient(Exact(), ALL, SURE),)),
    "payoff": World(("smokes", "ward"), (Payoff(Exact(), PLAYED, (3, -2, 1), 7, 6, "best"),)),
    "errors": World(("smokes", "ward"), (Errors(Exact(), ALL, POINTED), Errors(Exact(), ALL, SPREADED))),
    "worst cell": World(("smokes", "ward"), tuple(WorstCell(*bound) for bound in BOUNDS)),
    "variations": World(("smokes", "ward"), tuple(Variations(*bound) for bound in BOUNDS)),
    "worst query": World(("smokes", "ward"), (WorstQuery(Exact(), QUERIES, (3, 1), 3, 4),)),
    "quantiles": World(("income",), (Quantiles(Exact(), "income", Grid((0, 2, 4), 4)),)),
    "categories": World(("town",), (Categories(Exact(), "town"),)),
}
EVERYWHERE = [(kind, rows, relation) for kind in WORLDS for rows in (1, 2) for relation in Relation]
NAMES = [f"{kind}, {rows} rows a unit, {relation.value}" for kind, rows, relation in EVERYWHERE]

Table = tuple[int, ...]


def tables(kinds: int, most: int) -> list[Table]:
    """Every multiset of at most ``most`` rows."""
    return [rows for n in range(most + 1) for rows in combinations_with_replacement(range(kinds), n)]


def neighbours(kinds: int, rows: int, relation: Relation) -> Iterator[tuple[Table, Table]]:
    """Every two neighbouring tables of at most four rows, in one order."""
    units = [unit for unit in tables(kinds, rows) if unit]
    for rest in tables(kinds, MOST):
        grown = [tuple(sorted(rest + unit)) for unit in units if len(rest + unit) <= MOST]
        if relation is AR:
            yield from ((rest, table) for table in grown)
        else:
            yield from product(grown, grown)


@cache
def answers(kind: str) -> dict[Table, list[np.ndarray]]:
    """The exact statistic of every question on every table, as the vault computes it."""
    world = WORLDS[kind]
    values = list(product(*(COLUMNS[name][0] for name in world.columns)))
    schema = Schema("small", Unit("person"), tuple(COLUMNS[name][1] for name in world.columns))

    def answer(rows: Table) -> list[np.ndarray]:
        cells = {name: [values[row][j] for row in rows] for j, name in enumerate(world.columns)}
        arrays = {name: pa.array(cells[name], type=pa.array(COLUMNS[name][0]).type) for name in world.columns}
        halves = {field: half for name in arrays for field, half in spread(arrays[name], schema.column(name)).items()}
        vault = Vault(pa.table(halves), schema)
        return [vector(vault._look(question)) for question in world.questions]

    return {rows: answer(rows) for rows in tables(len(values), MOST)}


def vector(exact: object) -> np.ndarray:
    """An answer as integers; an open list has a place for each possible text."""
    if isinstance(exact, dict):
        assert 0 not in exact.values()
        return np.array([exact.get(text, 0) for text in COLUMNS["town"][0][:-1]])
    return exact


@cache
def pairs(kind: str, rows: int, relation: Relation) -> tuple[tuple[Table, Table], ...]:
    """The exact answers of all neighbours, without repetitions."""
    found = answers(kind)
    kinds = max(max(table, default=0) for table in found) + 1
    seen = set()
    for one, other in neighbours(kinds, rows, relation):
        for a, b in zip(found[one], found[other], strict=True):
            seen.add((tuple(a.tolist()), tuple(b.tolist())))
    return tuple(seen)


def moves(kind: str, rows: int, relation: Relation) -> set[Table]:
    """By what answers differ between neighbours: the noise of one is the noise of the other, moved by so much."""
    return {tuple(np.subtract(a, b).tolist()) for a, b in pairs(kind, rows, relation)}


def moved(kind: str, rows: int, relation: Relation) -> Sensitivity:
    """The largest movement, in every norm."""
    found = np.array(sorted(moves(kind, rows, relation)))
    size = abs(found)
    keys = 0
    if kind == "categories":
        keys = max(sum((x == 0) != (y == 0) for x, y in zip(a, b, strict=True)) for a, b in pairs(kind, rows, relation))
    return Sensitivity(int(size.sum(1).max()), int((size**2).sum(1).max()), int(size.max()), keys)


def declared(kind: str, rows: int, relation: Relation) -> Sensitivity:
    """What the question says; all questions of one kind say the same here."""
    (said,) = {question.sensitivity(rows, relation) for question in WORLDS[kind].questions}
    return said


def exceeded(truth: Sensitivity, said: Sensitivity) -> list[str]:
    """The norms in which a unit moves more than was said."""
    return [norm for norm in ("l1", "l2sq", "linf", "keys") if getattr(truth, norm) > getattr(said, norm)]


@pytest.mark.parametrize(("kind", "rows", "relation"), EVERYWHERE, ids=NAMES)
def test_no_unit_moves_more_than_declared_and_one_moves_as_much(kind, rows, relation):
    truth, said = moved(kind, rows, relation), declared(kind, rows, relation)
    assert not exceeded(truth, said)
    assert truth == said  # in every norm, within four rows already


def of_one_row(kind: str, rows: int, relation: Relation) -> Sensitivity:
    return declared(kind, 1, relation)


def as_added(kind: str, rows: int, relation: Relation) -> Sensitivity:
    return declared(kind, rows, AR)


def without(norm: str, parts: int) -> Callable[[str, int, Relation], Sensitivity]:
    def lie(kind: str, rows: int, relation: Relation) -> Sensitivity:
        said = declared(kind, rows, relation)
        return replace(said, **{norm: getattr(said, norm) // parts})

    return lie


SABOTEURS = {
    "R is taken for 1": (of_one_row, [(kind, 2, relation) for kind in WORLDS for relation in Relation]),
    "replace-one is taken for add-remove": (
        as_added,
        [(kind, rows, RO) for kind in WORLDS if kind not in ("count", "worst cell", "worst query") for rows in (1, 2)],
    ),
    "l2sq without its two": (without("l2sq", 2), [("marginals", 1, RO), ("quantiles", 2, RO), ("categories", 1, RO)]),
    "an edge of one end": (without("l1", 2), [("degrees", rows, relation) for rows in (1, 2) for relation in Relation]),
    "l1 of one table for three": (without("l1", 3), [("marginals", 1, AR), ("select", 1, RO), ("variations", 2, AR)]),
    "l2sq of one table for three": (without("l2sq", 3), [("marginals", 2, AR), ("variations", 1, RO)]),
    "half of linf": (
        without("linf", 2),
        [("marginals", 2, AR), ("select", 1, RO), ("worst cell", 1, AR), ("worst query", 1, RO)],
    ),
    "a weight of one": (
        without("linf", 1024),
        [("critic gradient", rows, relation) for rows in (1, 2) for relation in Relation],
    ),
    "only the queries of one sign": (without("linf", 2), [("payoff", rows, AR) for rows in (1, 2)]),
    "one sign of two": (without("l1", 2), [("select cell", 1, AR), ("select cell", 2, RO)]),
    "the weight is forgotten": (without("linf", 3), [("weighted select", rows, AR) for rows in (1, 2)]),
    "one table for three": (
        without("linf", 3),
        [("select cell", rows, relation) for rows in (1, 2) for relation in Relation],
    ),
    "one key for two": (without("keys", 2), [("categories", 2, AR), ("categories", 1, RO)]),
}
LIES = [(name, where) for name, (_, places) in SABOTEURS.items() for where in places]


@pytest.mark.parametrize(("name", "where"), LIES, ids=[f"{n}: {w[0]}, {w[1]}, {w[2].value}" for n, w in LIES])
def test_a_declaration_that_is_too_small_is_rejected(name, where):
    assert exceeded(moved(*where), SABOTEURS[name][0](*where))


# --- discrete Laplace: the privacy ratio in fractions ---------------------------------------------------------------

LAPLACE = [
    place
    for place in EVERYWHERE
    if place[0] not in ("select", "weighted select", "select cell", "critic gradient", "categories")
]


def worst_ratio(move: Table, r: Fraction) -> Fraction:
    """max over outputs of P[f + Z = y] / P[f' + Z = y], enumerated cell by cell; beyond both values it is constant."""

    def law(z: int) -> Fraction:
        return (1 - r) / (1 + r) * r ** abs(z)

    return math.prod(max(law(y - v) / law(y) for y in range(min(v, 0) - 2, max(v, 0) + 3)) for v in move)


@pytest.mark.parametrize(("kind", "rows", "relation"), LAPLACE, ids=lambda x: getattr(x, "value", str(x)))
@pytest.mark.parametrize("r", [Fraction(1, 2), Fraction(6, 7)], ids=str)
def test_laplace_ratio_is_the_price(kind, rows, relation, r):
    epsilon = price(DiscreteLaplace(Fraction(1)), declared(kind, rows, relation), relation, Measure.PURE).amount
    worst = max(worst_ratio(move, r) for move in moves(kind, rows, relation))
    assert worst == r**-epsilon  # exp(epsilon) for exp(-1/scale) = r
    assert epsilon == 0 or worst > r ** -(epsilon / 2)  # half the price would not do


# --- discrete Gaussian: Renyi divergences summed ----------------------------------------------------------------------


@cache
def renyi(move: int, alpha: float, sigma2: Fraction) -> float:
    """D_alpha of one coordinate that moves by ``move``, summed; the limit alpha = 1 is the Kullback-Leibler divergence."""
    reach = math.ceil(abs(alpha * move) + 40 * float(sigma2) ** 0.5 + 10)
    z = np.arange(-reach, reach + 1, dtype=float)
    one, other = -((z - move) ** 2) / (2 * float(sigma2)), -(z**2) / (2 * float(sigma2))
    one, other = one - logsumexp(one), other - logsumexp(other)
    if alpha == 1:
        return math.fsum(np.exp(one) * (one - other))
    return logsumexp(alpha * one + (1 - alpha) * other) / (alpha - 1)


@pytest.mark.parametrize(("kind", "rows", "relation"), LAPLACE, ids=lambda x: getattr(x, "value", str(x)))
@pytest.mark.parametrize("sigma2", [Fraction(1, 2), Fraction(7)], ids=str)
def test_gaussian_divergence_is_alpha_times_the_price(kind, rows, relation, sigma2):
    rho = float(price(DiscreteGaussian(sigma2), declared(kind, rows, relation), relation, Measure.ZCDP).amount)
    # every D_alpha is a sum over coordinates, so each is told by how many coordinates move by how much
    shapes = {tuple(sorted(abs(v) for v in move if v)) for move in moves(kind, rows, relation)}
    for alpha in (1, 1.5, 2, 3, 10):
        worst = max(math.fsum(renyi(v, alpha, sigma2) for v in shape) for shape in shapes)
        assert worst <= alpha * rho * (1 + 1e-10)
        if alpha in (2, 3, 10):
            assert worst == pytest.approx(alpha * rho, rel=1e-9)  # reached for whole alpha


# --- Gumbel selection: bounded range in fractions ---------------------------------------------------------------------


def chosen(scores: Table, w: Fraction) -> list[Fraction]:
    """P[i] proportional to w^score, w = exp(1/scale)."""
    weights = [w**score for score in scores]
    return [weight / sum(weights) for weight in weights]


def spread_of_ratios(a: Table, b: Table, w: Fraction) -> tuple[Fraction, Fraction]:
    """The largest P / P', and the largest over the smallest."""
    ratios = [p / q for p, q in zip(chosen(a, w), chosen(b, w), strict=True)]
    return max(ratios), max(ratios) / min(ratios)


@pytest.mark.parametrize("kind", ["select", "weighted select"])
@pytest.mark.parametrize("rows", [1, 2])
@pytest.mark.parametrize("relation", Relation, ids=lambda relation: relation.value)
@pytest.mark.parametrize("w", [Fraction(2), Fraction(8, 7)], ids=str)
def test_a_selection_stays_within_its_price(kind, rows, relation, w):
    epsilon = price(Gumbel(Fraction(1)), declared(kind, rows, relation), relation, Measure.PURE).amount
    found = [spread_of_ratios(a, b, w) for a, b in pairs(kind, rows, relation)]
    assert max(ratio for ratio, _ in found) <= w**epsilon
    assert max(spread for _, spread in found) <= w**epsilon
    if relation is AR:
        # reached; and so the price of scores that all move in one direction, which is half, would not do
        assert max(spread for _, spread in found) == w**epsilon


def test_a_selection_reaches_its_price_under_replace_one():
    """Four rows are too few for one score to fall by 2 R and another to rise by as much; six are enough."""
    reference = Reference.of_tables({("smokes",): np.array([9, 0]), ("ward",): np.array([0, 9, 0])})
    question = Select(Gumbel(Fraction(1)), (("smokes",), ("ward",)), reference)
    schema = Schema("small", Unit("person"), (COLUMNS["smokes"][1], COLUMNS["ward"][1]))

    def scores(smokes: bool, ward: str) -> Table:
        rows = {"smokes": [smokes, True, False], "ward": [ward, "n", "s"]}
        return tuple(Vault(pa.table(rows), schema)._look(question).tolist())

    _, spread = spread_of_ratios(scores(True, "s"), scores(False, "n"), Fraction(2))
    assert spread == 2 ** price(question.mechanism, question.sensitivity(1, RO), RO, Measure.PURE).amount


@pytest.mark.parametrize("kind", ["select", "weighted select"])
@pytest.mark.parametrize("rows", [1, 2])
@pytest.mark.parametrize("relation", Relation, ids=lambda relation: relation.value)
@pytest.mark.parametrize("scale", [Fraction(1), Fraction(12)], ids=str)
def test_a_selection_costs_an_eighth(kind, rows, relation, scale):
    rho = float(price(Gumbel(scale), declared(kind, rows, relation), relation, Measure.ZCDP).amount)
    for a, b in pairs(kind, rows, relation):
        p, q = (np.array(scores) / float(scale) for scores in (a, b))
        p, q = p - logsumexp(p), q - logsumexp(q)
        for first, second in ((p, q), (q, p)):
            assert float(np.exp(first) @ (first - second)) <= rho + 1e-12
            for alpha in (2, 8):
                assert logsumexp(alpha * first + (1 - alpha) * second) / (alpha - 1) <= alpha * rho + 1e-12


def test_a_stretched_reference_is_refused():
    """A reference of fifty copies would be subtracted fifty times, and one row would move the score by fifty."""
    schema = Schema("small", Unit("person"), (COLUMNS["smokes"][1],))
    vault = Vault(pa.table({"smokes": [True]}), schema)
    for stretched in (np.zeros((50, 2), dtype=np.int64), np.zeros(1, dtype=np.int64), np.zeros(2)):
        reference = Reference("not looked at", lambda columns, table=stretched: table)
        asked = Select(Exact(), ALL[:1], reference), Errors(Exact(), ALL[:1], reference)
        for question in (*asked, WorstCell(Exact(), ALL[:1], reference, 3, 4)):
            with pytest.raises(Misuse, match="shape"):
                vault._look(question)


def test_a_query_that_is_not_on_the_list_never_sees_a_row():
    """A query is handed the codes inside the vault: were any class admitted, it could keep them."""

    class Listening(Box):
        def matches(self, codes):
            raise AssertionError("a stranger was shown the rows")

    vault = Vault(pa.table({"smokes": [True]}), Schema("small", Unit("person"), (COLUMNS["smokes"][1],)))
    with pytest.raises(Misuse, match="query"):
        vault._look(WorstQuery(Exact(), (Listening((("smokes", 1, 1),)),), (0,), 3, 4))


# --- Threshold: the delta, enumerated ---------------------------------------------------------------------------------

TAUS = range(-2, 13)


@cache
def tail(scale: Fraction, k: int) -> Fraction:
    """P[Z >= k] by adding the law from zero on, with exp(-1/scale) to 60 digits: nothing shared with the code."""
    if k <= 0:
        return 1 - tail(scale, 1 - k)
    with localcontext() as context:
        context.prec = 60
        r = Fraction((-Decimal(scale.denominator) / Decimal(scale.numerator)).exp())
    law = [(1 - r) / (1 + r) * r**z for z in range(k)]
    return (1 - law[0]) / 2 - sum(law[1:])


def gives_away(a: Table, b: Table, scale: Fraction, tau: int) -> Fraction:
    """The chance that a key which only the first table has is shown."""
    lone = [count for count, other in zip(a, b, strict=True) if count and not other]
    return 1 - math.prod(1 - tail(scale, tau - count) for count in lone)


def worst_giveaway(rows: int, relation: Relation, scale: Fraction, tau: int) -> Fraction:
    """The most, over all neighbours in both orders."""
    both = {pair for a, b in pairs("categories", rows, relation) for pair in ((a, b), (b, a))}
    return max(gives_away(a, b, scale, tau) for a, b in both)


@pytest.mark.parametrize("rows", [1, 2])
@pytest.mark.parametrize("relation", Relation, ids=lambda relation: relation.value)
@pytest.mark.parametrize("scale", [Fraction(1, 2), Fraction(1), Fraction(4)], ids=str)
def test_the_delta_of_a_threshold_covers_every_lone_key(rows, relation, scale):
    said = declared("categories", rows, relation)
    for tau in TAUS:
        charged = price(Threshold(scale, tau), said, relation, Measure.ZCDP).delta
        worst = worst_giveaway(rows, relation, scale, tau)
        assert worst <= charged * (1 + Fraction(1, 10**40))
        if rows == 1 and relation is AR:
            assert worst == pytest.approx(charged, rel=1e-12)
        elif rows == 1:
            # replace-one counts the keys of both tables, though those of one would do
            assert 2 * worst == pytest.approx(charged, rel=1e-12)


THRESHOLD_LIES = {
    "no delta at all": lambda said: replace(said, keys=0),
    "a key has one row though a unit has two": lambda said: replace(said, linf=1, keys=1),
    "a key has no row": lambda said: replace(said, linf=0),
}


@pytest.mark.parametrize("lie", THRESHOLD_LIES)
def test_a_delta_that_is_too_small_is_rejected(lie):
    said = THRESHOLD_LIES[lie](declared("categories", 2, AR))
    charged = price(Threshold(Fraction(1), 8), replace(said, keys=max(said.keys, 1)), AR, Measure.ZCDP).delta
    assert worst_giveaway(2, AR, Fraction(1), 8) > (charged if said.keys else 0)


def outputs(count: int, scale: float, tau: int) -> np.ndarray:
    """What is seen of one text: nothing, or its noisy count from tau on; 30 scales of them."""
    values = np.arange(tau, tau + 30)
    if count == 0:
        return np.append(1.0, np.zeros(len(values)))
    r = math.exp(-1 / scale)
    shown = (1 - r) / (1 + r) * r ** np.abs(values - count)
    return np.append(1 - float(tail(Fraction(scale), tau - count)), shown)


@pytest.mark.parametrize("rows", [1, 2])
@pytest.mark.parametrize("relation", Relation, ids=lambda relation: relation.value)
@pytest.mark.parametrize("tau", [1, 3, 6])
def test_an_open_list_is_private_at_its_price(rows, relation, tau):
    """The hockey-stick divergence of all that is shown, at epsilon = l1 / scale, against the charged delta."""
    said, scale = declared("categories", rows, relation), 1.0
    charged = float(price(Threshold(Fraction(1), tau), said, relation, Measure.ZCDP).delta)
    # a text that neither has does not matter, nor how the texts are called
    shapes = {
        tuple(sorted(both for both in zip(a, b, strict=True) if any(both)))
        for a, b in pairs("categories", rows, relation)
    } - {()}
    seen = {count: outputs(count, scale, tau) for count in range(MOST + 1)}
    worst = 0.0
    for shape in shapes:
        p, q = (reduce(np.multiply.outer, [seen[count] for count in side]) for side in zip(*shape, strict=True))
        for one, other in ((p, q), (q, p)):
            worst = max(worst, float(np.maximum(one - math.exp(said.l1 / scale) * other, 0).sum()))
    assert worst <= charged * (1 + 1e-9)
    if rows == 1 and relation is AR:
        assert worst > 0.6 * charged  # and it is no idle price: a lone key is what a delta is for


# --- units: many rows of one are bounded before anything is counted ---------------------------------------------------

CROWD = [("", True, "s"), ("b", True, "n"), ("b", False, "s"), ("c", True, "w")]
ROWS = [(True, "n"), (False, "n"), (False, "w")]


def bounded(extra: tuple[tuple[bool, str], ...], relation: Relation) -> tuple[Table, Table]:
    """Count and marginals of a table with some rows of unit ``a``, one of them first and the others last."""
    schema = Schema(
        "visits",
        Unit("patient", "who", rows=2),
        (Identifier("who", missing=("",)), COLUMNS["smokes"][1], COLUMNS["ward"][1]),
        relation=relation,
    )
    mine = [("a", *row) for row in extra]
    who, smokes, ward = zip(*mine[:1], *CROWD, *mine[1:], strict=True)
    vault = Vault.over(pa.table({"who": who, "smokes": smokes, "ward": ward}), schema)
    return tuple(tuple(vault._look(question).tolist()) for question in (Count(Exact()), Marginals(Exact(), ALL)))


@pytest.mark.parametrize("relation", Relation, ids=lambda relation: relation.value)
def test_a_unit_with_too_many_rows_moves_no_more_than_one_with_two(relation):
    fewest = 0 if relation is AR else 1
    whole = [bounded(rows, relation) for n in range(fewest, 5) for rows in product(ROWS, repeat=n)]
    before = whole[:1] if relation is AR else whole
    for place, kind in enumerate(("count", "marginals")):
        far = [np.abs(np.subtract(a[place], b[place])) for a in before for b in whole]
        truth = Sensitivity(max(d.sum() for d in far), max((d**2).sum() for d in far), max(d.max() for d in far))
        assert truth == declared(kind, 2, relation)
