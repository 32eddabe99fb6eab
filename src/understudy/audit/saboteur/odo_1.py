"""ODO-1: document 000's discriminator, three defects of one algorithm, each beside what would have been sound.

    theta_t = argmin over |theta|_inf <= 1 of   (t/n) sum_i -D_theta(x_i)  +  t E_g D_theta(x)  +  <b, theta>
    b_j Laplace of scale 2 ||X||_inf / eps_0, independent;    claimed: eps_0 for each round

Support.   With softplus the objective is a difference of convex functions. Where the data outweigh the generator it is concave
           and every output is an end of the interval; one person less, it is convex and outputs lie within. No delta of the
           document's size pays for that. Sound: a square that is as curved as the generator's term can be, and the noise of
           objective perturbation,  Lambda = t beta + (t beta / n) / (e^(eps/2) - 1),  scale 2 (t/n) / (eps/2).
Dimension. With D_theta(x) = <theta, x> one person moves sum_i x_i by 2 p in l1, not by 2: eps_0 p is spent.
Rounds.    The data term has weight t / n, the noise has not: eps_0 t / n is spent.

The linear case made sound is still pointless: one look at sum_i x_i makes every later round free (recipe `querygan_d`).
"""

from math import expm1

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom, laplace

from understudy.audit.registry import saboteur
from understudy.audit.trial import Laws

Law = NDArray[np.float64]
EPSILON = 1.0
ROWS = ROUND = 10
MASS = (ROWS - 0.5) / ROWS  # of the generator at x = 1; the rest is at 0
CURVATURE = 0.25  # softplus bends no more
P = 64
CUTS = np.linspace(-1, 1, 201)


def printed_softplus(share: float) -> Law:
    """The law of theta where this share of the rows is 1: below -1, between the cuts, above 1. No square."""
    a, scale = ROUND * (MASS - share), 2 / EPSILON
    if a > 0:
        # convex: theta <= c where the slope at c, a sigmoid(c) + b, is not negative
        return outcomes(laplace.sf(-a * sigmoid(CUTS), scale=scale))
    # concave: the better end, softplus(1) - softplus(-1) = 1, so theta = 1 where a + 2 b < 0
    ends = laplace.sf(-a / 2, scale=scale)
    return outcomes(np.full(len(CUTS), ends))


def sound_softplus(share: float) -> Law:
    """The same objective with a square and the noise of objective perturbation."""
    weight = ROUND / ROWS
    square = ROUND * CURVATURE + weight * CURVATURE / expm1(EPSILON / 2)
    slope = ROUND * (MASS - share) * sigmoid(CUTS) + square * CUTS
    return outcomes(laplace.sf(-slope, scale=2 * weight / (EPSILON / 2)))


def outcomes(below: Law) -> Law:
    """P[theta = -1], P[theta between cuts], P[theta = 1], from P[theta <= cut], the last cut being the end itself."""
    return np.concatenate([below[:1], np.diff(below), 1 - below[-1:]])


def sigmoid(x: Law) -> Law:
    """1 / (1 + e^-x)."""
    return np.asarray(1 / (1 + np.exp(-x)))


def linear(p: int, t: float, scale: float) -> Laws:
    """The critic's p signs where one person is all +1 or all -1 and the others cancel: their number says everything."""
    positive = laplace.cdf(t, scale=scale)
    counts = np.arange(p + 1)
    return Laws([(binom.pmf(counts, p, positive), binom.pmf(counts, p, 1 - positive))], epsilon=EPSILON / 10)


@saboteur(
    "odo-1-support",
    defect="objective perturbation of a difference of convex functions: the support of the output gives a person away",
    printed="document 000, algorithm 4 and lemma 5.0.2, with softplus",
    caught_by=Laws,
    sound=lambda: Laws([(sound_softplus(1.0), sound_softplus(1 - 1 / ROWS))], epsilon=EPSILON),
)
def odo_1_support() -> Laws:
    # the document's delta for a whole run
    return Laws([(printed_softplus(1.0), printed_softplus(1 - 1 / ROWS))], epsilon=EPSILON, delta=1e-6)


@saboteur(
    "odo-1-dimension",
    defect="independent Laplace noise in each of p coordinates, scaled to the move of one",
    printed="document 000, algorithm 4: gamma of scale 2 ||X||_inf / eps_0",
    caught_by=Laws,
    sound=lambda: linear(P, 1, 2 * P / (EPSILON / 10)),
)
def odo_1_dimension() -> Laws:
    return linear(P, 1, 2 / (EPSILON / 10))


@saboteur(
    "odo-1-rounds",
    defect="the weight t / n of the data term left out of the noise",
    printed="document 000, lemma 5.0.2: the same gamma in round t as in round 1",
    caught_by=Laws,
    sound=lambda: linear(1, 5, 2 * 5 / (EPSILON / 10)),
)
def odo_1_rounds() -> Laws:
    return linear(1, 5, 2 / (EPSILON / 10))
