"""Canaries: a gradient recipe audited in one run, by units that were put into the stand-in by coins.

Math.  m invented units, each of whose columns has the value of another stand-in row: likely enough to be let in, and like
nobody. A fair coin puts each in (under replace-one, one that stays out leaves its place to a row of the stand-in). The enemy
knows all but the coins b. Over the noisy looks t at gradients, with G_t the canaries' own terms at the public weights (a line
each), f_t what the stand-in alone adds up to, q the rate of the sample and sigma2 the noise, y_t is about q f_t + q G_t' b plus
noise, and the enemy takes the best linear guess of the coins:

    b^ = 1/2 + (A + 4 I)^-1 sum over t of  q G_t (y_t - q f_t - q G_t' 1/2) / sigma2
    A  = sum over t of  q^2 G_t G_t' / sigma2

The highest half is called in, the lowest out, and one_run.py says which epsilon so many right guesses refute. A run has many
looks; some of them, evenly spaced, are enough, since guesses from a part of the tape are guesses too.
"""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from understudy.audit.one_run import epsilon_of_guesses, guess
from understudy.audit.rehearsal import Asked, rehearsal
from understudy.publish.plan import Plan
from understudy.question.mechanism import DiscreteGaussian, SampledGaussian
from understudy.schema.relation import Relation
from understudy.vault.vault import SealedRows

KINDS = ("gradient_step", "critic_gradient")
MOST, LOOKS = 100, 40  # canaries, and looks that are scored
CONFIDENCE = 0.95


@dataclass(frozen=True)
class OneRun:
    """What one run with canaries certified."""

    canaries: int
    right: int
    certified: float
    claimed: float

    @property
    def refuted(self) -> bool:
        return self.certified > self.claimed


def one_run(plan: Plan, rows: pa.Table, asked: tuple[Asked, ...], seed: int) -> OneRun | None:
    """Run the recipe once with canaries; None where it asks for no gradients."""
    if not any(item.question.kind in KINDS for item in asked):
        return None
    rng, each = np.random.default_rng(seed), plan.schema.unit.rows
    many = min(MOST, rows.num_rows // (2 * each))
    invented = pa.table({name: rows[name].take(rng.permutation(rows.num_rows)) for name in rows.column_names})
    units = [pa.concat_tables([invented.slice(place, 1)] * each) for place in range(many)]
    inside = rng.random(many) < 0.5
    rest, table = world(plan, rows, units, inside)
    walked = rehearsal(plan, table, [], seed)
    heard = [item for item in walked.asked if item.question.kind in KINDS]
    heard = [heard[place] for place in np.unique(np.linspace(0, len(heard) - 1, LOOKS).astype(int))]
    right = guess(coins(heard, rest, units), inside, many)
    guesses, delta = 2 * (many // 2), float(plan.budget.delta)
    certified = epsilon_of_guesses(many, guesses, right, delta, CONFIDENCE)
    return OneRun(many, right, certified, float(plan.budget.epsilon))


def world(plan: Plan, rows: pa.Table, units: list[pa.Table], inside: NDArray[np.bool_]) -> tuple[pa.Table, pa.Table]:
    """The stand-in that the enemy knows to be there, and the table of the run."""
    let_in = [unit for unit, there in zip(units, inside, strict=True) if there]
    if plan.schema.relation is Relation.ADD_REMOVE:
        return rows, pa.concat_tables([rows, *let_in])
    each = plan.schema.unit.rows
    rest, places = rows.slice(len(units) * each), [rows.slice(i * each, each) for i in range(len(units))]
    kept = [unit if there else place for unit, place, there in zip(units, places, inside, strict=True)]
    return rest, pa.concat_tables([rest, *kept])


def coins(heard: list[Asked], rest: pa.Table, units: list[pa.Table]) -> NDArray[np.float64]:
    """The best linear guess of who was put in."""
    likeness, leaning = 4 * np.eye(len(units)), np.zeros(len(units))
    for asked in heard:
        question, mechanism = asked.question, asked.question.mechanism
        assert isinstance(mechanism, SampledGaussian | DiscreteGaussian)
        rate = float(mechanism.rate) if isinstance(mechanism, SampledGaussian) else 1.0
        others, *terms = (
            rate * np.asarray(question.statistic(SealedRows(table, asked.schema)), dtype=np.float64).ravel()
            for table in (rest, *units)
        )
        own, sigma2 = np.stack(terms), float(mechanism.sigma2)
        off = np.asarray(asked.answer, dtype=np.float64).ravel() - others - own.sum(axis=0) / 2
        likeness += own @ own.T / sigma2
        leaning += own @ off / sigma2
    return np.asarray(np.linalg.solve(likeness, leaning))
