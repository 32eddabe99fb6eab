"""The audit as a page: the claim beside what was certified, the power, and the enemy's ROC curve."""

from understudy.attack.figure import roc
from understudy.audit.audit import Audit
from understudy.page.sheet import sheet

LOW = (0.01, 0.001)


def audit_page(audit: Audit) -> bytes:
    """The page. No private row was read for it."""
    verdict, attack = audit.verdict, audit.attack
    rates = [
        (rate, attack.tpr(rate), *attack.interval(rate), attack.allowed(rate, verdict.epsilon, verdict.delta))
        for rate in LOW
    ]
    return sheet(
        "audit.html",
        audit=audit,
        verdict=verdict,
        members=len(attack.members),  # type: ignore[arg-type]
        outsiders=len(attack.outsiders),  # type: ignore[arg-type]
        attack=attack,
        rates=rates,
        curve=roc([attack], verdict.epsilon, verdict.delta),
    )
