"""The public range of the noise: which scales are allowed, and the float that is really drawn.

OpenDP takes its scale as a float64 and treats that float as an exact rational. A price is computed from the exact
fraction, so the float must not fall below it:

    drawn(scale)    >= scale             drawn_root(sigma2)^2 >= sigma2

and both exceed the exact value by less than one part in 2^50. Every bound in this package is of the scale drawn.

Range.  2^-20 <= scale <= 2^48, and exact values are clamped to +-2^62. The clamp is coordinate-wise and 1-Lipschitz, so
no sensitivity grows by it; with it, noise of 2^13 scales still fits an int64. A scale outside is refused; a value
outside is clamped in silence, since a refusal would tell something of it.
"""

import math
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from understudy.refusal import Infeasible

SMALLEST = Fraction(1, 2**20)
LARGEST = Fraction(2**48)
VALUE = 2**62


def drawn(scale: Fraction) -> float:
    """The smallest float that is not below the scale.

    >>> Fraction(drawn(Fraction(1, 3))) >= Fraction(1, 3)
    True
    """
    if not SMALLEST <= scale <= LARGEST:
        raise Infeasible(
            "a noise scale is outside 2^-20 to 2^48",
            "spend more where it is too large, less where it is too small",
        )
    near = float(scale)
    return near if Fraction(near) >= scale else math.nextafter(near, math.inf)


def drawn_root(sigma2: Fraction) -> float:
    """A float sigma with sigma^2 >= sigma2, one or two steps above the root at most.

    >>> drawn_root(Fraction(25)), Fraction(drawn_root(Fraction(2))) ** 2 >= 2
    (5.0, True)
    """
    if not SMALLEST**2 <= sigma2 <= LARGEST**2:
        raise Infeasible(
            "a noise variance is outside 2^-40 to 2^96",
            "spend more where it is too large, less where it is too small",
        )
    near = math.sqrt(float(sigma2))
    while Fraction(near) ** 2 < sigma2:
        near = math.nextafter(near, math.inf)
    return near


def clamp(exact: NDArray[np.int64]) -> NDArray[np.int64]:
    """The exact statistic within +-2^62. Only integers may come: noise on floats leaks through their low bits."""
    if exact.dtype != np.int64:
        raise TypeError(f"noise is added to int64 values, not to {exact.dtype}")
    return np.clip(exact, -VALUE, VALUE)
