"""exp(-x) for a rational x >= 0, caught between two fractions.

Math.  decimal's exp is correctly rounded (half-even) at 90 digits, so one step up or down from it is on the safe side:

    low <= exp(-x) <= high,    high - low <= 1e-70 exp(-x)   for x <= 20,000

Beyond 20,000 the bounds are 0 and exp(-20,000): still sound, and far below any probability that is asked for.
"""

from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

HALF = Context(prec=90, rounding=ROUND_HALF_EVEN)
DOWN = Context(prec=90, rounding=ROUND_FLOOR)
UP = Context(prec=90, rounding=ROUND_CEILING)
FARTHEST = 20_000


def bounds(x: Fraction) -> tuple[Fraction, Fraction]:
    """A fraction at or below exp(-x), and one at or above.

    >>> low, high = bounds(Fraction(1))
    >>> low < high < low * (1 + Fraction(1, 10**70)), f"{float(low):.6f}"
    (True, '0.367879')
    """
    if x < 0:
        raise ValueError("exp(-x) is bounded for x >= 0 only")
    if x == 0:
        return Fraction(1), Fraction(1)
    if x > FARTHEST:
        return Fraction(0), bounds(Fraction(FARTHEST))[1]
    above = UP.divide(Decimal(x.numerator), Decimal(x.denominator))
    below = DOWN.divide(Decimal(x.numerator), Decimal(x.denominator))
    low = DOWN.next_minus(HALF.exp(HALF.copy_negate(above)))
    high = UP.next_plus(HALF.exp(HALF.copy_negate(below)))
    return Fraction(low), min(Fraction(high), Fraction(1))
