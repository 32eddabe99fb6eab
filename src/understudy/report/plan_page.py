"""The plan as a page: what would be asked, what it costs, what to expect of it, and what others chose."""

from fractions import Fraction
from typing import Any

from markupsafe import Markup

from understudy.page.curve import Curve, curves
from understudy.page.figure import share_bar
from understudy.page.sheet import sheet
from understudy.publish.plan import Plan
from understudy.publish.report.guarantee import FALSE_ALARMS, caught, right_guesses
from understudy.report.precedents import PRECEDENTS


def plan_page(plan: Plan, document: dict[str, Any], prospect: dict[str, Any]) -> bytes:
    """The page. No private row was read for it."""
    epsilon, delta = float(Fraction(document["epsilon"])), float(Fraction(document["delta"]))
    return sheet(
        "plan.html",
        plan=document,
        prospect=prospect,
        epsilon=epsilon,
        delta=delta,
        unit=plan.schema.unit.noun,
        right_guesses=right_guesses(epsilon, delta),
        accusations=[(false, caught(epsilon, delta, false)) for false in FALSE_ALARMS],
        precedents=PRECEDENTS,
        share_bar=share_bar,
        curve=curve(prospect, epsilon),
    )


def curve(prospect: dict[str, Any], epsilon: float) -> Markup:
    """Error by epsilon: theory, the certificate's part, and the trial where there was one."""
    points = prospect["curve"]
    lines = [
        Curve("every marginal measured directly", tuple((p["epsilon"], p["direct"]) for p in points)),
        Curve("what the certificate adds", tuple((p["epsilon"], p["certificate_adds"]) for p in points)),
    ]
    if prospect["trial"]:
        lines.append(
            Curve("tried on invented rows", tuple((p["epsilon"], p["error"]) for p in prospect["trial"]["points"]))
        )
    return curves(lines, "epsilon", "mean total variation", "Expected error by epsilon", here=epsilon)
