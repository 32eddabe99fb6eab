"""A first schema from a file: its names, proposed kinds, and a TODO wherever a private value would be needed.

Law.  No cell of the table appears in the draft, unless the owner declares its column public. The proposed kinds come
from a private look (``look.kinds_of``) and the draft says so. A draft with a TODO left in it is not a schema yet: reading
it is refused with the column and the remedy.

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     _ = (table := Path(folder) / "survey.csv").write_text("age,sex\\n41,f\\n")
...     print(draft(table, public=("sex",)).partition("[columns.")[2])
"age"]
kind = "integer"
missing = [""]
# TODO: give public min and max, or set discover = true (it takes a share of the release's epsilon; see `understudy plan`)
<BLANKLINE>
[columns."sex"]
kind = "categorical"
missing = [""]
# the owner declared this column public: what follows was copied from the table
values = ["f"]
<BLANKLINE>
"""

import re
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from understudy.refusal import Misuse
from understudy.schema.look import PARQUET, ARROW, cells_of, delimiter_of, kinds_of
from understudy.schema.parse import REAL, plain_text
from understudy.schema.write import literal, quoted

HEAD = """\
# A draft, not yet a schema. Do every TODO, then delete this notice.
# The names are the header's. The kinds are proposals that LOOKED AT THE TABLE: confirm each from public knowledge
# (a codebook, a form, the law) before this file is shared, or set the kind that you know to be right.
# Every column is drafted with missing = [""]: add the codes that mean missing, or drop the line if none can be.
"""
PRICE = "set discover = true (it takes a share of the release's epsilon; see `understudy plan`)"
NAMED_ID = re.compile(r"(^|[_\W])(id|uuid|guid)$|[a-z0-9]ID$|[a-z]Id$|^id[_\W]|^(identifier|key|ssn|mrn)$", re.IGNORECASE)


def draft(path: str | Path, *, public: tuple[str, ...] = ()) -> str:
    """The text of a draft schema for a CSV, Parquet or Arrow file."""
    path = Path(path)
    kinds = kinds_of(path)
    for name in public:
        if name not in kinds:
            raise Misuse(f"--public names '{name}', which is not a column of the table", "check the header")
    blocks = [HEAD + "\n".join(table_lines(path, kinds))]
    if path.suffix not in PARQUET | ARROW:
        blocks.append(f"[csv]\ndelimiter = {quoted(delimiter_of(path))}")
    for name, kind in kinds.items():
        if kind != "nested":
            cells = cells_of(path, name) if name in public else None
            blocks.append("\n".join([f"[columns.{quoted(name)}]", *column_lines(name, kind, cells)]))
    return "\n\n".join(blocks) + "\n"


def is_key(name: str) -> bool:
    """Whether a column is an identifier, judged by its name alone."""
    return NAMED_ID.search(name) is not None


def table_lines(path: Path, kinds: dict[str, str]) -> Iterator[str]:
    """The [table] section: whom privacy protects is the owner's to say."""
    yield f"[table]\nname = {quoted(path.stem)}"
    yield '# TODO: name whom privacy protects ("patient"), the column that holds them, and the most rows that each may have'
    yield 'unit = "row"'
    for name in filter(is_key, kinds):
        yield f"# unit_column = {quoted(name)}\n# rows_per_unit = 1"
    nested = [name for name, kind in kinds.items() if kind == "nested"]
    if nested:
        yield f"ignore = {literal(nested)}  # nested columns cannot be modelled"


def column_lines(name: str, kind: str, cells: list[Any] | None) -> Iterator[str]:
    """The section of one column; ``cells`` only where the owner declared it public."""
    if is_key(name):
        yield 'kind = "identifier"  # by its name; never modelled, made anew'
        return
    kind, _, zone = kind.partition(" ")
    yield f'kind = "{kind}"\nmissing = [""]'
    if zone:
        yield f"timezone = {quoted(zone)}"
    if cells:
        yield "# the owner declared this column public: what follows was copied from the table"
        yield from copied(kind, cells)
    elif kind == "categorical":
        yield f'# TODO: list its public values (values = ["...", "..."]), or {PRICE}'
        yield f"# or move the column to ignore in [table], if it is free text"
    elif kind == "boolean":
        yield '# TODO: give the texts for true and for false, as in true = ["yes", "1"]\ntrue = []\nfalse = []'
    else:
        yield f"# TODO: give public min and max, or {PRICE}"


def copied(kind: str, cells: list[Any]) -> Iterator[str]:
    """The bounds or values of a public column."""
    if kind == "categorical":
        yield f"values = {literal(sorted({plain_text(cell) for cell in cells}))}"
    elif kind == "boolean":
        texts = {plain_text(cell) for cell in cells}
        true = {text for text in texts if text.lower() in ("true", "yes", "y")}
        yield f"true = {literal(sorted(true))}\nfalse = {literal(sorted(texts - true))}"
    elif kind in ("integer", "real"):
        numbers = [Decimal(plain_text(cell)) for cell in cells]
        if kind == "real":
            yield f"decimals = {max(0, *(-int(number.as_tuple().exponent) for number in numbers))}"
        yield f"min = {min(numbers)}\nmax = {max(numbers)}"
    else:
        dates = sorted(plain_text(cell) for cell in cells)
        yield f"min = {quoted(dates[0])}\nmax = {quoted(dates[-1])}"
