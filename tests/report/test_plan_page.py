"""The plan's page: what to expect is what theory says, the trial is invented from the schema alone, no data become markup."""

import json
from fractions import Fraction

import numpy as np
import pytest
from hostile import EVIL, TAME, schema
from tree import tree

import understudy
from understudy.command.main import answer
from understudy.command.plan import document_of
from understudy.measure.variation import total_variation
from understudy.report.invented import invented
from understudy.report.plan_page import plan_page
from understudy.report.prospect import at, direct, prospect
from understudy.schema.encode import codes
from understudy.schema.read import from_dict

COLUMNS = {name: {"kind": "categorical", "values": list("abcdefgh")} for name in ("one", "two", "three")}
SCHEMA = from_dict({"table": {"name": "t", "unit": "person"}, "columns": COLUMNS})
OPEN = from_dict(
    {
        "table": {"name": "t", "unit": "person", "unit_column": "id", "rows_per_unit": 3},
        "columns": {
            "id": {"kind": "identifier"},
            "town": {"kind": "categorical", "discover": True, "missing": [""]},
            "income": {"kind": "integer", "discover": True, "bins": 4},
            "smokes": {"kind": "boolean"},
        },
    }
)


def plan(declared=SCHEMA, epsilon="1", delta="1e-6"):
    return understudy.plan(declared, epsilon=epsilon, delta=delta, recipe="independent")


@pytest.mark.parametrize("delta", ["1e-6", "0"])
def test_the_expected_error_is_what_direct_measurement_leaves(delta):
    """Against a simulation of the very noise that the formula is about, as if every count were 500 of 32,000."""
    made = plan(delta=delta)
    clique, n = ("one", "two"), 32_000
    expected = direct(made, clique, n)
    rho = float(made.total.amount) * (1 - 0.02 - 0.05)
    rng = np.random.default_rng(3)
    noise = (
        rng.normal(scale=(3 / (2 * rho)) ** 0.5, size=(400, 64))
        if delta != "0"
        else rng.laplace(scale=3 / rho, size=(400, 64))
    )
    errors = [abs(z).sum() / (2 * n) for z in noise]
    assert expected == pytest.approx(np.mean(errors), rel=0.05)


def test_the_curve_falls_and_the_trial_is_told():
    expected = prospect(plan(), 2000, trial=True)
    errors = [p["direct"] for p in expected["curve"]]
    assert errors == sorted(errors, reverse=True) and errors[0] > errors[-1]
    tried = expected["trial"]
    assert tried["rows"] == 2000 and all(0 <= p["error"] <= p["certified"] <= 1 for p in tried["points"])
    assert at(plan(), Fraction(5)).budget.epsilon == 5 and plan().budget.epsilon == 1


def test_what_is_invented_follows_from_the_schema_alone():
    for declared in (SCHEMA, OPEN):
        (settled, one), (_, same) = invented(declared, 300), invented(declared, 300)
        assert one.equals(same) and one.num_rows == 300 and not settled.pending
    other = from_dict({"table": {"name": "another", "unit": "person"}, "columns": COLUMNS})
    assert not invented(other, 300)[1].equals(invented(SCHEMA, 300)[1])
    pair = np.histogram2d(*(codes(invented(SCHEMA, 4000)[1][n], SCHEMA.column(n)) for n in ("one", "two")), bins=8)[0]
    product = np.outer(pair.sum(1), pair.sum(0))
    assert total_variation(pair, product) > 0.05, "columns that are independent would flatter every recipe"


def test_an_open_schema_has_a_trial_too():
    assert len(prospect(plan(OPEN, epsilon="8"), 500, trial=True)["trial"]["points"]) > 2


def test_names_create_no_element():
    pages = []
    for words in (EVIL, TAME):
        made = plan(schema(words))
        pages.append(tree(plan_page(made, document_of(made), prospect(made, None, trial=False))))
    assert pages[0].elements == pages[1].elements and EVIL[0] in pages[0].text
    assert "There is no default" in pages[0].text and "arXiv:2405.00267" in pages[0].text


def test_the_command_writes_it_and_touches_no_data(tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.toml").write_text('[table]\nname = "t"\n[columns.a]\nkind = "boolean"\n')
    words = "plan --schema s.toml --epsilon 1 --delta 0 --recipe independent --workload 1way --assume-rows 500 --html p.html"
    assert answer(words.split()) == 0
    out, err = capfd.readouterr()
    assert "measured directly" in out and "p.html" in err
    assert (tmp_path / "p.html").read_bytes().startswith(b"<!doctype html>")
    assert answer(words.split()) == 5, "nothing is overwritten"
    capfd.readouterr()
    assert answer([*words.replace("p.html", "q.html").split(), "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["expected"]["rows"] == 500
