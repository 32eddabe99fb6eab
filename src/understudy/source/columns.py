"""The header against the schema: which columns are taken, in which order.

Law.  The answer and every refusal depend on the header alone, which is public; no row has been looked at yet. A file
without a header begins with a private row: so as long as a declared column is missing, only the schema's words are
named, and words of the file only once every declared column has been found.

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


def taken(names: Sequence[str], schema: Schema) -> tuple[str, ...]:
    """The names to read: what is modelled, in the schema's order, then the unit column if it is not among them."""
    unit = schema.unit.column
    declared = [column.name for column in schema.columns]
    present = set(names)
    absent = [name for name in dict.fromkeys([*declared, *([unit] if unit else [])]) if name not in present]
    if absent:
        raise SchemaRefused(
            f"the table has no column {listed(absent)}", "correct its header, the schema, or the delimiter"
        )
    if "" in present:
        raise SchemaRefused("a column of the table has no name", "give it one in the header")
    twice = {name for name in names if names.count(name) > 1} if len(present) < len(names) else set()
    if twice:
        raise SchemaRefused(f"the table has more than one column {listed(sorted(twice))}", "give each its own name")
    unknown = [name for name in names if name not in declared and name not in schema.ignored]
    if unknown:
        remedy = "declare it, or list it under ignore in [table]"
        raise SchemaRefused(f"the schema does not declare the column {listed(unknown)}", remedy)
    modelled = [column.name for column in schema.modelled]
    return tuple(modelled if unit is None or unit in modelled else [*modelled, unit])


def listed(names: Iterable[str]) -> str:
    """Names in quotes, the first few of them."""
    quoted = [f"'{name}'" for name in names]
    more = f" and {len(quoted) - SHOWN} more" if len(quoted) > SHOWN else ""
    return ", ".join(quoted[:SHOWN]) + more
