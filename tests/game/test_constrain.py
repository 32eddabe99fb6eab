"""Whatever the schema, its constraints and the guess are, every row obeys."""

from dataclasses import replace

import numpy as np
import pytest
from constrained import constrained
from hypothesis import given, settings
from hypothesis import strategies as st

import understudy
from understudy.game.constrain import obey
from understudy.game.data.mixture import Mixture
from understudy.game.data.product import Product
from understudy.game.exchange import exchange
from understudy.privacy.ledger import Ledger
from understudy.refusal import SchemaRefused
from understudy.schema.column import Boolean, Moment, Number
from understudy.schema.constraint import Allowed, Constraint
from understudy.schema.grid import Grid
from understudy.schema.relation import Relation
from understudy.schema.schema import Schema, Unit


def lumpy(rng, *shape):
    """Distributions in which many cells have no chance."""
    p = rng.random(shape) * (rng.random(shape) < 0.6) + 1e-12
    return p / p.sum(axis=-1, keepdims=True)


def any_guess(schema, rng):
    """A mixture, or a product."""
    if rng.random() < 0.3:
        return Product({name: lumpy(rng, size) for name, size in schema.domain.items()})
    return Mixture(lumpy(rng, 4), {name: lumpy(rng, 4, size) for name, size in schema.domain.items()})


@settings(max_examples=60, deadline=None)
@given(constrained(), st.integers(0, 2**32), st.sampled_from([0, 1, 60]))
def test_every_row_obeys(schema, seed, n):
    guess = any_guess(schema, np.random.default_rng(seed))
    codes = guess.rows(n, np.random.default_rng(seed))
    rows = obey(codes, guess, schema.rules, np.random.default_rng(seed))
    assert not schema.rules.broken(rows).any()
    assert all(len(rows[name]) == n for name in schema.domain)
    assert all(((rows[name] >= 0) & (rows[name] < size)).all() for name, size in schema.domain.items())
    again = obey(codes, guess, schema.rules, np.random.default_rng(seed))
    assert all(np.array_equal(rows[name], again[name]) for name in rows)
    if not schema.rules.broken(codes).any():
        assert all(np.array_equal(rows[name], codes[name]) for name in rows)


@settings(max_examples=40, deadline=None)
@given(constrained(), st.integers(0, 2**32))
def test_trades_move_no_count_and_break_nothing(schema, seed):
    rng = np.random.default_rng(seed)
    codes = any_guess(schema, rng).rows(80, rng)
    rows = {name: column.astype(np.int64) for name, column in codes.items()}
    exchange(rows, schema.rules, rng)
    assert all(np.array_equal(np.sort(rows[name]), np.sort(codes[name])) for name in rows)
    assert schema.rules.broken(rows).sum() <= schema.rules.broken(codes).sum()


def skip(*more):
    """If no, then missing; and otherwise a number."""
    number = Number("per_day", missing=("",), grid=Grid.even(1, 4, None))
    says = Boolean("smokes", missing=("",))
    no, yes = Allowed(("false",), missing=True), Allowed(("true",))
    asked = Constraint((("smokes", yes),), (("per_day", Allowed(missing=False)),))
    skipped = Constraint((("smokes", no),), (("per_day", Allowed(missing=True)),))
    return Schema("t", Unit("person"), (says, number, *more), constraints=(asked, skipped))


def test_what_trades_cannot_mend_is_drawn_from_the_guess_given_the_rest():
    """All smoke, none says how many: the numbers come from the guess, in its proportions."""
    schema = skip()
    guess = Product({"smokes": np.array([0.0, 1.0, 0.0]), "per_day": np.array([0.3, 0.1, 0.05, 0.05, 0.5])})
    n = 20_000
    codes = {"smokes": np.ones(n, dtype=np.int64), "per_day": np.full(n, 4)}
    rows = obey(codes, guess, schema.rules, np.random.default_rng(1))
    assert (rows["smokes"] == 1).all()
    seen = np.bincount(rows["per_day"], minlength=5) / n
    assert np.abs(seen - [0.6, 0.2, 0.1, 0.1, 0]).max() < 0.02


def test_a_guess_that_knows_no_row_that_obeys_is_no_obstacle():
    schema = replace(skip(), constraints=(Constraint(then=(("smokes", Allowed(missing=True)),)),))
    guess = Product({"smokes": np.array([0.5, 0.5, 0.0]), "per_day": np.array([0.2] * 5)})
    rng = np.random.default_rng(0)
    rows = obey(guess.rows(50, rng), guess, schema.rules, rng)
    assert (rows["smokes"] == 2).all()


def test_an_implication_that_runs_on_is_followed_to_its_end():
    columns = tuple(Boolean(name) for name in "abcdef")
    chain = [
        Constraint(((one, Allowed((True,))),), ((two, Allowed((True,))),))
        for one, two in zip("abcde", "bcdef", strict=True)
    ]
    schema = Schema("t", Unit("p"), columns, constraints=tuple(chain))
    guess = Product({name: np.array([0.01, 0.99]) if name == "a" else np.array([0.99, 0.01]) for name in "abcdef"})
    rng = np.random.default_rng(0)
    rows = obey(guess.rows(500, rng), guess, schema.rules, rng)
    assert not schema.rules.broken(rows).any()
    assert rows["f"].sum() > 300


def test_an_order_keeps_what_the_columns_are_by_themselves():
    """Visits over the year, discharges as early as visits: drawn apart, half are wrong; all can be traded right."""
    month = Grid.even(0, 359, 12)
    columns = (Moment("visit", grid=month), Moment("discharge", ("",), grid=month))
    schema = Schema("t", Unit("p"), columns, constraints=(Constraint(order=("visit", "discharge")),))
    guess = Product({"visit": np.full(12, 1 / 12), "discharge": np.append(np.full(12, 1 / 24), 0.5)})
    rng = np.random.default_rng(0)
    codes = guess.rows(12_000, rng)
    assert schema.rules.broken(codes).mean() > 0.2
    rows = obey(codes, guess, schema.rules, rng)
    assert not schema.rules.broken(rows).any()
    for name in rows:
        off = np.abs(np.bincount(rows[name], minlength=13) - np.bincount(codes[name], minlength=13)).sum() / 2
        assert off <= 12_000 * 0.01


WRONG = """
[table]
unit = "person"
[columns.a]
kind = "boolean"
[columns.b]
kind = "boolean"
[[constraint]]
then = { a = [true] }
[[constraint]]
when = { a = [true] }
then = { b = [true] }
[[constraint]]
then = { b = [false] }
"""


def test_constraints_that_no_row_satisfies_are_refused_before_anything_is_charged(tmp_path):
    (tmp_path / "s.toml").write_text(WRONG)
    (tmp_path / "t.csv").write_text("a,b\ntrue,true\n")
    book = Ledger.create(
        tmp_path / "L", epsilon=1, delta="1e-6", relation=Relation.ADD_REMOVE, unit="person", population="t"
    )
    before = (tmp_path / "L").read_bytes()
    with pytest.raises(SchemaRefused, match="no row can satisfy all constraints"):
        understudy.release(tmp_path / "t.csv", tmp_path / "s.toml", epsilon=1, delta="1e-6", ledger=tmp_path / "L")
    assert (tmp_path / "L").read_bytes() == before and book is not None
