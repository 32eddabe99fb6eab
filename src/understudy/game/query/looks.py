"""Looks: ask a fixed list of questions, each made from the answers to those before it.

    look i:  question_i(tape) at the price of its share of the purse

The price of a look is settled before anything is asked: the noise is scaled to whatever the question turns out to be. So the
script shows each look by a question of the same kind, as long as it can get.

The looks of moments follow one another like this: class sizes; how long rows are; sums by class; how far rows are from their
centre; second moments about it. Each clip is chosen from the histogram before it, each centre from the sums.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from understudy.game.moments import Array, Estimate
from understudy.game.player import Guess, Step
from understudy.privacy.charge import Measure
from understudy.privacy.purse import Purse
from understudy.question.lift import Ball, centre_of
from understudy.question.marginals import Marginals
from understudy.question.mean_features import MeanFeatures
from understudy.question.mechanism import Exact
from understudy.question.moments import ENTRYWISE, FROBENIUS, Moments
from understudy.question.norms import Norms
from understudy.question.question import Question
from understudy.question.reference import Reference
from understudy.schema.coordinates import UNIT
from understudy.vault.tape import Tape

KINDS = (Marginals.kind, Norms.kind, MeanFeatures.kind, Moments.kind)
SMALL = Fraction(1, 50)  # of the purse, for class sizes and for each histogram of lengths
EDGES, FINEST = 64, 1.06  # of a histogram of lengths: so many, each so many times the one before


@dataclass(frozen=True)
class Look:
    """One question to come, its share of the purse, and a question that stands for it before any is answered."""

    what: str
    share: Fraction
    ask: Callable[[Tape], Question]
    like: Question


@dataclass(frozen=True)
class Looks:
    """One after another, then no more."""

    looks: tuple[Look, ...]
    purse: Purse

    def script(self) -> tuple[Step, ...]:
        """Every look by the question that stands for it."""
        return tuple(Step(look.what, (self.purse.share(look.share).noisy(look.like),)) for look in self.looks)

    def next(self, guess: Guess, tape: Tape) -> Question | None:
        """The first look that is not on the tape yet."""
        done = sum(len(tape.of(kind)) for kind in KINDS)
        if done >= len(self.looks):
            return None
        look = self.looks[done]
        return self.purse.share(look.share).noisy(look.ask(tape))


@dataclass(frozen=True)
class Opening:
    """The looks that every recipe of moments begins with: sizes, lengths, and sums by class."""

    estimate: Estimate
    purse: Purse

    @property
    def weights(self) -> tuple[int, int]:
        """Of a second moment's diagonal and other entries: what the noise wants."""
        return ENTRYWISE if self.purse.amount.measure is Measure.PURE else FROBENIUS

    def ball(self, clip: int, centre: Reference) -> Ball:
        """Rows about a centre, as they are."""
        space = self.estimate.space
        return Ball(space.names, space.dimension, clip, centre)

    def along(self, directions: Callable[[Tape], Array]) -> Callable[[Tape, int], Ball]:
        """Rows of each class about its centre, along some directions (p x k, orthonormal)."""
        space = self.estimate.space

        def lift(tape: Tape, clip: int) -> Ball:
            frame = directions(tape)
            projection = Reference.of_tables({("projection",): np.rint(UNIT * frame).astype(np.int64)})
            return Ball(space.names, frame.shape[1], clip, centre_of(self.estimate.centres(tape)), projection)

        return lift

    def edges(self) -> tuple[int, ...]:
        """From a fortieth of the longest row up to it."""
        longest = self.estimate.space.longest
        return tuple(sorted({max(int(longest / FINEST**i), 1) for i in range(EDGES)}))

    def sizes(self) -> tuple[Look, ...]:
        """Rows by class, where there are classes."""
        if not self.estimate.label:
            return ()
        question = Marginals(Exact(), ((self.estimate.label,),))
        return (Look("class sizes", SMALL, lambda tape: question, question),)

    def lengths(self) -> Look:
        """How far rows are from the middle."""
        space = self.estimate.space
        question = Norms(Exact(), self.ball(space.longest, centre_of(space.middle)), "", 1, self.edges())
        return Look("how far rows reach", SMALL, lambda tape: question, question)

    def means(self, share: Fraction) -> tuple[Look, ...]:
        """How far rows are from the middle, then the sums by class within that reach."""
        estimate, space = self.estimate, self.estimate.space
        middle = centre_of(space.middle)

        def sums(clip: int) -> MeanFeatures:
            return MeanFeatures(Exact(), self.ball(clip, middle), estimate.label, estimate.classes)

        return (
            self.lengths(),
            Look("sums", share, lambda tape: sums(estimate.reach(tape, 0)), sums(space.longest)),
        )

    def second(
        self, what: str, share: Fraction, by_class: bool, lift: Callable[[Tape, int], Ball], reach: int
    ) -> tuple[Look, ...]:
        """How far lifted rows are from their centres, then their second moments within that reach.

        ``reach`` is the number of histograms of lengths before this one.
        """
        estimate = self.estimate
        label, classes = (estimate.label, estimate.classes) if by_class else ("", 1)
        longest = estimate.space.longest
        standing = self.ball(longest, centre_of(estimate.space.middle))

        def lengths(lifted: Ball) -> Norms:
            return Norms(Exact(), lifted, label, classes, self.edges())

        def moments(lifted: Ball) -> Moments:
            return Moments(Exact(), lifted, label, classes, self.weights)

        return (
            Look(f"how far {what} reach", SMALL, lambda tape: lengths(lift(tape, longest)), lengths(standing)),
            Look(
                f"second moments of {what}",
                share,
                lambda tape: moments(lift(tape, estimate.reach(tape, reach))),
                moments(standing),
            ),
        )
