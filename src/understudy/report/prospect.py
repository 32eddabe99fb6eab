"""What a plan can expect: the error of every marginal, from theory and, if asked, from a trial on invented rows.

    direct      every marginal of the workload measured once with the recipe's whole budget: with noise of mean size E|Z|
                in each of its cells,   E tv = min(1, cells E|Z| / (2 n))
    certified   what the certificate's own noise adds to whatever the error is:   quantile / (2 n m)
    tried       the mean total variation that this recipe left on invented rows (invented.py) of the same schema

A recipe that chooses what to measure does better than ``direct`` where marginals are many. n is public, or assumed: the
private number of rows is not asked for a plan.
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import pi, sqrt
from typing import Any

from understudy.game.player import Codes, Columns
from understudy.measure.variation import variations
from understudy.noise.entropy import Seeded
from understudy.publish.certificate import BETA, noise_quantile
from understudy.publish.plan import CERTIFICATE, DISCOVERY, SIZE, Plan, make_plan
from understudy.publish.run import conduct
from understudy.question.marginals import Marginals
from understudy.question.mechanism import DiscreteGaussian, DiscreteLaplace, Exact, Mechanism
from understudy.report.invented import invented
from understudy.schema.encode import coded

EPSILONS = tuple(Fraction(e) for e in ("0.1", "0.2", "0.5", "1", "2", "5", "10"))
TRIED = tuple(Fraction(e) for e in ("0.1", "0.5", "2", "10"))
ASSUMED, MOST_TRIED = 10_000, 20_000
LINES = 40
Tell = Callable[[str], None]


def prospect(plan: Plan, rows: int | None, trial: bool, tell: Tell = lambda words: None) -> dict[str, Any]:
    """The expectations of a plan; ``rows`` are those that the private table is thought to have."""
    n = rows or plan.schema.n or plan.rows or ASSUMED
    ways = plan.workload.cliques
    errors = sorted(((direct(plan, clique, n), clique) for clique in ways), reverse=True)
    found: dict[str, Any] = {
        "rows": n,
        "declared": n == plan.schema.n,
        "mean": sum(error for error, _ in errors) / len(errors),
        "certificate_adds": certified(plan, n),
        "marginals": [
            {"columns": list(clique), "cells": plan.largest.cells(clique), "expected": error}
            for error, clique in errors[:LINES]
        ],
        "curve": [curve_point(at(plan, epsilon), n) for epsilon in with_own(EPSILONS, plan)],
        "trial": None,
    }
    if trial:
        found["trial"], own = tried(plan, min(n, MOST_TRIED), tell)
        for line in found["marginals"]:
            line["tried"] = own[tuple(line["columns"])]
    return found


def with_own(epsilons: tuple[Fraction, ...], plan: Plan) -> list[Fraction]:
    """Some epsilons, and the plan's own among them."""
    return sorted({*epsilons, plan.budget.epsilon})


def at(plan: Plan, epsilon: Fraction) -> Plan:
    """The same plan at another epsilon, counted in zCDP: a Renyi order is chosen for one epsilon only."""
    return replace(plan, budget=replace(plan.budget, epsilon=epsilon, order=None))


def curve_point(plan: Plan, n: int) -> dict[str, float]:
    """The mean error at one epsilon."""
    ways = plan.workload.cliques
    mean = sum(direct(plan, clique, n) for clique in ways) / len(ways)
    return {"epsilon": float(plan.budget.epsilon), "direct": mean, "certificate_adds": certified(plan, n)}


def direct(plan: Plan, clique: tuple[str, ...], n: int) -> float:
    """E tv of one marginal, all of them measured at once."""
    spent = CERTIFICATE + (SIZE if plan.counts_rows else 0) + (DISCOVERY if plan.schema.pending else 0)
    asked = plan.purse.share(1 - spent).noisy(Marginals(Exact(), plan.workload.cliques))
    return min(1.0, plan.largest.cells(clique) * size_of(asked.mechanism) / (2 * n))


def size_of(mechanism: Mechanism) -> float:
    """E|Z|: sqrt(2 / pi) sigma for a Gaussian, the scale for a Laplace; both a little less for whole numbers."""
    match mechanism:
        case DiscreteGaussian(sigma2):
            return sqrt(2 / pi * float(sigma2))
        case DiscreteLaplace(scale):
            return float(scale)
    return 0.0


def certified(plan: Plan, n: int) -> float:
    """What the certificate adds to the error of each marginal, at the least."""
    _, each, *_ = plan.certifier(plan.largest).script(n)[0].questions
    return min(1.0, noise_quantile(each.mechanism, BETA["each"] / len(plan.workload.cliques)) / (2 * n * n))


def tried(plan: Plan, rows: int, tell: Tell) -> tuple[dict[str, Any], dict[Columns, float]]:
    """The recipe on invented rows, at several epsilons, with the seeded twin of the noise; each marginal at the plan's own."""
    schema, table = invented(plan.schema, rows)
    real: Codes = coded(table, schema)
    points, own = [], {}
    for epsilon in with_own(TRIED, plan):
        tell(f"trying epsilon {float(epsilon):g} on invented rows")
        again = make_plan(schema, replace(plan.budget, epsilon=epsilon), plan.recipe.name, rows=rows)
        again = replace(again, workload=plan.workload)
        made = conduct(table, again, Seeded(1), None, None, "parquet", None, lambda words: None)
        found = variations(real, made.codes, schema, plan.workload.cliques)
        mean = sum(tv for _, tv, _ in found) / len(found)
        bound = made.certificate["claims"].get("mean_total_variation")
        points.append({"epsilon": float(epsilon), "error": mean, "certified": bound})
        if epsilon == plan.budget.epsilon:
            own = {columns: tv for columns, tv, _ in found}
    return {"rows": rows, "points": points}, own
