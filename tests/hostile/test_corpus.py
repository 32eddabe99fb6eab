"""The hostile corpus: each file is refused in the expected words, or read to exactly the expected codes."""

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from understudy.refusal import Refusal
from understudy.schema.column import Listed
from understudy.schema.encode import codes
from understudy.schema.read import from_dict
from understudy.schema.schema import Schema, Unit
from understudy.source.complaint import complaints
from understudy.source.source import read

MADE = runpy.run_path(str(Path(__file__).with_name("make_corpus.py")))
CASES: dict[str, Any] = MADE["CASES"]
CORPUS: Path = MADE["CORPUS"]


def outcome(path: Path, schema: Schema) -> str | list[tuple[int, ...]]:
    """The words of the refusal, or the codes row by row."""
    try:
        table = read(path, schema)
    except Refusal as refusal:
        return str(refusal)
    columns = [codes(table[column.name], column).tolist() for column in schema.modelled]
    return list(zip(*columns, strict=True))


@pytest.mark.parametrize("name", CASES)
def test_no_file_is_changed_in_silence(name: str) -> None:
    case = CASES[name]
    schema = from_dict(MADE["PEOPLE"] | {"csv": case.csv})
    assert outcome(CORPUS / f"{name}.csv", schema) == case.expected
    assert bool(complaints(CORPUS / f"{name}.csv", schema)) == isinstance(case.expected, str)


def test_the_committed_files_are_the_ones_the_script_makes() -> None:
    assert {path.stem: path.read_bytes() for path in CORPUS.iterdir()} == {
        name: case.data for name, case in CASES.items()
    }


def test_all_that_is_wrong_in_rows_is_said_in_one_sentence() -> None:
    refused = {name: case.expected for name, case in CASES.items() if isinstance(case.expected, str)}
    assert len(CASES) >= 26
    assert sum(words == MADE["MALFORMED"] for words in refused.values()) >= 20


def test_a_column_of_a_million_categories(tmp_path: Path) -> None:
    count = 1_000_000
    path = tmp_path / "many.csv"
    path.write_text("code\n" + "\n".join(f"c{number}" for number in range(count + 1)))
    schema = Schema("many", Unit("row"), (Listed("code", values=tuple(f"c{i}" for i in range(count)), other="else"),))
    found = codes(read(path, schema)["code"], schema.columns[0])
    assert np.array_equal(found, np.arange(count + 1))
