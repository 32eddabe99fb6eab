"""Private projected descent: the noisy gradient of all examples, or of a Poisson sample of them, a step.

Math.  minimise f(w) = (1/n) sum of l(<w, x_i>, y_i) over ||w||_2 <= r, features in the unit ball.

    all examples   w <- project( w - eta g~ / n^ ),       g~ = g + N(0, sigma2), in zCDP: DP gradient descent, not DP-SGD
    a sample       w <- project( w - eta g~ / (q n^) ),   each example in it by a coin of rate q, at a Renyi order: DP-SGD

and what is returned is the average of the last half of the iterates. n^ is a noisy count (a fiftieth of the budget) where n is
private; a realised batch size is never used. Whole-number gradients (question/frame.py) need no clipping: their norm is at
most G.

Privacy.  T Gaussian looks of rho / T, sigma = G sqrt(T / (2 rho)) (twice that under replace-one); or T sampled ones.

Excess risk.  With f L-smooth and eta <= 1 / (2 L), all examples, given n^ = n:

    E f(average) - min f  <=  4 r^2 / (eta T)  +  eta p K sigma^2 / n^2  +  2 r G sqrt(K) / 2^10

the last term for the grid on which residuals are cut, each at most 2^-10 off. sigma^2 grows with T, so the best is about
r G sqrt(p K) / (n sqrt(rho)): the dimension enters by sqrt(p). The l1 form does not project: it takes the vertex that a running
average of noisy gradients points to (stochastic Frank-Wolfe, a post-processing of the same looks).
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from understudy.learn.frank_wolfe import reference_of, towards, whole
from understudy.privacy.purse import Purse
from understudy.question.count import Count
from understudy.question.frame import C, Frame, X
from understudy.question.linear import LinearGradient
from understudy.question.mechanism import Exact
from understudy.vault.gate import Gate

Floats = NDArray[np.float64]
SMOOTH = {"squared": 1.0, "logistic": 0.25, "multinomial": 0.5}  # of the loss, in its height
SIZE = Fraction(1, 50)


@dataclass
class Looker:
    """Where noisy mean gradients come from."""

    gate: Gate
    frame: Frame
    asked: LinearGradient
    divisor: float

    def mean_gradient(self, model: Floats) -> Floats:
        """g~ / (q n^), in units of the loss."""
        asked = LinearGradient(self.asked.mechanism, self.frame, reference_of(whole(model)))
        answer = self.gate.ask(asked)
        assert isinstance(answer, np.ndarray)
        return np.asarray(answer.astype(np.float64).reshape(model.shape) / (X * C * self.divisor))


def looker(gate: Gate, frame: Frame, purse: Purse, steps: int, rate: Fraction) -> Looker:
    """Count the examples, and set the noise of all steps."""
    count = purse.share(SIZE).noisy(Count(Exact()))
    counted = gate.ask(count)
    assert isinstance(counted, np.ndarray)
    n = max(float(counted[0]), 1.0)
    question = LinearGradient(Exact(), frame, reference_of(whole(np.zeros((frame.width, frame.outputs)))))
    rest = purse.share(1 - SIZE)
    if rate == 1:
        return Looker(gate, frame, rest.share(Fraction(1, steps)).noisy(question), n)
    return Looker(gate, frame, rest.sampling(question, rate, steps), float(rate) * n)


def projected_descent(source: Looker, radius: float, steps: int) -> Floats:
    """The average of the last half of the iterates."""
    frame = source.frame
    # f is L-smooth with L = smooth max ||x||^2; eta = 1 / (2 L)
    rate = 1 / (2 * SMOOTH[frame.loss] * (frame.norm2 / X**2))
    model, total = np.zeros((frame.width, frame.outputs)), np.zeros((frame.width, frame.outputs))
    for t in range(steps):
        model = project(model - rate * source.mean_gradient(model), radius)
        total += model * (t >= steps // 2)
    return total / (steps - steps // 2)


def stochastic_frank_wolfe(source: Looker, radius: float, steps: int) -> Floats:
    """Frank-Wolfe on the l1 ball along a running average of the noisy gradients."""
    model = np.zeros((source.frame.width, source.frame.outputs))
    average = np.zeros_like(model)
    for t in range(steps):
        # d_t = (1 - rho_t) d_(t-1) + rho_t g~_t,   rho_t = 4 / (t + 8)^(2/3), at most 1
        mixing = min(1.0, 4 / (t + 8) ** (2 / 3))
        average = (1 - mixing) * average + mixing * source.mean_gradient(model)
        steepest = int(np.abs(average).argmax())
        vertex = steepest if average.ravel()[steepest] < 0 else steepest + model.size
        model = towards(model, vertex, radius, 2 / (t + 2))
    return model


def project(model: Floats, radius: float) -> Floats:
    """The nearest model of norm at most the radius."""
    norm = float(np.sqrt((model**2).sum()))
    return model if norm <= radius else model * (radius / norm)
