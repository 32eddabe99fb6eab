"""Private Frank-Wolfe on the l1 ball: one private selection of a vertex a step, and nothing else.

Math.  minimise f(w) = (1/n) sum of l(<w, x_i>, y_i) over ||w||_1 <= r, features in [-1, 1]. The ball
has k = 2 p K vertices +-r e_i.

    choose   i by the exponential mechanism on the scores -+g_i      g the summed gradient, a score moves by Delta
    step     w <- (1 - gamma_t) w + gamma_t s_i,                     gamma_t = 2 / (t + 2)

Privacy.  T selections of rho / T each. Scores are whole numbers (question/frame.py), so Delta is true. n is not used.

Excess risk.  With l beta-smooth in its height, D = 2 r the l1 diameter, and eps_s the price of a selection:

    E f(w_T) - min f  <=  2 beta D^2 / (T + 2)  +  D (2 Delta / (n eps_s)) (1 + ln k)  +  D / 2^10,    eps_s = sqrt(8 rho / T)

(Delta in units of the gradient: 1 under add-remove, 2 under replace-one; f of the examples as they are cut; the last term for
the grid of the residuals, each at most 2^-10 off). The dimension enters by ln p only. At the best T, about (n sqrt(rho))^(2/3),
the error falls as (n sqrt(rho))^(-2/3), down to the grid.
"""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from understudy.privacy.purse import Purse
from understudy.question.frame import Frame, Ints, W
from understudy.question.linear import MODEL, Vertex
from understudy.question.mechanism import Exact
from understudy.question.reference import Reference
from understudy.vault.gate import Gate

Floats = NDArray[np.float64]


def frank_wolfe(gate: Gate, frame: Frame, purse: Purse, radius: float, steps: int) -> Floats:
    """The last iterate, in units where features are within [-1, 1]."""
    share, model = purse.share(Fraction(1, steps)), np.zeros((frame.width, frame.outputs))
    for t in range(steps):
        asked = share.choosing(Vertex(Exact(), frame, reference_of(whole(model))))
        chosen = gate.ask(asked)
        assert isinstance(chosen, int)
        model = towards(model, chosen, radius, 2 / (t + 2))
    return model


def towards(model: Floats, vertex: int, radius: float, gamma: float) -> Floats:
    """(1 - gamma) w + gamma s."""
    sign, place = (1.0, vertex) if vertex < model.size else (-1.0, vertex - model.size)
    moved = (1 - gamma) * model
    moved[np.unravel_index(place, model.shape)] += gamma * sign * radius
    return np.asarray(moved)


def whole(model: Floats) -> Ints:
    """The model on its public grid."""
    return np.asarray(np.rint(model * W).astype(np.int64))


def reference_of(model: Ints) -> Reference:
    """A public model, by its digest."""
    return Reference.of_tables({MODEL: model})
