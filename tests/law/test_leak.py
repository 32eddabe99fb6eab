"""Leak search: one person with a word, a number and a date that nobody else has. None of them ever comes out.

They are looked for in everything that a release leaves or says: every file as bytes and as what it decodes to, the
ledger, the working folder, the log, both output streams, the plan, the refusals. Epsilon is 10, so that noise hides
little: what protects the one person is that nothing is told but counts over domains that are public or paid for.
"""

import io
import json
import re
import struct
import traceback
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from safetensors.numpy import load
from scipy.stats import binom

import understudy
from understudy.game.discover import FALSE
from understudy.refusal import Refusal
from understudy.schema.column import Moment, Number
from understudy.schema.read import from_dict
from understudy.schema.schema import Schema

WORD, NUMBER, DAY = "ZQXJ-ONLY-ONE", 913_647_258, "1897-03-14"
ROWS = 300
SPEND = {"epsilon": 10, "delta": "1e-6"}
TABLE = {"name": "clinic", "unit": "patient", "unit_column": "id", "rows_per_unit": 2, "ignore": ["note"]}
COMMON = {"id": {"kind": "identifier"}, "smokes": {"kind": "boolean", "missing": ["", "unknown"]}}
DECLARED = {
    "ward": {"kind": "categorical", "values": ["north", "south"]},
    "town": {"kind": "categorical", "values": ["Bern", "Basel"], "other": "elsewhere"},
    "income": {"kind": "integer", "min": 0, "max": 9000, "bins": 3},
    "dose": {"kind": "real", "decimals": 2, "min": 0, "max": 10, "bins": 3, "missing": [""], "bad": "missing"},
    "born": {"kind": "date", "min": "1950-01-01", "max": "2010-12-31", "bins": 3},
}
DISCOVERED = {
    "ward": {"kind": "categorical", "discover": True, "missing": [""]},
    "town": {"kind": "categorical", "discover": True, "other": "elsewhere"},
    "income": {"kind": "integer", "discover": True, "bins": 3},
    "dose": {"kind": "real", "decimals": 2, "discover": True, "bins": 3, "missing": [""]},
    "born": {"kind": "date", "discover": True, "bins": 3},
}
SCHEMAS = {
    "declared": from_dict({"table": TABLE, "columns": COMMON | DECLARED}),
    "discovered": from_dict({"table": TABLE, "columns": COMMON | DISCOVERED}),
}
ONE = f"{WORD},{WORD},{WORD},{WORD},{NUMBER},{NUMBER}.25,{DAY},{WORD}"
HEADER = "id,smokes,ward,town,income,dose,born,note"

Artefacts = dict[str, bytes]


@pytest.fixture
def private(tmp_path: Path) -> Path:
    """The private table, away from everything that is searched."""
    rng = np.random.default_rng(3)
    lines = [HEADER, ONE]
    for row in range(ROWS):
        words = [rng.choice(w) for w in (["yes", "true", ""], ["north", "south"], ["Bern", "Basel"])]
        day = date(int(rng.integers(1950, 2011)), int(rng.integers(1, 13)), 5)
        lines.append(
            ",".join([f"p{row // 2}", *words, str(rng.integers(0, 9000)), f"{rng.random() * 9:.2f}", f"{day},-"])
        )
    folder = tmp_path / "private"
    folder.mkdir()
    (folder / "table.csv").write_text("\n".join(lines) + "\n")
    return folder / "table.csv"


def artefacts(data: Path, schema: Schema, recipe: str, folder: Path, **spend: object) -> Artefacts:
    """One release from beginning to end: all that it leaves behind and says."""
    folder.mkdir()
    ledger = folder / "ledger"
    terms = {"epsilon": 10**12, "delta": "1/2", "unit": "patient", "population": "everybody"}
    understudy.Ledger.create(ledger, relation=schema.relation, **terms)
    told: list[str] = []
    found: Artefacts = {}

    def tell(words: str) -> None:
        told.append(words)
        found.update({f"while it ran, {name}": content for name, content in files(folder).items()})

    made = understudy.release(data, schema, recipe=recipe, ledger=ledger, out=folder / "out", tell=tell, **spend)
    understudy.verify(folder / "out", ledger)
    made.save(folder / "csv", "csv")
    found |= files(folder) | {"log": "\n".join(told).encode(), "repr": repr(made).encode()}
    found["more rows"] = words(made.sample(200).to_pylist())
    found["ledger export"] = words(understudy.Ledger.open(ledger).export())
    plan = understudy.plan(schema, recipe=recipe, **spend)
    found["plan"] = words([plan.to_json(), repr(plan)])
    return found


