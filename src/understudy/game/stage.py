"""Stages: what a run tells of itself while it lasts. A stage is its words, and how far the run has come.

Law.  What is told is a function of the tape, as the release is: the clock is the listener's (command/voice.py).

>>> stage = Stage("asking: gradient_step, 4 of 10", 3, 10)
>>> stage == "asking: gradient_step, 4 of 10", stage.share
(True, 0.3)
"""


class Stage(str):
    """Words, with what is done and what is due of it; both 0 where that is not known."""

    done: int
    due: int

    def __new__(cls, words: str, done: int = 0, due: int = 0) -> "Stage":
        made = super().__new__(cls, words)
        made.done, made.due = done, due
        return made

    @property
    def share(self) -> float:
        """What is done of what is due."""
        return self.done / self.due if self.due else 0.0
