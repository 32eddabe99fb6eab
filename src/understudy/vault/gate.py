"""The gate: the only door to the private rows.

Order of one ``ask``, which is the whole of the privacy argument:

    1  price      charge = price(mechanism, sensitivity)     from the public question alone; refused if it cannot be drawn
    2  replay     if the tape has this step already, its answer is the answer: nothing is drawn twice
    3  charge     durably, in the ledger; refused if the reservation would be exceeded
    4  look       the exact statistic, inside the vault
    5  draw       the noise
    6  record     durably, on the tape; then the ledger notes that the step is answered
    7  answer     only now may anybody use it

Privacy.  Each question is a function of public state and earlier answers, so the transcript is an adaptive composition
whose total the ledger's filter bounds; everything after it is post-processing (proof/gate.md).

A crash between 3 and 6 costs the charge and shows nothing: the step is drawn again under the same charge, because
nobody can have used an answer that was not recorded. A step that was answered and is not on the tape means that the
tape is lost: its answer may have been seen, so the run is refused.
"""

from dataclasses import replace

import numpy as np

from understudy.noise.draw import draw, refuse_undrawable
from understudy.noise.entropy import Entropy
from understudy.privacy.accountant import Budget
from understudy.privacy.charge import Charge, Measure, price
from understudy.privacy.ledger import Ledger
from understudy.question.question import Question
from understudy.question.spec import MECHANISMS, QUESTIONS
from understudy.refusal import BudgetRefused, Misuse, Tampered
from understudy.schema.schema import Schema
from understudy.vault.tape import Answer, Entry, Tape, canonical, chain, plain
from understudy.vault.vault import Vault


class Gate:
    """A vault, a ledger that is charged, and a tape that is written, for one release."""

    def __init__(self, vault: Vault, ledger: Ledger, tape: Tape, budget: Budget, entropy: Entropy):
        if budget.relation is not vault.schema.relation:
            raise BudgetRefused("the budget's relation is not the schema's", "use one relation for both")
        self.tape = tape
        self.budget = budget
        self._vault = vault
        self._ledger = ledger
        self._entropy = entropy
        self._release = str(tape.header["release"])
        self._recorded = tape.rewind()
        self._refuse_lost_tape()

    @property
    def measure(self) -> Measure:
        """What charges are counted in."""
        return self.budget.measure

    def price(self, question: Question) -> Charge:
        """What a question costs, from public facts alone."""
        schema = self._vault.schema
        sensitivity = question.sensitivity(schema.unit.rows, schema.relation)
        return price(question.mechanism, sensitivity, schema.relation, self.measure)

    def ask(self, question: Question) -> Answer:
        """Charge, look, add noise, record, answer."""
        if QUESTIONS.get(question.kind) is not type(question):
            raise Misuse(f"'{question.kind}' is not a question that the gate knows", "ask one of understudy.question")
        if type(question.mechanism) not in MECHANISMS:
            raise Misuse("the gate does not know this mechanism", "take one of understudy.question.mechanism")
        charge, spec, step = self.price(question), question.spec(), len(self.tape)
        refuse_undrawable(question.mechanism)
        if step < len(self._recorded):
            entry = recorded(self._recorded[step], spec, charge)
            self._ledger.charge(self._release, step, question.digest, charge)
            self.tape.retell(entry)
        else:
            self._ledger.charge(self._release, step, question.digest, charge)
            answer = draw_answer(question, self._vault, self._entropy)
            if question.long:
                assert isinstance(answer, np.ndarray)
                answer = self.tape.keep(answer)
            entry = self.tape.append(spec, charge.to_json(), answer)
        self._ledger.answered(self._release, step, chain("", plain(entry.answer)))
        return entry.answer

    def settle(self, schema: Schema) -> None:
        """From now on the rows are read by this schema, which discovery settled; nothing else in it may change."""
        before = self._vault.schema
        open_ones = {column.name for column in before.pending}
        if any(
            old != new and old.name not in open_ones for old, new in zip(before.columns, schema.columns, strict=True)
        ):
            raise Misuse("a column that is settled does not change", "settle what is pending only")
        if replace(schema, columns=before.columns) != before:
            raise Misuse("the unit, the relation and the terms of a schema do not change", "settle columns only")
        self._vault.settle(schema)

    def _refuse_lost_tape(self) -> None:
        answered = [step for step in self._ledger.progress(self._release) if step.answer is not None]
        if len(answered) > len(self._recorded):
            raise BudgetRefused(
                f"release {self._release} has answers that are not on this tape; they may have been seen",
                "put its tape back, or start a release of another id, which is charged anew",
            )


def draw_answer(question: Question, vault: Vault, entropy: Entropy) -> Answer:
    """Look and add noise; the exact statistic lives in this frame only."""
    exact = vault._look(question, entropy)
    if isinstance(exact, dict):
        texts = sorted(exact)
        kept = draw(question.mechanism, np.array([exact[text] for text in texts], dtype=np.int64), entropy)
        assert isinstance(kept, tuple), "an open list is shown through a threshold only"
        return {texts[i]: int(count) for i, count in zip(*kept, strict=True)}
    drawn = draw(question.mechanism, exact, entropy)
    assert not isinstance(drawn, tuple), "a threshold is for open lists only"
    return drawn


def recorded(entry: Entry, spec: dict[str, object], charge: Charge) -> Entry:
    """The tape's entry for this step, which must be this question at this price."""
    if canonical(entry.question) != canonical(spec) or entry.charge != charge.to_json():
        raise Tampered("the tape holds another run than this one", "use the schema, recipe and budget it was made with")
    return entry
