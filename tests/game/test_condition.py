"""Rows given some values: the model's own conditional distribution, against enumeration; what cannot be is refused."""

from itertools import product

import numpy as np
import pytest

from understudy.game.condition import condition
from understudy.game.constrain import obey
from understudy.game.data.blend import Blend
from understudy.game.data.graphical import Graphical
from understudy.game.data.merging import Groups
from understudy.game.data.mixture import Mixture
from understudy.game.data.product import Product
from understudy.game.data.table import Table
from understudy.refusal import Misuse, SchemaRefused
from understudy.schema.column import Boolean, Identifier, Listed, Moment, Number
from understudy.schema.constraint import Allowed, Constraint
from understudy.schema.grid import Grid
from understudy.schema.schema import Schema, Unit

SIZES = {"a": 2, "b": 3, "c": 2, "d": 4}


def simplex(rng, *shape):
    p = rng.random(shape) ** 2 + 0.02
    return p / p.sum(axis=-1, keepdims=True)


def mixture(rng):
    return Mixture(simplex(rng, 5), {name: simplex(rng, 5, size) for name, size in SIZES.items()})


def independent(rng):
    return Product({name: simplex(rng, size) for name, size in SIZES.items()})


def table(rng):
    return Table(tuple(SIZES), simplex(rng, 2 * 3 * 2 * 4).reshape(tuple(SIZES.values())))


def graphical(rng):
    """A chain a - b - c - d, no cells merged but two of d."""
    apart = {name: Groups(np.arange(size), np.ones(size)) for name, size in SIZES.items()}
    apart["d"] = Groups(np.array([0, 1, 2, 2]), np.array([1, 1, 0.25, 0.75]))
    sizes = [2, 3, 2, 3]
    theta = {(i, i + 1): rng.normal(size=(sizes[i], sizes[i + 1])) for i in range(3)}
    return Graphical(apart, [np.log(simplex(rng, size)) for size in sizes], lambda: theta)


def blend(rng):
    """A third of a chain, two thirds of a mixture."""
    parts = (graphical(rng), mixture(rng))
    return Blend(lambda: (np.array([1 / 3, 2 / 3]), parts))


GUESSES = (mixture, independent, table, graphical, blend)
GIVEN = ({"b": 1}, {"a": 0, "d": 3}, {"d": 2}, {"a": 1, "b": 2, "c": 0}, {"a": 0, "b": 0, "c": 0, "d": 0})


@pytest.mark.parametrize("given", GIVEN, ids=str)
@pytest.mark.parametrize("make", GUESSES)
@pytest.mark.parametrize("seed", range(3))
def test_it_is_the_conditional_distribution(make, given, seed):
    """p(x | given) = p(x) [x agrees] / sum of p over those that agree."""
    guess = make(np.random.default_rng(seed))
    names = tuple(SIZES)
    joint = guess.marginal(names)
    agrees = np.zeros_like(joint)
    for cell in product(*map(range, SIZES.values())):
        agrees[cell] = all(given.get(name, x) == x for name, x in zip(names, cell, strict=True))
    expected = joint * agrees / (joint * agrees).sum()
    narrowed = guess.given(dict(given))
    assert np.abs(narrowed.marginal(names) - expected).max() < 1e-9
    rng = np.random.default_rng(seed)
    drawn = narrowed.rows(20_000, rng)
    assert all((drawn[name] == cell).all() for name, cell in given.items())
    seen = np.zeros_like(joint)
    np.add.at(seen, tuple(drawn[name] for name in names), 1 / 20_000)
    # independent draws would be off by about sqrt(p (1 - p) / n) <= 0.0036 a cell
    assert np.abs(seen - expected).max() < 0.015


@pytest.mark.parametrize("given", GIVEN, ids=str)
@pytest.mark.parametrize("make", [mixture, graphical, blend])
def test_a_chance_is_the_marginal_at_its_cells(make, given):
    guess = make(np.random.default_rng(7))
    assert guess.chance(given) == pytest.approx(guess.marginal(tuple(given))[tuple(given.values())])


