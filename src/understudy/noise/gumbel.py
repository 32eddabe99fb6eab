"""Private selection: the exponential mechanism, which is report-noisy-max with Gumbel noise.

Law.    P[choose i] = exp(score_i / scale) / sum over j of exp(score_j / scale).

Drawn by inversion of one uniform number U, whose bits are read from the source as far as they are needed:

    w_i = exp(-(max - score_i) / scale),    C_i = w_1 + ... + w_i,    i is chosen where  C_(i-1) <= U C_k < C_i

In floats, where their rounding cannot matter; else in whole numbers, with as many digits and bits as it takes. So the answer is
always that of exact arithmetic at the float ``drawn(scale)``, and no law is rounded. Proof: proof/gumbel.md.

Privacy.  If each score moves by at most d, the privacy loss lies in an interval of length eps = 2 d / scale (d / scale
if all move in the same direction), hence eps pure and rho = eps^2 / 8 zCDP. The eighth is not true of every
noisy maximum: proof/gumbel.md says why permute-and-flip, which is also eps pure, may not be charged so.

Utility.  With probability 1 - beta the chosen score is at least max - scale ln(k / beta) among k candidates.
"""

from bisect import bisect_right
from fractions import Fraction
from itertools import accumulate
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

from understudy.noise.entropy import Entropy, known
from understudy.noise.exponential import bounds
from understudy.noise.scale import clamp, drawn
from understudy.refusal import Misuse

BITS, DIGITS = 64, 90  # of U in a word, and of a weight when floats are not enough: doubled until it is settled

Gaps = NDArray[np.uint64]


def select(scores: NDArray[np.int64], scale: Fraction, entropy: Entropy) -> int:
    """The place of the chosen candidate.

    >>> from understudy.noise.entropy import Seeded
    >>> select(np.array([0, 1000, 10]), Fraction(2), Seeded(0))
    1
    """
    if scores.ndim != 1 or scores.size == 0:
        raise Misuse("a selection needs a list of at least one candidate", "name the candidates")
    values, width, source = clamp(scores), drawn(scale), known(entropy)
    # a difference of two values within +-2^62 is at most 2^63: exact in 64 bits without a sign
    gaps = (values.max() - values).view(np.uint64)
    word = more(source, 0, 1)
    found = nearly(gaps, width, word)
    return exactly(gaps, width, word, source) if found is None else found


def nearly(gaps: Gaps, width: float, word: int) -> int | None:
    """The choice by floats, or None where U is so near an end of its interval that rounding might decide."""
    ends = np.cumsum(np.exp(-(gaps / width)))
    # |ends_i - C_i| and |point - U C_k| are together below half of this: proof/gumbel.md
    slack = (gaps.size + 1024) * 2.0**-50 * ends[-1]
    point = word * 2.0**-BITS * ends[-1]
    i = int(np.searchsorted(ends, point, side="right"))
    after = i == 0 or ends[i - 1] + slack <= point
    return i if after and i < ends.size and point + slack <= ends[i] else None


def exactly(gaps: Gaps, width: float, word: int, entropy: Entropy) -> int:
    """The choice in whole numbers: each weight between two multiples of 10^-digits, U between two of 2^-bits."""
    distinct, place = np.unique(gaps, return_inverse=True)
    bits, digits = BITS, DIGITS
    while True:
        word, bits = more(entropy, word, bits // BITS), bits * 2
        weights = [bounds(Fraction(int(gap)) / Fraction(width), digits) for gap in distinct]
        low = [floor(least * 10**digits) for least, _ in weights]
        high = [ceil(most * 10**digits) for _, most in weights]
        below, above = (list(accumulate(side[j] for j in place)) for side in (low, high))
        # word / 2^bits <= U < (word + 1) / 2^bits;   below_i <= 10^digits C_i <= above_i
        i = bisect_right(above, word * below[-1] >> bits)
        if i < gaps.size and (word + 1) * above[-1] <= below[i] << bits:
            return i
        digits *= 2


def more(entropy: Entropy, word: int, words: int) -> int:
    """A binary fraction with so many more words of random bits."""
    return word << (BITS * words) | int.from_bytes(entropy.words(words).tobytes(), "big")
