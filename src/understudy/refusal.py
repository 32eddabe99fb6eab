"""Refusals: everything understudy says no to, with the exit code a pipeline sees.

    Refusal                      1   never raised itself
    |- Misuse                    2   the call's words are off: an unknown recipe, a missing option
    |- BudgetRefused             3   the ledger, or the budget of this release, would be overspent
    |- SchemaRefused             4   the schema is not well formed, or the table does not have its columns
    |- StorageRefused            5   disk full, a read-only folder, a file that is already there
    |- Infeasible                6   the plan needs more cells, memory or budget than there is
    |- SourceRefused             7   the private file cannot be read as the schema declares it
    |- Tampered                  8   a digest, a chain or a total does not hold
    `- AuditFailed               9   the audit found a violation

The text of a refusal names the rule and the remedy. It is the same for every private table: it may quote the schema,
the command and the tape, and never a row, a count or a line number of the private file.

>>> BudgetRefused("the ledger has 1/2 left and the release asks for 1", "lower --epsilon to 0.5").code
3
"""


class Refusal(Exception):
    """A rule said no. ``str(refusal)`` is the rule, then the remedy.

    >>> print(Misuse("no recipe is called 'gan'", "run `understudy recipes`"))
    no recipe is called 'gan'; run `understudy recipes`
    """

    code = 1

    def __init__(self, rule: str, remedy: str):
        super().__init__(f"{rule}; {remedy}")
        self.rule = rule
        self.remedy = remedy


class Misuse(Refusal):
    """The call's words are off."""

    code = 2


class BudgetRefused(Refusal):
    """More privacy was asked for than is left."""

    code = 3


class SchemaRefused(Refusal):
    """The schema is not well formed, or the table does not have its columns."""

    code = 4


class StorageRefused(Refusal):
    """The disk or the folder said no."""

    code = 5


class Infeasible(Refusal):
    """The plan needs more than there is."""

    code = 6


class SourceRefused(Refusal):
    """The private file cannot be read as declared."""

    code = 7


class Tampered(Refusal):
    """A digest, a chain or a total does not hold."""

    code = 8


class AuditFailed(Refusal):
    """The audit found a violation."""

    code = 9
