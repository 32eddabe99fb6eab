"""A rehearsal of a release on stand-in data: what it asks, what it makes, and whether that is a function of the tape.

The stand-in is public (the synthetic rows of the very bundle, or rows drawn for the schema), so the audit reads no private
row and costs nothing. The whole road is walked once; then it is walked again along the same tape over other tables, an
empty one among them. Whatever differs has come past the gate.
"""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from understudy.noise.entropy import Seeded
from understudy.privacy.ledger import Ledger
from understudy.publish.bundle import contents
from understudy.publish.plan import Plan
from understudy.publish.release import Release
from understudy.publish.run import begin, walk
from understudy.question.question import Question
from understudy.schema.schema import Schema
from understudy.vault.gate import Gate
from understudy.vault.stored import Stored
from understudy.vault.tape import Answer
from understudy.vault.vault import Vault


@dataclass(frozen=True)
class Asked:
    """A question, the schema by which the rows were read when it was asked, and the answer."""

    question: Question
    schema: Schema
    answer: Answer


class Listening(Gate):
    """A gate that writes down what it is asked."""

    asked: list[Asked]

    def ask(self, question: Question) -> Answer:
        schema = self._vault.schema
        answer = super().ask(question)
        heard = answer.read() if isinstance(answer, Stored) else answer  # what is kept on disk goes with the rehearsal
        self.asked.append(Asked(question, schema, heard))
        return answer


class Silent(Seeded):
    """The test twin with nothing left to draw."""

    def __init__(self) -> None:
        pass

    @property
    def generator(self) -> object:  # type: ignore[override]
        raise AssertionError("the replay draws noise")


@dataclass(frozen=True)
class Rehearsal:
    """What a run asked, and how its replays over other tables differ from it."""

    asked: tuple[Asked, ...]
    release: Release
    differences: tuple[str, ...]


def rehearsal(plan: Plan, table: pa.Table, others: Sequence[pa.Table], seed: int) -> Rehearsal:
    """Walk the road over the stand-in, then along its tape over the other tables."""
    with tempfile.TemporaryDirectory(prefix="understudy-audit-") as folder:
        entropy = Seeded(seed)
        ledger, tape = begin(plan, entropy, None, Path(folder), None)
        gate = Listening(Vault.over(table, plan.schema), ledger, tape, plan.budget, entropy)
        gate.asked = []
        made = walk(plan, gate, lambda words: None)
        differences = [words for other in others for words in replayed(plan, ledger, made, other)]
    return Rehearsal(tuple(gate.asked), made, tuple(differences))


def replayed(plan: Plan, ledger: Ledger, made: Release, table: pa.Table) -> list[str]:
    """What a walk along the same tape over another table makes differently."""
    try:
        gate = Gate(Vault.over(table, plan.schema), ledger, made.tape.copy(), plan.budget, Silent())
        again = walk(plan, gate, lambda words: None)
    except Exception as stopped:  # whatever stops it has depended on the rows
        return [f"over {table.num_rows:,} other rows it stops: {type(stopped).__name__}"]
    first, second = (contents(release, "parquet") for release in (made, again))
    different = [name for name in first if first[name] != second.get(name)]
    different += ["certificate.json"] * (made.certificate != again.certificate)
    return [f"over {table.num_rows:,} other rows {name} differs" for name in different]