def files(folder: Path) -> Artefacts:
    """Every file below a folder, and what the packed ones hold."""
    found = {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}
    for name, content in list(found.items()):
        if name.endswith(".parquet"):
            found[f"{name}, decoded"] = words(pq.read_table(io.BytesIO(content)).to_pylist())
        if name.endswith(".safetensors"):
            found[f"{name}, decoded"] = words({key: value.tolist() for key, value in load(content).items()})
    return found


def words(thing: object) -> bytes:
    """Anything as text."""
    return json.dumps(thing, default=str).encode()


def numbers(content: bytes) -> Iterator[float]:
    """All numbers of a JSON text, or of each line of one."""
    for line in [content, *content.splitlines()]:
        try:
            yield from leaves(json.loads(line))
        except ValueError:
            continue


def leaves(thing: object) -> Iterator[float]:
    """The numbers in a JSON value."""
    if isinstance(thing, (int, float)):
        yield thing
    for item in thing.values() if isinstance(thing, dict) else thing if isinstance(thing, list) else ():
        yield from leaves(item)


# Eight bytes, or nine digits that are not the middle of a longer number: what chance does not write into a model of a
# million of them. (987654321 would not do: it ends 62/81 as a decimal.) Numbers of four bytes are found when decoded.
PACKED = [struct.pack(form, value) for form in ("<q", "<d") for value in (NUMBER, NUMBER * 100)]
LITERALS = [WORD.encode(), WORD.lower().encode(), DAY.encode(), f"{NUMBER:,}".encode()]
DIGITS = re.compile(rb"(?<![\d.])(%d|9\.13647258|9\.14e\+08)(?!\d)" % NUMBER)


def hits(found: Artefacts) -> list[str]:
    """Where the one person shows."""
    places = []
    for name, content in found.items():
        plain = any(literal in content for literal in (*LITERALS, *PACKED)) or DIGITS.search(content)
        near = any(abs(x - goal) <= 1e-3 * goal for x in numbers(content) for goal in (NUMBER, NUMBER * 100))
        places += [name] * bool(plain or near)
    return places