def test_a_part_without_a_chance_drops_out():
    parts = [Mixture(np.ones(1), {"a": np.eye(2)[[x]], "b": np.eye(2)[[x]]}) for x in (0, 1)]
    narrowed = Blend(lambda: (np.array([0.3, 0.7]), tuple(parts))).given({"a": 1})
    assert [share for share, _ in narrowed.parts] == [1]
    assert narrowed.marginal(("b",)).tolist() == [0, 1]


def test_what_never_happens_is_refused():
    apart = Mixture(np.array([0.5, 0.5]), {"a": np.eye(2), "b": np.eye(2)})
    assert apart.given({"a": 1}).marginal(("b",)).tolist() == [0, 1]
    for guess in (
        apart,
        Blend(lambda: (np.ones(1), (apart,))),
        Product({"a": np.array([1.0, 0.0]), "b": np.array([0.0, 1.0])}),
        Table(("a", "b"), np.eye(2) / 2),
    ):
        with pytest.raises(Misuse, match="no chance together"):
            guess.given({"a": 1, "b": 0})


MONTH = Grid.stepped(0, 99, 30)
COLUMNS = (
    Identifier("id"),
    Listed("word", missing=("",), values=("a", "b"), other="else"),
    Boolean("flag", true=("yes",), false=("no",)),
    Number("age", missing=("",), grid=Grid.stepped(0, 99, 10)),
    Number("dose", grid=Grid.stepped(0, 999, 250), decimals=1, real=True),
    Moment("came", grid=MONTH),
    Moment("went", missing=("",), grid=Grid.even(0, 99 * 1440, 9), unit="minute", clock=True),
)
RULES = (
    Constraint((("flag", Allowed(("no",))),), (("age", Allowed(missing=True)),)),
    Constraint(order=("came", "went")),
)
SCHEMA = Schema("t", Unit("person"), COLUMNS, constraints=RULES)


def flat(schema=SCHEMA):
    return Product({name: np.full(size, 1 / size) for name, size in schema.domain.items()})


OUTSIDE = {
    "an unlisted word": ({"word": "c"}, "'c' is not in the domain of column 'word'"),
    "beyond a bound": ({"age": 142}, "142 is not in the domain"),
    "finer than the column": ({"dose": 1.25}, "1.25 is not in the domain"),
    "seconds in a column of minutes": ({"went": "1970-01-02T10:00:30"}, "is not in the domain"),
    "no number": ({"age": "old"}, "'old' is not in the domain"),
    "missing where nothing is": ({"flag": None}, "None is not in the domain"),
    "a key": ({"id": "1"}, "is an identifier"),
    "against a constraint": ({"flag": "no", "age": 40}, "no row with the given values"),
    "against an order": ({"came": "1970-02-01", "went": "1970-01-31T23:59"}, "no row with the given values"),
}


@pytest.mark.parametrize(("given", "words"), OUTSIDE.values(), ids=OUTSIDE)
def test_what_cannot_be_is_refused(given, words):
    with pytest.raises(Misuse, match=words):
        condition(flat(), SCHEMA, given)


def test_an_unknown_column_is_refused():
    with pytest.raises(SchemaRefused, match="no column 'size'"):
        condition(flat(), SCHEMA, {"size": 1})


def test_a_value_on_the_edge_of_an_order_is_kept_and_the_others_follow():
    """Came on day 31, in the cell of days 30 to 59: whoever went, went on day 31 at the earliest, by the day."""
    source = condition(flat(), SCHEMA, {"came": "1970-02-01", "flag": "no"})
    rng = np.random.default_rng(3)
    rows = obey(source.guess.rows(2000, rng), source.guess, source.rules, rng)
    assert (rows["flag"] == 0).all() and (rows["age"] == 10).all()
    ticks = source.rules.ordering.draw(rows, rng)
    assert (ticks["came"] == 31).all()
    went = ticks["went"][rows["went"] < 9]
    assert went.min() // 1440 >= 31 and len(went) > 1000
