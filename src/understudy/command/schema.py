"""understudy schema: draft one, check a table against it, show what it says."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from understudy.command.options import Data, Json, Quiet, SchemaFile
from understudy.command.voice import Voice, table, visible, warn
from understudy.refusal import Refusal, SourceRefused

if TYPE_CHECKING:
    from understudy.schema.schema import Schema

app = typer.Typer(help="Draft a schema, check a table against it, or show what it says.")

Drafted = Annotated[Path, typer.Argument(metavar="DATA", help="The private table: a .csv, .parquet or .arrow file.")]
Public = Annotated[
    list[str] | None,
    typer.Option(metavar="COL", help="A column whose values are public and may be copied. Can be repeated."),
]


@app.command()
def draft(data: Drafted, public: Public = None, json: Json = False, quiet: Quiet = False) -> None:
    """Write a first schema to stdout: names, proposed kinds, and a TODO wherever a private value would be needed.

    No cell is copied, except from columns that you declare public.
    """
    import understudy

    voice = Voice(json, quiet)
    with voice.telling() as tell:
        tell("reading the header and the first rows")
        text = understudy.draft(data, public=tuple(public or ()))
    todos = text.count("# TODO")
    if json:
        voice.give({"toml": text, "todos": todos})
    else:
        voice.raw(text.encode())
    voice.say(
        f"a draft with {todos} TODOs; the proposed kinds come from a look at the table: confirm each before sharing. "
        "Next: do the TODOs, then `understudy schema check DATA --schema FILE`"
    )


@app.command()
def check(data: Data, schema: SchemaFile, json: Json = False, quiet: Quiet = False) -> None:
    """INTERNAL, for the owner only: what keeps the private table from being read, and what is read as something else.

    It names lines and counts rows of the private file, so its output is never published. Exits with 7 if the table cannot be
    read; values that the schema does not know stop nothing, and are told.
    """
    import understudy

    voice = Voice(json, quiet)
    read = understudy.read_schema(schema)
    with voice.telling() as tell:
        tell("reading the private table")
        found = complaints_of(data, read)
        tell("comparing its values with the schema")
        otherwise = [] if found else misread_of(data, read)
    warn("INTERNAL: this is about the private table; do not publish it")
    words = [visible(line) for line in (*found, *otherwise)] or ["nothing to complain about"]
    voice.give({"internal": True, "complaints": found, "read_otherwise": otherwise}, *words)
    if found:
        raise typer.Exit(SourceRefused.code)


def misread_of(data: str, schema: "Schema") -> list[str]:
    """What is read as something else than it is."""
    from understudy.source.misread import misread

    return misread(data, schema)


def complaints_of(data: str, schema: "Schema") -> list[str]:
    """The complaints of a CSV line by line; of other sources the one refusal, if any."""
    from understudy.source import complaint, source
    from understudy.source.opened import opened

    if "::" not in data and Path(data).suffix.lower() in (".csv", ".txt"):
        with opened(Path(data)):
            return complaint.complaints(data, schema)
    try:
        source.read(data, schema)
    except Refusal as refusal:
        return [str(refusal)]
    return []


@app.command()
def show(schema: SchemaFile, json: Json = False, quiet: Quiet = False) -> None:
    """Show what a schema says: whom it protects, its columns, their kinds and cells, what is still to be discovered."""
    import understudy
    from understudy.schema.column import Identifier, Pending
    from understudy.schema.write import column_words

    said = understudy.read_schema(schema)
    columns = []
    for column in said.columns:
        settled = not isinstance(column, Identifier | Pending)
        columns.append(
            {
                "column": column.name,
                "kind": column_words(column)["kind"],
                "cells": column.size if settled else None,
                "missing": column.nullable,
                "domain": "public" if settled else "to be discovered" if isinstance(column, Pending) else "made anew",
            }
        )
    document = {
        "table": said.name,
        "unit": said.unit.noun,
        "rows_per_unit": said.unit.rows,
        "protects": said.relation.words(said.unit.noun),
        "rows": said.n,
        "columns": columns,
        "ignored": list(said.ignored),
    }
    Voice(json, quiet).give(document, *lines(document))


def lines(document: dict[str, Any]) -> list[str]:
    """A schema for people."""
    shown = [
        [
            column["column"],
            column["kind"],
            "-" if column["cells"] is None else f"{column['cells']:,}",
            "yes" if column["missing"] else "",
            column["domain"],
        ]
        for column in document["columns"]
    ]
    unit, most = document["unit"], document["rows_per_unit"]
    return [
        visible(f"table '{document['table']}'"),
        visible(f"protects: every {unit}" + ("" if unit == "row" else f", with up to {most:,} of its rows")),
        visible(f"neighbours: {document['protects']}"),
        "number of rows: " + ("private" if document["rows"] is None else f"{document['rows']:,}, public"),
        "",
        table(["column", "kind", "cells", "can be missing", "domain"], shown, right=["cells"]),
        *([visible(f"ignored: {', '.join(document['ignored'])}")] if document["ignored"] else []),
    ]
