"""Each verb does its work, and says it to people on stderr and to machines on stdout."""

import inspect
import json

import pyarrow.parquet as pq
import pytest

import understudy
from understudy.publish.bundle import FORMATS

TERMS = "--schema s.toml --epsilon 1 --delta 1e-6 --recipe independent"


def test_draft_is_clean_toml_on_stdout(say):
    drafted = say("schema draft t.csv")
    assert drafted.code == 0 and drafted.out.startswith("# A draft") and "TODOs" in drafted.err
    assert '"y"' not in drafted.out
    assert 'true = ["y"]\nfalse = ["n"]' in say("schema draft t.csv --public smokes").out


def test_check_is_stamped_internal_and_names_lines(say, folder):
    fine = say("schema check t.csv --schema s.toml")
    assert (fine.code, fine.out) == (0, "nothing to complain about\n")
    assert fine.err.startswith("INTERNAL")
    (folder / "t.csv").write_text("id,age,smokes\np1,3,y\np2,4\n")
    found = say("schema check t.csv --schema s.toml --json --quiet")
    assert found.code == 7 and found.err.startswith("INTERNAL")
    assert found.document["complaints"][0].startswith("line 3:")


def test_show_says_what_is_public(say, folder):
    (folder / "s.toml").write_text(
        (folder / "s.toml").read_text() + '\n[columns.fee]\nkind = "real"\ndiscover = true\n'
    )
    shown = say("schema show --schema s.toml")
    assert shown.code == 0 and shown.err == ""
    domains = {
        c["column"]: (c["cells"], c["domain"]) for c in say("schema show --schema s.toml --json").document["columns"]
    }
    assert domains == {
        "id": (None, "made anew"),
        "age": (10, "public"),
        "smokes": (2, "public"),
        "fee": (None, "to be discovered"),
    }


def test_plan_and_dry_run_open_no_data(say, folder):
    (folder / "t.csv").unlink()
    planned = say(f"plan {TERMS}")
    dry = say(f"release t.csv {TERMS} --dry-run")
    assert planned.code == dry.code == 0 and planned.out == dry.out
    assert "second opinion" in planned.out and "100.0%" in planned.out
    document = say(f"plan {TERMS} --json").document
    assert sum(line["share"] for line in document["lines"]) == pytest.approx(1)
    assert document["second_opinion"]["pld"] <= 1
    assert sorted(p.name for p in folder.iterdir()) == ["s.toml"]


def test_release_leaves_a_bundle_and_a_charge(say, bundle, folder):
    shown = say("ledger show L --json").document
    assert shown["left"] == {"epsilon": "0", "delta": "0"} and shown["releases"][0]["release"] == "one"
    assert "one " in say("ledger show L").out
    assert not [p for p in folder.iterdir() if p.name.startswith(".")]


@pytest.mark.parametrize("form", [form for form in FORMATS if form != "png"])
def test_release_writes_every_format_of_a_table(say, folder, form):
    said = say(f"release t.csv {TERMS} --format {form} --out C --json")
    assert said.code == 0 and said.err == "" and said.document["certificate"]["epsilon"] == "1"
    assert (folder / "C" / FORMATS[form]).exists()


def test_sample_repeats_a_draw(say, bundle, folder):
    first, again, other = (say(f"sample B --rows 5 --draw {draw}") for draw in (1, 1, 2))
    assert first.out == again.out != other.out and first.out.startswith("id,age,smokes\n")
    assert len(say("sample B --rows 5 --json").document["rows"]) == 5
    assert say("sample B --rows 5 --out more.csv --quiet").err == ""
    assert (folder / "more.csv").read_text() == first.out
    assert say("sample B --rows 5 --out more.parquet --json").document == {"rows": 5, "draw": 1, "out": "more.parquet"}
    assert pq.read_table(folder / "more.parquet").num_rows == 5


def test_verify_says_what_was_checked(say, bundle):
    said = say("verify B --ledger L")
    assert said.code == 0 and "integrity, not authorship" in said.out
    checked = [line[4:].partition(":")[0] for line in said.out.splitlines() if line.startswith("ok  ")]
    assert {"files", "tape", "prices", "claims", "rows"} < set(checked) and checked[-1] == "ledger"
    assert [line.partition(":")[0] for line in say("verify B --json").document["checked"]] == checked[:-1]


def test_ledger_exports_and_checks(say, bundle, folder):
    lines = [json.loads(line) for line in say("ledger export L").out.splitlines()]
    assert lines == say("ledger export L --json").document and lines[0]["kind"] == "budget"
    checked = say("ledger check L --bundle B")
    assert checked.code == 0 and checked.out.count("ok ") == 2
    (folder / "L").unlink()
    for tail in ("-wal", "-shm"):
        (folder / f"L{tail}").unlink(missing_ok=True)
    say("ledger init L --epsilon 1 --delta 1e-6 --unit person --population survey")
    assert say("ledger check L").code == 0
    assert say("ledger check L --bundle B").code == 8


def test_recipes_are_one_line_each(say):
    lines = say("recipes").out.splitlines()
    assert [line.split()[0] for line in lines[1:]] == list(understudy.recipes())
    assert {recipe["name"] for recipe in say("recipes --json").document} == set(understudy.recipes())


def test_demo_makes_a_bundle_that_verifies(say, folder):
    said = say("demo --out D --json")
    assert said.code == 0 and said.err == ""
    assert say(f"verify {said.document['bundle']}").code == 0
    assert say("demo --out D").code == 5


def test_defaults_are_the_librarys():
    from understudy.command.plan import plan
    from understudy.command.release import release

    for verb, function in ((plan, understudy.plan), (release, understudy.release)):
        ours, theirs = inspect.signature(verb).parameters, inspect.signature(function).parameters
        shared = {"recipe", "workload", "rows", "form", "ledger", "id"} & set(theirs)
        assert {name: ours[name].default for name in shared} == {name: theirs[name].default for name in shared}
