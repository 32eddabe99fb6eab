"""A first schema from a file: its names, proposed kinds, and a TODO wherever a private value would be needed.

Law.  No cell of the table appears in the draft, unless the owner declares its column public. The proposed kinds come
from a private look (``look.kinds_of``) and the draft says so. A draft is not a schema yet: as long as a TODO is left in
it, reading it is refused with the column and the remedy.

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     _ = (table := Path(folder) / "survey.csv").write_text("age,sex\\n41,f\\n")
...     print(draft(table, public=("sex",)).partition("[columns.")[2])
"age"]
kind = "integer"
missing = [""]
# TODO: give public min and max, or set discover = true
#       (discovery takes a tenth of the release's budget, for all such columns together; see `understudy plan`)
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
from understudy.schema.look import (
    ARROW,
    PARQUET,
    TEXT,
    Proposal,
    delimiter_of,
    kinds_of,
    text_proposal,
    typed,
    values_of,
)
from understudy.schema.parse import plain_text
from understudy.schema.write import literal, quoted

HEAD = """\
# A draft, not yet a schema. Do every TODO, then delete this notice.
# The names are the header's: check that they are names, and not a row of the table.
# The kinds are proposals that LOOKED AT THE TABLE: confirm each from public knowledge (a codebook, a form, the law)
# before this file is shared, or write the kind that you know to be right.
# Then `understudy schema check DATA --schema THIS` names, to you alone, what in the table does not fit.
# Every column is drafted with missing = [""]: add the codes that mean missing, or drop the line if none can be.

"""
PRICE = """set discover = true
#       (discovery takes a tenth of the release's budget, for all such columns together; see `understudy plan`)"""
DRAWN_FROM = sorted(TEXT | PARQUET | ARROW)
KEY = re.compile(r"(?i:(^|[_\W])(id|uuid|guid|key|identifier)$)|[a-z0-9]I[Dd]$")  # patient_id, patientId; not "paid"


def draft(path: str | Path, *, public: tuple[str, ...] = ()) -> str:
    """The text of a draft schema for a CSV, Parquet or Arrow file."""
    path = Path(path)
    if path.suffix.lower() not in DRAWN_FROM:
        raise Misuse(
            f"'{path.name}' is no kind of file that a draft is made from",
            f"it ends in {', '.join(DRAWN_FROM)}; write the rows of a query to one of them first",
        )
    kinds = kinds_of(path)
    for name in public:
        if name not in kinds:
            raise Misuse(f"--public names '{name}', which is not a column of the table", "check the header")
    blocks = ["\n".join(table_lines(path, kinds))]
    if not typed(path):
        blocks.append(f"[csv]\ndelimiter = {quoted(delimiter_of(path))}")
    for name, proposal in kinds.items():
        if proposal.kind != "nested":
            values = values_of(path, name) if name in public else None
            blocks.append("\n".join([f"[columns.{quoted(name)}]", *column_lines(name, proposal, values)]))
    return HEAD + "\n\n".join(blocks) + "\n"


def is_key(name: str) -> bool:
    """Whether a column is an identifier, judged by its name alone."""
    return KEY.search(name) is not None


def table_lines(path: Path, kinds: dict[str, Proposal]) -> Iterator[str]:
    """The [table] section: whom privacy protects is the owner's to say, so 0 rows stand there until it is said."""
    yield f"[table]\nname = {quoted(path.stem)}"
    yield "# TODO: name whom privacy protects, the column that holds them, and the most rows that each may have"
    yield 'unit = "row"\nrows_per_unit = 0'
    keys = list(filter(is_key, kinds))
    yield from (f"# unit_column = {quoted(name)}" for name in keys)
    if keys:
        yield '# unit_missing = ["NA"]  # keys that stand for nobody; an empty one always does'
    nested = [name for name, proposal in kinds.items() if proposal.kind == "nested"]
    if nested:
        yield f"ignore = {literal(nested)}  # nested columns cannot be modelled"


def column_lines(name: str, proposal: Proposal, values: set[Any] | None) -> Iterator[str]:
    """The section of one column; ``values`` only where the owner declared it public."""
    if is_key(name):
        yield 'kind = "identifier"  # by its name; never modelled, made anew'
        return
    if values and not proposal.typed:
        proposal = text_proposal(values)
    kind = proposal.kind
    yield f'kind = "{kind}"\nmissing = [""]'
    if proposal.format is not None:
        yield f"format = {quoted(proposal.format)}  # as the first rows have it: confirm which is the day"
    if proposal.timezone is not None:
        yield f"timezone = {quoted(proposal.timezone)}"
    if kind == "boolean" and proposal.typed:
        return
    if proposal.decimals is not None and not values:
        yield f"decimals = {proposal.decimals}  # as the first rows have it"
    if values:
        yield "# the owner declared this column public: what follows was copied from the table"
        yield from copied(proposal, values)
    elif kind == "categorical":
        yield f'# TODO: list its public values, as in values = ["a", "b"], or {PRICE}'
        yield '#       or, if it names each row or person, write kind = "identifier" and nothing else'
        yield "#       or, if it is free text, delete this section and write its name in ignore = [...] in [table]"
    elif kind == "boolean":
        yield '# TODO: give the texts for true and for false, as in true = ["yes", "1"]\ntrue = []\nfalse = []'
    else:
        yield f"# TODO: give public min and max, or {PRICE}"


def copied(proposal: Proposal, values: set[Any]) -> Iterator[str]:
    """The bounds or the list of a public column."""
    kind = proposal.kind
    if proposal.format is not None:
        values = {datetime.strptime(value, proposal.format).date() for value in values}
    texts = sorted({plain_text(value) for value in values})
    if kind == "categorical":
        yield f"values = {literal(texts)}"
    elif kind == "boolean":
        true = [text for text in texts if text.lower() in ("true", "yes", "y")]
        yield f"true = {literal(true)}\nfalse = {literal([text for text in texts if text not in true])}"
    elif kind in ("integer", "real"):
        numbers = [Decimal(text) for text in texts]
        if kind == "real":
            yield f"decimals = {max(0, *(-int(number.as_tuple().exponent) for number in numbers))}"
        yield f"min = {min(numbers)}\nmax = {max(numbers)}"
    else:
        yield f"min = {quoted(texts[0])}\nmax = {quoted(texts[-1])}"
