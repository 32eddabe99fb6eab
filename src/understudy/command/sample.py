"""understudy sample: more rows from a bundle's model, at no cost to privacy."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from understudy.command.options import Bundle, Json, Quiet
from understudy.command.voice import Voice, visible
from understudy.refusal import Misuse

if TYPE_CHECKING:
    from understudy.publish.release import Release

Count = Annotated[int, typer.Option("--rows", metavar="N", help="How many rows.")]
Draw = Annotated[
    int, typer.Option(metavar="K", help="Which batch: the same number gives the same rows. 0 was released.")
]
Out = Annotated[
    Path | None, typer.Option(metavar="FILE", help="A .parquet or .csv file to write; without it, CSV to stdout.")
]

Given = Annotated[
    list[str] | None,
    typer.Option(metavar="COLUMN=VALUE", help="Only rows with this value, as the schema writes it; may be repeated."),
]


def sample(
    bundle: Bundle,
    rows: Count,
    draw: Draw = 1,
    given: Given = None,
    out: Out = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Draw more synthetic rows from a bundle, at no cost. The certificate speaks of the released rows only."""
    import understudy
    from understudy.publish.storage import write_new

    voice = Voice(json, quiet)
    form = form_of(out)
    with voice.telling() as tell:
        tell("reading the bundle")
        made = understudy.read_bundle(bundle)
        tell(f"drawing {rows:,} rows")
        drawn = made.sample(rows, draw, given_values(given or []))
    if out is not None:
        write_new(out, content(made, drawn, form))
        voice.say(visible(f"{rows:,} rows of draw {draw} lie in {out}"))
        if json:
            voice.give({"rows": rows, "draw": draw, "out": str(out)})
    elif json:
        plain = [{name: plain_value(value) for name, value in row.items()} for row in drawn.to_pylist()]
        voice.give({"draw": draw, "rows": plain})
    else:
        voice.raw(content(made, drawn, form))


def given_values(words: list[str]) -> dict[str, str]:
    """Columns and values from words like sex=f."""
    if not all("=" in word for word in words):
        raise Misuse("what is given is written COLUMN=VALUE", "write it like --given sex=f")
    values = {name: value for name, _, value in (word.partition("=") for word in words)}
    if len(values) < len(words):
        raise Misuse("a column is given twice", "give each column one value")
    return values


def form_of(out: Path | None) -> str:
    """The format that a file's name asks for."""
    forms = {".parquet": "parquet", ".csv": "csv"}
    suffix = ".csv" if out is None else out.suffix.lower()
    if suffix not in forms:
        raise Misuse("a sample is written as Parquet or CSV", "let --out end in .parquet or .csv")
    return forms[suffix]


def content(made: "Release", drawn: Any, form: str) -> bytes:
    """The rows as a file's bytes."""
    from dataclasses import replace

    from understudy.publish.bundle import table_bytes

    return table_bytes(replace(made, table=drawn), form)


def plain_value(value: Any) -> Any:
    """A value as JSON has it: dates and moments in ISO 8601."""
    return value.isoformat() if hasattr(value, "isoformat") else value
