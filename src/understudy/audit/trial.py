"""Trials: what puts a mechanism's claim to the test. Each says what is wrong in words, or nothing.

| trial     | the claim                                                   | what refutes it                          |
|-----------|-------------------------------------------------------------|------------------------------------------|
| Moves     | neighbours move the statistic by at most this much          | one pair that moves it more              |
| Laws      | the output laws are (epsilon, delta)- or rho-close          | the laws themselves, enumerated          |
| Sampled   | a sample from each world tells no more than epsilon or mu   | a guess that is right too often          |
| Covers    | a bound fails with probability at most beta                 | misses beyond chance                     |
| Replays   | the output is a function of the tape                        | two tables, one tape, different outputs  |
| Includes  | rows enter a sample as independent coins                    | counts and pairs beyond chance           |
| Invariant | a row's own term does not depend on the other rows          | one that moves when others change        |
| Bounded   | a quantity stays within a bound                             | one that is above it                     |
| Refuses   | the call is refused                                         | that it is carried out                   |

Passing a trial proves nothing; failing one proves a defect. Sampled trials are wrong with probability at most 1 - confidence.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from understudy.audit.bounds import (
    ORDERS,
    Rates,
    epsilon_without_shape,
    gaussian_mu,
    hockey_stick,
    lower,
    renyi,
)
from understudy.refusal import Refusal

Floats = NDArray[np.float64]
ROUNDING = 1e-9
CONFIDENCE = 0.999


class Trial(Protocol):
    """A claim with the evidence for and against it."""

    def violation(self) -> str:
        """What is wrong, in words; an empty text where the claim stands."""
        ...


@dataclass(frozen=True)
class Moves:
    """Pairs of exact statistics of neighbours, and the largest moves that are declared: by "l1", "l2", "linf"."""

    declared: Mapping[str, float]
    pairs: Sequence[tuple[Any, Any]]

    def violation(self) -> str:
        orders = {"l1": 1, "l2": 2, "linf": np.inf}
        for first, second in self.pairs:
            difference = np.asarray(first, dtype=np.float64).ravel() - np.asarray(second, dtype=np.float64).ravel()
            for norm, most in self.declared.items():
                moved = float(np.linalg.norm(difference, ord=orders[norm]))
                if moved > most * (1 + ROUNDING):
                    return f"neighbours move it by {moved:.4g} in {norm}; {most:.4g} is declared"
        return ""


@dataclass(frozen=True)
class Laws:
    """Pairs of output laws of neighbours, over the same outcomes, with what is claimed of all of them."""

    pairs: Sequence[tuple[Any, Any]]
    epsilon: float | None = None
    delta: float = 0.0
    rho: float | None = None

    def violation(self) -> str:
        for first, second in self.pairs:
            for p, q in ((first, second), (second, first)):
                if self.epsilon is not None:
                    delta = hockey_stick(p, q, self.epsilon)
                    if delta > self.delta + ROUNDING:
                        return f"delta at epsilon {self.epsilon:.4g} is {delta:.3g}; {self.delta:.3g} is claimed"
                if self.rho is not None:
                    rho = max(renyi(p, q, order) / order for order in ORDERS)
                    if rho > self.rho * (1 + 1e-6):
                        return f"rho is at least {rho:.4g}; {self.rho:.4g} is claimed"
        return ""


@dataclass(frozen=True)
class Sampled:
    """An adversary's score in many runs of each world. Claimed: (epsilon, delta), or a Gaussian separation mu.

    The threshold is chosen on the even runs and judged on the odd ones, so it owes them nothing.
    """

    first: Any
    second: Any
    epsilon: float | None = None
    delta: float = 0.0
    mu: float | None = None

    def violation(self) -> str:
        # a score that is high in the second world, and the same score turned round, each with half of the error
        sides = [self.rates(sign, 1 - (1 - CONFIDENCE) / 2) for sign in (1.0, -1.0)]
        if self.epsilon is not None:
            found = max(epsilon_without_shape(rates, self.delta) for rates in sides)
            if found > self.epsilon:
                return f"epsilon is at least {found:.3g} at delta {self.delta:.3g}; {self.epsilon:.3g} is claimed"
        if self.mu is not None:
            separation = max(gaussian_mu(rates) for rates in sides)
            if separation > self.mu:
                return f"the worlds are at least {separation:.3g} apart; {self.mu:.3g} is claimed"
        return ""

    def rates(self, sign: float, confidence: float) -> Rates:
        """Bounds on the rates of the guess "second where sign * score exceeds the threshold"."""
        first, second = (sign * np.asarray(scores, dtype=np.float64) for scores in (self.first, self.second))
        threshold = best_threshold(first[::2], second[::2], self.epsilon is not None)
        hits, quiet = int((second[1::2] > threshold).sum()), int((first[1::2] <= threshold).sum())
        return Rates.of(hits, second[1::2].size, quiet, first[1::2].size, confidence)


def best_threshold(first: Floats, second: Floats, steep: bool) -> float:
    """The threshold at which the estimated epsilon (steep) or separation is largest, rates being smoothed."""
    cuts = np.unique(np.quantile(np.concatenate([first, second]), np.linspace(0, 1, 201)))
    cuts = np.concatenate([[cuts[0] - 1.0], cuts])
    tpr = (np.searchsorted(np.sort(-second), -cuts, side="left") + 1) / (second.size + 2)
    fpr = (np.searchsorted(np.sort(-first), -cuts, side="left") + 1) / (first.size + 2)
    gains = np.maximum(np.log(tpr / fpr), np.log((1 - fpr) / (1 - tpr))) if steep else tpr - fpr
    return float(cuts[int(np.argmax(gains))])


@dataclass(frozen=True)
class Covers:
    """How often a bound missed, and the probability with which it may."""

    misses: int
    runs: int
    beta: float

    def violation(self) -> str:
        at_least = float(lower(self.misses, self.runs, 1 - CONFIDENCE))
        return f"it misses at least {at_least:.3g} of the time; {self.beta:.3g} is claimed" * (at_least > self.beta)


@dataclass(frozen=True)
class Replays:
    """What a program makes of each of several tables when it is told the same answers."""

    run: Callable[[Any], object]
    tables: Sequence[Any]

    def violation(self) -> str:
        outputs = [self.run(table) for table in self.tables]
        return "the same answers over another table give another output" * any(out != outputs[0] for out in outputs)


@dataclass(frozen=True)
class Includes:
    """Which rows entered which of many samples (runs x steps, rows), claimed to be independent coins of rate q."""

    taken: NDArray[np.bool_]
    q: float

    def violation(self) -> str:
        runs, rows = self.taken.shape
        x = (self.taken - self.q) / math.sqrt(self.q * (1 - self.q))
        # each row's mean, each pair's covariance and each row's lag-one covariance are N(0, 1) / sqrt(runs) under the claim
        means = np.abs(x.mean(axis=0)) * math.sqrt(runs)
        pairs = np.abs((x.T @ x / runs)[np.triu_indices(rows, 1)]) * math.sqrt(runs)
        sizes = self.taken.sum(axis=1)
        spread = sizes.var() / (rows * self.q * (1 - self.q))
        following = np.abs((x[1:] * x[:-1]).mean(axis=0)) * math.sqrt(runs - 1)
        worst = max(float(group.max(initial=0.0)) for group in (means, pairs, following))
        limit = math.sqrt(2 * math.log(2 * (2 * rows + pairs.size) / (1 - CONFIDENCE))) + 1
        if worst > limit:
            return f"inclusions depend on each other: {worst:.1f} standard deviations; {limit:.1f} happen by chance"
        if abs(spread - 1) > 6 * math.sqrt(2 / runs) + 6 / math.sqrt(rows * self.q * runs):
            return f"the sample size varies {spread:.2f} times as much as independent coins do"
        return ""


@dataclass(frozen=True)
class Invariant:
    """A row's own terms, computed beside several companies of other rows."""

    terms: Sequence[Any]

    def violation(self) -> str:
        same = all(np.allclose(term, self.terms[0], rtol=1e-5, atol=1e-7) for term in self.terms)
        return "a row's own term changes with the rows beside it" * (not same)


@dataclass(frozen=True)
class Bounded:
    """A quantity, and the most that is claimed of it."""

    what: str
    found: float
    most: float

    def violation(self) -> str:
        above = self.found > self.most + ROUNDING
        return f"{self.what} is {self.found:.4g}; at most {self.most:.4g} is claimed" * above


@dataclass(frozen=True)
class Refuses:
    """A call that must be refused, or be a type error."""

    attempt: Callable[[], object]

    def violation(self) -> str:
        try:
            self.attempt()
        except (Refusal, TypeError):
            return ""
        return "what must be refused is carried out"
