"""The header against the schema: which columns are taken, in which order.

Law.  The answer and every refusal depend on the header alone; no row has been looked at yet. What a header says may still
be private: a file without one begins with a row, and a query can make names out of cells (PIVOT). So a refusal names what
the schema declares, never a word of the table; ``undeclared`` is for its owner.

>>> from understudy.schema.column import Boolean, Identifier
>>> from understudy.schema.schema import Schema, Unit
>>> survey = Schema("survey", Unit("person", "id"), (Identifier("id"), Boolean("smokes")), ignored=("note",))
>>> taken(["note", "smokes", "id"], survey)
('smokes', 'id')
>>> taken(["42", "no"], survey)
Traceback (most recent call last):
understudy.refusal.SchemaRefused: the table has no column 'id', 'smokes'; correct its header, the schema, or the ...
"""

from collections.abc import Iterable, Sequence

from understudy.refusal import SchemaRefused
from understudy.schema.schema import Schema

SHOWN = 5  # how many names a refusal lists
SHOWS_THEM = "`understudy schema check` names those of a CSV to its owner"


def taken(names: Sequence[str], schema: Schema) -> tuple[str, ...]:
    """The names to read: what is modelled, in the schema's order, then the unit column if it is not among them."""
    unit = schema.unit.column
    declared = [field.name for field in schema.fields]
    present = set(names)
    absent = [name for name in dict.fromkeys([*declared, *([unit] if unit else [])]) if name not in present]
    if absent:
        raise SchemaRefused(
            f"the table has no column {listed(absent)}", "correct its header, the schema, or the delimiter"
        )
    if "" in present:
        raise SchemaRefused("a column of the table has no name", "give it one in the header")
    if len(present) < len(names):
        raise SchemaRefused("the table has two columns of one name", f"give each its own; {SHOWS_THEM}")
    if undeclared(names, schema):
        remedy = f"declare them, or list them under ignore in [table]; {SHOWS_THEM}"
        raise SchemaRefused("the table has columns that the schema does not declare", remedy)
    modelled = [name for column in schema.modelled for name in column.sources]
    return tuple(modelled if unit is None or unit in modelled else [*modelled, unit])


def undeclared(names: Sequence[str], schema: Schema) -> list[str]:
    """The columns of the table that the schema knows nothing of, and those that are there twice: for the owner's eyes."""
    known = {*(field.name for field in schema.fields), *schema.ignored}
    return [name for place, name in enumerate(names) if name not in known or name in names[:place]]


def listed(names: Iterable[str]) -> str:
    """Names in quotes, the first few of them."""
    quoted = [f"'{name}'" for name in names]
    more = f" and {len(quoted) - SHOWN} more" if len(quoted) > SHOWN else ""
    return ", ".join(quoted[:SHOWN]) + more
