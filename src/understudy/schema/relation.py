"""The neighbouring relation: which two tables must look alike.

Math.  S ~ S' when one privacy unit (all rows of one person) is added or removed (``ADD_REMOVE``), or when one unit's
rows are exchanged for another unit's (``REPLACE_ONE``). The two give different sensitivities and are never mixed: a
charge, a ledger and a schema each carry one of them, and combining two is a type error.

>>> Relation("add-remove")
<Relation.ADD_REMOVE: 'add-remove'>
>>> print(Relation.REPLACE_ONE.words("patient"))
the rows of one patient are exchanged for the rows of another
"""

from enum import Enum


class Relation(Enum):
    """Which tables are neighbours."""

    ADD_REMOVE = "add-remove"
    REPLACE_ONE = "replace-one"

    def words(self, unit: str) -> str:
        """The relation as a sentence about the privacy unit."""
        if unit == "row":
            return "one row is added or removed" if self is Relation.ADD_REMOVE else "one row is exchanged for another"
        if self is Relation.ADD_REMOVE:
            return f"all rows of one {unit} are added or removed"
        return f"the rows of one {unit} are exchanged for the rows of another"
