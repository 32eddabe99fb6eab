"""How far one privacy unit can move an integer statistic.

Math.  For f with integer values and the largest over all neighbours S ~ S':

    l1   = max ||f(S) - f(S')||_1
    l2sq = max ||f(S) - f(S')||_2^2        (kept squared, so that it is an integer)
    linf = max ||f(S) - f(S')||_inf
    keys = max number of keys present in one of the two and absent in the other (open domains only)

A question that may be asked of a random sample of rows declares two things more, the same under both relations:

    side2 = max ||f(S + u) - f(S)||_2^2 over all tables S and units u: what one unit's rows move by themselves
    coins = the most rows of one unit, each of which a sample takes or leaves by a coin of its own

Integers, hence exact: a price that follows from them is a fraction and never a rounded float.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Sensitivity:
    """The largest move of a statistic between neighbours; side2 = 0 where no sample may be asked."""

    l1: int
    l2sq: int
    linf: int
    keys: int = 0
    side2: int = 0
    coins: int = 1
