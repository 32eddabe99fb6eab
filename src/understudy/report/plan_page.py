"""The plan as a page: what would be asked, what it costs, what to expect of it, and what others chose."""

from fractions import Fraction
from typing import Any

from understudy.page.curve import Curve, curves, legend
from understudy.page.figure import share_bar
from understudy.page.sheet import sheet
from understudy.publish.plan import Plan
from understudy.publish.report.guarantee import FALSE_ALARMS, caught, right_guesses
from understudy.report.precedents import PRECEDENTS


def plan_page(plan: Plan, document: dict[str, Any], prospect: dict[str, Any]) -> bytes:
    """The page. No private row was read for it."""
    lines = lines_of(prospect)
    epsilon, delta = float(Fraction(document["epsilon"])), float(Fraction(document["delta"]))
    return sheet(
        "plan.html",
        plan=document,
        prospect=prospect,
        epsilon=epsilon,
        delta=delta,
        unit=plan.schema.unit.noun,
        right_guesses=right_guesses(epsilon, delta),
        odds=[(false, caught(epsilon, delta, false)) for false in FALSE_ALARMS],
        precedents=PRECEDENTS,
        share_bar=share_bar,
        points=points_of(prospect),
        curve=curves(lines, "epsilon", "mean total variation", "Expected error by epsilon", here=epsilon),
        key=legend(lines),
    )


def lines_of(prospect: dict[str, Any]) -> list[Curve]:
    """Error by epsilon: theory, the certificate's part, and the trial where there was one."""
    points = prospect["curve"]
    lines = [
        Curve("every marginal measured directly", tuple((p["epsilon"], p["direct"]) for p in points)),
        Curve("what the certificate adds", tuple((p["epsilon"], p["certificate_adds"]) for p in points)),
    ]
    if prospect["trial"]:
        tried = tuple((p["epsilon"], p["error"]) for p in prospect["trial"]["points"])
        lines.append(Curve("tried on invented rows", tuple(sorted(tried))))
    return lines


def points_of(prospect: dict[str, Any]) -> list[tuple[dict[str, float], dict[str, Any] | None]]:
    """Each epsilon of the curve, and what the trial came to there."""
    tried = {p["epsilon"]: p for p in prospect["trial"]["points"]} if prospect["trial"] else {}
    return [(point, tried.get(point["epsilon"])) for point in prospect["curve"]]
