"""exp(-x) for a rational x >= 0, caught between two fractions.

Math.  decimal's exp is correctly rounded (half-even) at D digits, so one step up or down from it is on the safe side:

    low <= exp(-x) <= high,    high - low <= 10^(20 - D) exp(-x)   for x <= 20,000

Beyond 20,000 (beyond 4 D, where D is that large) the bounds are 0 and exp at that end: still sound, below 10^-D by far, and far
below any probability that is asked for.
"""

from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

DIGITS = 90
FARTHEST = 20_000


def bounds(x: Fraction, digits: int = DIGITS) -> tuple[Fraction, Fraction]:
    """A fraction at or below exp(-x), and one at or above.

    >>> low, high = bounds(Fraction(1))
    >>> low < high < low * (1 + Fraction(1, 10**70)), f"{float(low):.6f}"
    (True, '0.367879')
    """
    if x < 0:
        raise ValueError("exp(-x) is bounded for x >= 0 only")
    if x == 0:
        return Fraction(1), Fraction(1)
    farthest = max(FARTHEST, 4 * digits)
    if x > farthest:
        return Fraction(0), bounds(Fraction(farthest), digits)[1]
    half, down, up = (Context(digits, rounding) for rounding in (ROUND_HALF_EVEN, ROUND_FLOOR, ROUND_CEILING))
    above = up.divide(Decimal(x.numerator), Decimal(x.denominator))
    below = down.divide(Decimal(x.numerator), Decimal(x.denominator))
    low = down.next_minus(half.exp(half.copy_negate(above)))
    high = up.next_plus(half.exp(half.copy_negate(below)))
    return Fraction(low), min(Fraction(high), Fraction(1))
