"""Which epsilon? What others chose and why, each with its source. No number here is a default, and none is ours.

Epsilons of different units are not comparable: one person for ever is a much stronger promise than one person's day.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Precedent:
    """A choice that somebody made and signed for."""

    epsilon: str
    delta: str
    whom: str
    who: str
    source: str


PRECEDENTS = (
    Precedent(
        "below 1", "below 1/n", "one record", "guidance: the stringent choice", "TensorFlow Privacy, Measure Privacy"
    ),
    Precedent("1.68", "0", "one user's day", "Google, COVID-19 search trends for symptoms (2020)", "arXiv:2009.01265"),
    Precedent(
        "2.19", "1e-5", "one user's day", "Google, COVID-19 vaccination search insights (2021)", "arXiv:2107.01179"
    ),
    Precedent(
        "below 10", "below 1/n", "one record", "guidance: the usual limit", "TensorFlow Privacy, Measure Privacy"
    ),
    Precedent(
        "9.98", "0", "a mother and her newborn", "Israel, registry of live births 2014 (2024)", "arXiv:2405.00267"
    ),
    Precedent(
        "19.61",
        "1e-10",
        "one person or housing unit",
        "US Census Bureau, redistricting data of 2020",
        "its announcement of June 2021",
    ),
)
