"""The words that verbs share: one meaning each, said once."""

from pathlib import Path
from typing import Annotated, Literal

import typer

Form = Literal["parquet", "csv", "csv-exact", "npz", "png"]


def names_of_recipes(incomplete: str) -> list[str]:
    """What the shell offers after --recipe."""
    import understudy

    return [name for name in understudy.recipes() if name.startswith(incomplete)]


Data = Annotated[
    str,
    typer.Argument(metavar="DATA", help="The private table: a .csv, .parquet or .arrow file, or FILE.duckdb::TABLE."),
]
SchemaFile = Annotated[
    Path, typer.Option("--schema", metavar="S.toml", help="The schema: all that is public about the table.")
]
Epsilon = Annotated[
    str,
    typer.Option(
        metavar="E", help="The most that all looks together may reveal about one person: 0.5, 1, 1/3. No default."
    ),
]
Delta = Annotated[
    str,
    typer.Option(
        metavar="D", help="The chance that epsilon fails to hold: far below 1/rows, or 0 for pure privacy. No default."
    ),
]
RecipeName = Annotated[
    str,
    typer.Option(
        "--recipe", metavar="NAME", help="How the stand-in is made: see `recipes`.", autocompletion=names_of_recipes
    ),
]
WorkloadWords = Annotated[
    str,
    typer.Option(
        "--workload",
        metavar="2way|3way|FILE",
        help="The marginals that must come out well and that the certificate is about: all pairs (2way), all triples "
        "(3way), 1way to 5way, those that touch a column (3way:income), or a JSON file with lists of column names, "
        "or with marginals and ranges, prefixes, conjunctions and thresholds.",
    ),
]
Rows = Annotated[
    int | None,
    typer.Option("--rows", metavar="N", help="How many synthetic rows; if absent, as many as are estimated."),
]
LedgerFile = Annotated[Path, typer.Argument(metavar="LEDGER", help="The ledger file.")]
Bundle = Annotated[Path, typer.Argument(metavar="BUNDLE", help="The folder that a release wrote.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON document on stdout, and nothing else there.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No remarks and no progress on stderr; refusals only.")]
