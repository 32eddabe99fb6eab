"""Orders: at which Renyi order a plan is counted, where it looks at samples of rows. Named before the first look.

    of all listed orders, the one at which the plan's own script has the least  sigma^2 / T  in its T looks

Everything in it is public: the schema, the budget, the recipe. A pure epsilon has no such order, and is refused.
"""

from dataclasses import replace
from typing import TYPE_CHECKING

from understudy.privacy.charge import RENYI
from understudy.question.mechanism import SampledGaussian
from understudy.refusal import BudgetRefused, Infeasible

if TYPE_CHECKING:
    from understudy.publish.plan import Plan


def ordered(plan: "Plan") -> "Plan":
    """The plan counted at the Renyi order at which its looks at samples need the least noise a look."""
    if plan.budget.delta == 0:
        raise Infeasible(
            f"recipe '{plan.recipe.name}' looks at samples of rows, which no pure epsilon counts",
            "name a delta, or choose another recipe",
        )
    found: dict[float, Plan] = {}
    for measure in RENYI:
        at = replace(plan, budget=replace(plan.budget, order=measure.order))
        try:
            script = at.pairing(at.largest).query.script()
        except BudgetRefused:
            continue
        for step in script:
            if isinstance(noise := step.questions[0].mechanism, SampledGaussian):
                # with more looks each is noisier: sigma^2 / T is what an order is judged by
                found.setdefault(float(noise.sigma2) / len(step.questions), at)
    if not found:
        raise BudgetRefused("this budget is too small for looks at samples of rows", "raise epsilon or delta")
    return found[min(found)]
