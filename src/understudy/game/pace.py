"""Pace: how many rounds, which temperature and which step the dual Frank-Wolfe takes, from public facts only.

Document 001 sets them from private optimal values (its step size has psi*(q_a) - psi(q_0) in it). With q_0 = 0 these are at
most a ln|X|, which is public, and the choice of a drops out. With n rows, k queries, |X| cells and privacy rho:

    error <= 2 sqrt(2 ln|X| / T)  +  (selection error of T rounds)  +  a ln|X|
    T   = RUSH n sqrt(rho ln|X|) / ln(2k)           between 1 and ``most``; pure: RUSH (n eps / ln 2k)^(2/3) (ln|X|)^(1/3)
    eta = sqrt(2 ln|X| / T) / 2                     the rate of multiplicative weights
    a   = 1 / sqrt(T ln|X|)                         the temperature: a ln|X| is then below the first term
    gamma = a eta                                   the step of Frank-Wolfe
"""

from dataclasses import dataclass
from math import log, sqrt

from understudy.game.query.weights import Draws
from understudy.privacy.charge import Measure
from understudy.privacy.purse import Purse

RUSH = 0.5
MOST_DRAWS = 16  # a round


@dataclass(frozen=True)
class Pace:
    """ln|X|, ln(2k), what may be spent on selections, and the most rounds that we have time for."""

    log_cells: float
    log_queries: float
    purse: Purse
    most: int

    @property
    def amount(self) -> float:
        """rho, or epsilon where it is pure."""
        return float(self.purse.amount.amount) / (self.purse.amount.measure.order or 1)

    def rounds(self, n: int) -> int:
        """T, a function of the public number of rows."""
        amount, size, many = self.amount, max(self.log_cells, log(2)), self.log_queries
        if self.purse.amount.measure is Measure.PURE:
            wanted = RUSH * float((max(n, 0) * amount / many) ** (2 / 3) * size ** (1 / 3))
        else:
            wanted = RUSH * max(n, 0) * sqrt(amount * size) / many
        return min(max(round(wanted), 1), self.most)

    def eta(self, n: int) -> float:
        """The weight of one selected query, in the exponent."""
        return sqrt(2 * max(self.log_cells, log(2)) / self.rounds(n)) / 2

    def temperature(self, n: int) -> float:
        """a."""
        return 1 / sqrt(self.rounds(n) * max(self.log_cells, log(2)))

    def gamma(self, n: int) -> float:
        """The step: q <- (1 - gamma) q + gamma s, which in the exponent is u <- (1 - gamma) u + eta s."""
        return min(self.temperature(n) * self.eta(n), 1.0)

    def promise(self, n: int, beta: float) -> float:
        """What the average is off by at most, on every query and with probability 1 - beta, on these n rows: told before."""
        t, scale = self.rounds(n), self.scale(n)
        # 2 sqrt(2 ln|X| / T)  +  s ln(2 k T / beta) / n  +  a ln|X|
        selection = scale * (self.log_queries + log(t / beta)) / max(n, 1)
        return 2 * sqrt(2 * self.log_cells / t) + selection + self.temperature(n) * self.log_cells

    def population(self, n: int, beta: float) -> float:
        """The same on the population that the rows were drawn from, one by one: the triangle inequality and Hoeffding."""
        # + sqrt( ln(2 k / beta) / (2 n) )
        return self.promise(n, beta / 2) + sqrt((self.log_queries + log(2 / beta)) / (2 * max(n, 1)))

    def scale(self, n: int) -> float:
        """Of the Gumbel noise of one selection, in rows."""
        each = self.amount / self.rounds(n)
        pure = self.purse.amount.measure is Measure.PURE
        return self.purse.unit_rows * (2 / each if pure else 1 / sqrt(2 * each))

    def draws(self, n: int, most: int, fresh: int = 1) -> Draws:
        """T rounds of so many draws for oracle B, one in ``fresh`` of them new, at most ``most`` new draws in all.

        With c = n sqrt(6 rho) the regret of the laws falls as sqrt(s^(1/2) / c) and that of s draws a round as 1 / sqrt(s): so
        s grows as c^(2/3), and T = c / sqrt(2 s ln K). Where epsilon is pure draws cost more: c = sqrt(n eps).
        """
        amount = self.amount / self.purse.unit_rows
        c = sqrt(max(n, 1) * amount) if self.purse.amount.measure is Measure.PURE else max(n, 1) * sqrt(6 * amount)
        drawn = min(max(round(float(c ** (2 / 3)) / 16), 1), MOST_DRAWS)
        new = -(-drawn // fresh)
        return Draws(
            min(max(round(c / sqrt(2 * drawn * self.log_queries)), 2), self.most, max(most // new, 2)), drawn, new
        )