def reach(bundle: Path) -> dict[str, tuple[int, int]]:
    """The settled bounds of numbers and dates, in their own units."""
    columns = understudy.read_bundle(bundle).schema.columns
    scale = {c.name: 10**c.decimals if isinstance(c, Number) else 1 for c in columns}
    ordered = [c for c in columns if isinstance(c, Number | Moment)]
    return {c.name: (c.grid.low // scale[c.name], c.grid.high // scale[c.name]) for c in ordered}


def allowed(runs: int) -> int:
    """In how many runs noise alone may stretch a bound so far; discovery that follows the one person does it in all."""
    return int(binom.isf(1e-6, runs, 10 * FALSE))


def stretched(bundle: Path) -> list[str]:
    """Columns whose bounds reach as far as the one person."""
    day = (date.fromisoformat(DAY) - date(1970, 1, 1)).days
    return [name for name, (low, high) in reach(bundle).items() if high >= 2**28 or low <= day]


RUNS = [(recipe, schema, 6 if recipe == "independent" else 1) for recipe in understudy.recipes() for schema in SCHEMAS]
MANY = [(recipe, schema, {"independent": 90, "pairs": 8}.get(recipe, 2)) for recipe, schema, _ in RUNS]


@pytest.mark.parametrize(
    ("recipe", "schema", "runs"), [*RUNS, *(pytest.param(*run, marks=pytest.mark.full) for run in MANY)]
)
def test_the_one_person_never_shows(
    recipe: str, schema: str, runs: int, private: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    far = 0
    for run in range(runs):
        folder = tmp_path / str(run)
        found = artefacts(private, SCHEMAS[schema], recipe, folder, **SPEND)
        found |= {"streams": "".join(capfd.readouterr()).encode()}
        assert len(found) > 20
        assert hits(found) == []
        far += bool(stretched(folder / "out"))
    if recipe == "independent":  # discovery is the same for every recipe, so its runs speak for all
        assert far <= (allowed(runs) if schema == "discovered" else 0) < runs


REFUSED: dict[str, Callable[[Path, Path], object]] = {
    "a row one field too long": lambda table, out: spoilt(table, out, ONE + f",{WORD}"),
    "a row one field too short": lambda table, out: spoilt(table, out, WORD),
    "a quote that never closes": lambda table, out: spoilt(table, out, f'"{WORD}'),
    "no header": lambda table, out: released(table, out, (table.read_text().split("\n", 1)[1]).encode()),
    "another encoding": lambda table, out: released(table, out, table.read_text().encode() + WORD.encode("utf-16")),
    "no such recipe": lambda table, out: understudy.release(table, SCHEMAS["declared"], recipe="x", out=out, **SPEND),
    "a ledger that is no ledger": lambda table, out: released(table, out, ledger=table),
    "a ledger that is spent": lambda table, out: released(table, out, ledger=spent(out)),
    "an open list in pure epsilon": lambda table, out: understudy.release(
        table, SCHEMAS["discovered"], epsilon=1, delta=0, recipe="independent", out=out
    ),
}


def released(table: Path, out: Path, content: bytes | None = None, **more: object) -> object:
    """A release of the table, or of other bytes in its file."""
    if content is not None:
        table.write_bytes(content)
    return understudy.release(table, SCHEMAS["declared"], recipe="independent", out=out, **SPEND, **more)


def spoilt(table: Path, out: Path, row: str) -> object:
    """A release of the table with one row more."""
    return released(table, out, f"{table.read_text()}{row}\n".encode())


def spent(out: Path) -> Path:
    """A ledger with next to nothing in it."""
    schema = SCHEMAS["declared"]
    path = out.with_name("ledger")
    understudy.Ledger.create(path, epsilon="1e-9", delta=0, relation=schema.relation, unit="patient", population="p")
    return path


@pytest.mark.parametrize("fault", REFUSED.values(), ids=list(REFUSED))
def test_no_refusal_names_the_one_person(fault: Callable[[Path, Path], object], private: Path, tmp_path: Path) -> None:
    out = tmp_path / "made" / "out"
    out.parent.mkdir()
    with pytest.raises(Refusal) as refused:
        fault(private, out)
    text = "".join(traceback.format_exception(refused.value)) + repr(refused.value)
    assert hits({"refusal": text.encode()} | files(out.parent)) == []
    assert not out.exists()


def test_the_search_finds_a_word_that_was_declared(private: Path, tmp_path: Path) -> None:
    """Its power: with the person's word and number in the schema, the rows, the model and the schema are full of them."""
    town = {"kind": "categorical", "values": [WORD, "Bern"]}
    income = {"kind": "integer", "min": NUMBER, "max": NUMBER}
    born = {"kind": "date", "min": DAY, "max": DAY}
    for name, column in {"town": town, "income": income, "born": born}.items():
        schema = from_dict({"table": TABLE, "columns": COMMON | DECLARED | {name: column}})
        found = set(hits(artefacts(private, schema, "independent", tmp_path / name, **SPEND)))
        rows = {"out/synthetic.parquet, decoded", "csv/synthetic.csv", "more rows"}
        assert found >= rows | {"out/schema.toml"}, name


def test_the_search_finds_bounds_that_one_person_stretched(private: Path, tmp_path: Path) -> None:
    """Its power: without noise, discovery does reach for the person."""
    artefacts(private, SCHEMAS["discovered"], "independent", tmp_path / "loud", epsilon=10**9, delta="1e-6")
    assert stretched(tmp_path / "loud" / "out") == ["income", "dose", "born"]
