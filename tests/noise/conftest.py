"""The one judge of all samplers: a chi-square test with rare cells pooled, at a false alarm of one in a million."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import chi2

ALARM = 1e-6
Judge = Callable[[NDArray[np.int64], NDArray[np.float64]], bool]


@pytest.fixture(scope="session")
def fits() -> Judge:
    """fits(observed counts per cell, probability per cell); what the cells leave out is one more cell, seen never."""

    def judge(observed: NDArray[np.int64], law: NDArray[np.float64]) -> bool:
        draws = observed.sum()
        seen = np.append(observed, 0).astype(float)
        due = draws * np.append(law, max(0.0, 1 - law.sum()))
        order = np.argsort(due)
        seen, due = seen[order], due[order]
        # the rarest cells together, so that every cell is due at least 25 times
        rare = max(1, int(np.searchsorted(np.cumsum(due), 25)) + 1, int(np.searchsorted(due, 25)))
        seen = np.append(seen[rare:], seen[:rare].sum())
        due = np.append(due[rare:], due[:rare].sum())
        return bool(chi2.sf(((seen - due) ** 2 / due).sum(), due.size - 1) > ALARM)

    return judge


@pytest.fixture(scope="session")
def noise_fits(fits: Judge) -> Callable[..., bool]:
    """noise_fits(sample, law, scale): does an integer sample follow law(z, scale)?"""

    def judge(sample: NDArray[np.int64], law: Callable[..., NDArray[np.float64]], scale: float) -> bool:
        reach = int(max(np.abs(sample).max(), 8 * scale + 8))
        z = np.arange(-reach, reach + 1)
        return fits(np.bincount(sample + reach, minlength=z.size), law(z, scale))

    return judge


@pytest.fixture(scope="session")
def taylor() -> Callable[[Fraction], Fraction]:
    """exp(-x) to 100 digits by Taylor's series in fixed-point integers: nothing shared with the code under test."""

    def series(x: Fraction) -> Fraction:
        one = 10**160
        total = term = one
        n = 0
        while term:
            n += 1
            term = term * x.numerator // (x.denominator * n)
            total += term
        return Fraction(one, total)

    return series
