"""Audit: we attack the release before anybody else does.

    replay     the recipe walks its road over stand-in rows, then again along the same tape over other tables
    worlds     the strongest adversary reads many tapes with and without a canary, and guesses
    canaries   one run of a recipe that asks for gradients, with invented units put in by coins: the enemy guesses the coins
    marginals  an enemy who knows the algorithm guesses who was in, from the rows

All of it on stand-in data of the same schema: the synthetic rows of the bundle, which are public. So it reads no private row
and costs nothing. It gives lower bounds: failing it proves a defect, passing it proves nothing beyond its power.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from understudy.attack import marginal
from understudy.attack.result import Result
from understudy.audit.canaries import OneRun, one_run
from understudy.audit.rehearsal import rehearsal
from understudy.audit.verdict import Verdict, judge
from understudy.audit.worlds import looks, neighbours
from understudy.noise.entropy import OperatingSystem, Seeded
from understudy.publish.bundle import read_bundle
from understudy.publish.certify import budget_of
from understudy.publish.plan import Plan, make_plan
from understudy.publish.run import conduct
from understudy.refusal import Misuse
from understudy.schema.encode import coded
from understudy.schema.read import from_dict

RUNS = 2_000
LEAST = 40  # stand-in rows; with fewer there is nobody to attack
SEED = 20_240_901  # stand-in data and its splits are public: a seed makes the audit repeatable


@dataclass(frozen=True)
class Audit:
    """What an audit found."""

    table: str
    recipe: str
    relation: str
    differences: tuple[str, ...]
    verdict: Verdict
    one_run: OneRun | None
    attack: Result
    seconds: float

    @property
    def violations(self) -> list[str]:
        """What is wrong, in words; empty where nothing was found."""
        found = list(self.differences) + self.verdict.refuted
        if self.one_run and self.one_run.refuted:
            found.append(
                f"one run: epsilon is at least {self.one_run.certified:.4g}; {self.one_run.claimed:.4g} is claimed"
            )
        return found

    def to_json(self) -> dict[str, Any]:
        """For machines."""
        verdict = self.verdict
        return {
            "recipe": self.recipe,
            "relation": self.relation,
            "claimed": {"epsilon": verdict.epsilon, "delta": verdict.delta},
            "certified": {"gaussian_shape": verdict.gaussian_epsilon, "no_shape": verdict.free_epsilon},
            "parts": [vars(part) | {"refuted": part.refuted} for part in verdict.parts],
            "runs": verdict.runs,
            "confidence": verdict.confidence,
            "power": verdict.power,
            "false_alarms": verdict.false_alarms,
            "heard": verdict.heard,
            "not_audited": list(verdict.unheard),
            "one_run": vars(self.one_run) if self.one_run else None,
            "replay": list(self.differences),
            "marginal_attack": self.attack.to_json(),
            "violations": self.violations,
            "seconds": round(self.seconds, 1),
        }


def audit(
    path: str | Path,
    *,
    workload: str | None = None,
    runs: int = RUNS,
    tell: Callable[[str], None] = lambda words: None,
) -> Audit:
    """Audit the recipe of a bundle on its own synthetic rows."""
    made = read_bundle(Path(path))
    header = made.tape.header
    named = workload or str(header["workload"])
    if named == "listed":
        raise Misuse("the release was made for a workload file, which is not in the bundle", "give it with --workload")
    declared = from_dict(header["schema"])
    return audit_plan(make_plan(declared, budget_of(header), header["recipe"], named), made.table, runs, tell)


def audit_plan(plan: Plan, rows: pa.Table, runs: int = RUNS, tell: Callable[[str], None] = lambda words: None) -> Audit:
    """Audit a plan on stand-in rows."""
    if rows.num_rows < LEAST:
        raise Misuse(f"an audit needs at least {LEAST} stand-in rows", "audit a larger bundle of the same recipe")
    began = time.monotonic()
    shuffled = rows.take(np.random.default_rng(SEED).permutation(rows.num_rows))
    tell("replaying the recipe over other rows")
    others = [shuffled.slice(0, 0), shuffled.slice(0, rows.num_rows // 3)]
    walked = rehearsal(plan, rows, others, SEED)
    tell(f"guessing the world of {runs:,} tapes from each")
    heard = looks(walked.asked, neighbours(rows, plan.schema))
    verdict = judge(plan, heard, runs, (OperatingSystem(), OperatingSystem()))
    tell("looking for canaries")
    canaries = one_run(plan, rows, walked.asked, SEED)
    tell("attacking the rows")
    attacked = marginal_attack(plan, shuffled)
    relation = plan.schema.relation.words(plan.schema.unit.noun)
    return Audit(
        plan.schema.name,
        plan.recipe.name,
        relation,
        walked.differences,
        verdict,
        canaries,
        attacked,
        time.monotonic() - began,
    )


def marginal_attack(plan: Plan, shuffled: pa.Table) -> Result:
    """Release a half of the stand-in, and guess who was in it; a quarter is the enemy's reference."""
    half, quarter = shuffled.num_rows // 2, shuffled.num_rows // 4
    made = conduct(shuffled.slice(0, half), plan, Seeded(SEED), None, None, "parquet", None, lambda words: None)
    members, outsiders, reference = (
        coded(shuffled.slice(start, many), made.schema)
        for start, many in ((0, half), (half, quarter), (half + quarter, quarter))
    )
    synthetic = coded(made.table, made.schema)
    cliques = marginal.measured(made.tape) or [(name,) for name in made.schema.domain]
    inside, outside = (
        marginal.scores(people, synthetic, reference, made.schema.domain, cliques) for people in (members, outsiders)
    )
    return Result("marginals", inside, outside)


def lines(audit: Audit) -> list[str]:
    """The audit in words: the claim beside what is certified, and how much it would have caught."""
    v, attack = audit.verdict, audit.attack
    low, high = attack.interval(0.01)
    allowed = attack.allowed(0.01, v.epsilon, v.delta)
    run = (
        [f"one run    {one.right} of {one.canaries} canaries told apart: epsilon at least {one.certified:.4g}"]
        if (one := audit.one_run)
        else []
    )
    parts = [
        f"  {part.name}: {part.unit} claimed {part.claimed:.4g}, certified at least {part.certified:.4g}"
        for part in v.parts
    ]
    found = audit.violations
    said = [f"VIOLATION  {words}" for words in found] or [
        f"no violation found, with power {v.power:.1%} to catch noise of half the deviation"
    ]
    return [
        f"recipe {audit.recipe}, on stand-in rows; protects {audit.relation}",
        f"claimed    epsilon {v.epsilon:.4g} at delta {v.delta:.3g}",
        f"certified  epsilon at least {v.gaussian_epsilon:.4g} if the noise has the Gaussian shape, "
        f"{v.free_epsilon:.4g} whatever its shape",
        f"  {v.runs:,} tapes from each world, confidence {v.confidence:.0%}, {v.heard:.0%} of the budget listened to",
        *parts,
        *(f"  not heard: {kind}" for kind in v.unheard),
        *run,
        f"replay     {'; '.join(audit.differences) or 'the same tape over other rows gives the same bytes'}",
        f"attack     at false positives 1 %, true positives {attack.tpr(0.01):.2%} ({low:.2%} to {high:.2%}) of "
        f"{np.size(attack.members):,}; the claim allows {allowed:.2%}",
        *said,
    ]
