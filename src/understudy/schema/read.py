"""The schema as a file: TOML in, TOML out, checked word by word.

    [table]                         [columns.age]                 [columns.diagnosis]
    name = "clinic"                 kind = "integer"              kind = "categorical"
    unit = "patient"                min = 0                       values = ["I10", "E11"]
    unit_column = "patient_id"      max = 110                     other = "another"
    rows_per_unit = 1               step = 5                      missing = ["", "NA"]
    relation = "add-remove"

What holds in every row is declared in [[constraint]] sections (`constraint.py`). The words are published as `schema.json`
(JSON Schema) beside this file. A word that is not known is refused: a misspelt bound must not turn into a default.
"""

import csv
import tomllib
from collections.abc import Callable
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import Any

from understudy.refusal import SchemaRefused
from understudy.schema.column import Column
from understudy.schema.constraint import Constraint, constraint_from
from understudy.schema.kinds import column_from
from understudy.schema.relation import Relation
from understudy.schema.schema import Csv, Schema, Unit
from understudy.schema.words import Table, known, optional_text, section, text, texts, whole

TABLE_WORDS = {"name", "unit", "unit_column", "rows_per_unit", "relation", "rows", "ignore", "label", "unit_missing"}


def read_schema(path: str | Path) -> Schema:
    """Read a schema file."""
    try:
        parsed = tomllib.loads(Path(path).read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise SchemaRefused(f"there is no schema at {path}", "draft one with `understudy schema draft DATA`") from None
    except (ValueError, RecursionError) as wrong:
        raise SchemaRefused(f"{path} is not TOML: {wrong}", "correct that place") from None
    except OSError as wrong:
        raise SchemaRefused(f"{path} cannot be read: {wrong.strerror}", "check the path and its permissions") from None
    return from_dict(with_files(parsed, Path(path).parent))


def with_files(parsed: Table, folder: Path) -> Table:
    """The parsed file with what lies in files beside it, outlines and blocks of nodes, read in their place."""
    columns = parsed.get("columns")
    for name, words in columns.items() if isinstance(columns, dict) else ():
        for word, read in BESIDE.items():
            file = words.get(f"{word}_file") if isinstance(words, dict) and word not in words else None
            if isinstance(file, str):
                try:
                    words[word] = read((folder / file).read_text(encoding="utf-8-sig"))
                    del words[f"{word}_file"]
                except (OSError, ValueError):
                    remedy = f"put the {word} beside the schema, under that name"
                    raise SchemaRefused(f"column '{name}': its {word}_file cannot be read", remedy) from None
    return parsed


def blocks_in(text: str) -> dict[str, list[str]]:
    """The nodes of each block, from lines of NODE,BLOCK below a header."""
    blocks: dict[str, list[str]] = {}
    for node, block in islice(csv.reader(StringIO(text)), 1, None):
        blocks.setdefault(block, []).append(node)
    return blocks


BESIDE: dict[str, Callable[[str], Any]] = {"outline": str, "blocks": blocks_in}


def from_dict(parsed: Table) -> Schema:
    """A schema from the parsed file."""
    known(parsed, {"table", "columns", "csv", "constraint"}, "the schema")
    table = section(parsed, "table")
    known(table, TABLE_WORDS, "[table]")
    dialect = section(parsed, "csv") if "csv" in parsed else {}
    known(dialect, {"delimiter", "encoding", "quote"}, "[csv]")
    columns = columns_from(section(parsed, "columns"))
    unit = Unit(
        text(table, "unit", "row"),
        optional_text(table, "unit_column"),
        whole(table, "rows_per_unit", 1),
        texts(table, "unit_missing") or (),
    )
    try:
        relation = Relation(table.get("relation", "add-remove"))
    except ValueError:
        raise SchemaRefused("relation is 'add-remove' or 'replace-one'", "correct [table] relation") from None
    return Schema(
        name=text(table, "name", "table"),
        unit=unit,
        columns=columns,
        relation=relation,
        n=whole(table, "rows", 0) if "rows" in table else None,
        csv=Csv(text(dialect, "delimiter", ","), text(dialect, "encoding", "utf-8"), text(dialect, "quote", '"')),
        ignored=texts(table, "ignore") or (),
        constraints=constraints_from(parsed.get("constraint", [])),
        label=optional_text(table, "label"),
    )


def columns_from(sections: Table) -> tuple[Column, ...]:
    """Every [columns] section; what is refused of one names the others that are refused too."""
    found: list[Column] = []
    refused: dict[str, SchemaRefused] = {}
    for name, words in sections.items():
        try:
            found.append(column_from(name, words))
        except SchemaRefused as refusal:
            refused[name] = refusal
    if refused:
        first, *others = refused
        more = f" (to be settled too: {', '.join(repr(name) for name in others)})" if others else ""
        raise SchemaRefused(refused[first].rule + more, refused[first].remedy) from None
    return tuple(found)


def constraints_from(sections: Any) -> tuple[Constraint, ...]:
    """The [[constraint]] sections, in their order."""
    if not isinstance(sections, list):
        raise SchemaRefused("constraint is one section, not a list of them", "write it in double brackets")
    found: list[Constraint] = []
    for place, words in enumerate(sections, start=1):
        try:
            found.append(constraint_from(words))
        except SchemaRefused as refusal:
            raise SchemaRefused(f"constraint {place}: {refusal.rule}", refusal.remedy) from None
    return tuple(found)
