"""A DuckDB database: ``FILE.duckdb::TABLE`` or ``FILE.duckdb::QUERY``, opened read-only.

Law.  The query must keep the units apart: each unit's rows, and their order, made from that unit's rows alone. A plain
SELECT ... WHERE does; LIMIT, samples, joins with other people's rows and sums over them do not, and no schema can mend
what they mix.

The connection reads that one file: no other file, no extension, no network.
"""

from pathlib import Path

import pyarrow as pa

from understudy.refusal import Misuse, SourceRefused
from understudy.schema.schema import Schema
from understudy.source import columns
from understudy.source.opened import opened
from understudy.source.sound import sound

SEALED: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": False,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "python_enable_replacements": False,  # else a name that is no table may be found among Python's variables
}


def table(words: str, schema: Schema) -> pa.Table:
    """The columns that the schema takes."""
    try:
        import duckdb
    except ImportError:
        raise Misuse("reading a database needs duckdb", "pip install 'understudy[sql]'") from None
    file, _, wanted = words.partition("::")
    try:
        with opened(Path(file)), duckdb.connect(file, read_only=True, config=SEALED) as base:
            relation = base.sql(wanted if len(wanted.split()) > 1 else f"FROM {wanted}")
            if relation is None:
                raise Misuse("what follows :: does not give rows", "name a table, or write a SELECT")
            taken = list(columns.taken(relation.columns, schema))
            return sound(pa.table(relation).select(taken))
    except (duckdb.Error, pa.ArrowException, UnicodeError):
        raise SourceRefused("the database does not answer the query", "try it with duckdb itself") from None
