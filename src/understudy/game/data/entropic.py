"""Entropic: the distribution nearest to a product that explains noisy marginals as well as their noise warrants.

    minimise over p     sum over measured cells of (p(cell) - y(cell))^2 / (2 v(cell))  +  price KL(p || q)

where q is a product of columns, y the noisy frequencies and v their variances. The information that p has beyond q is
paid for, so what the noise could have made is not learned. Its dual is smooth, strongly convex and without constraints:

    p_theta(x) = q(x) exp( sum over measured cliques c of theta_c(x_c) ) / Z
    minimise over theta     log Z  -  <theta, y>  +  price / 2 sum v theta^2,      gradient:  p_theta - y + price v theta

It is solved by limited-memory BFGS from the last solution, and stops where the gradient is small beside the noise.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from understudy.game.data.junction import Calibrated, Clique, Tree, calibrate, spread, summed

MEMORY = 10

Array = NDArray[np.float64]
Slope = Callable[[Array], tuple[float, Array]]


@dataclass(frozen=True, eq=False)
class Seen:
    """Noisy frequencies of one clique, with the variance of each."""

    clique: Clique
    frequency: Array
    variance: Array


@dataclass(frozen=True, eq=False)
class Dual:
    """The dual function of one tree, one product q (as logarithms, one array a column) and what was seen."""

    tree: Tree
    base: list[Array]
    seen: list[Seen]
    price: float

    def field(self, theta: list[Array]) -> Calibrated:
        """p_theta."""
        return calibrate(self.tree, factors(self.tree, self.base, [s.clique for s in self.seen], theta))

    def slope(self, flat: Array) -> tuple[float, Array]:
        """The dual and its gradient, over all of theta in one vector."""
        theta = self.parts(flat)
        found = self.field(theta)
        value, gradient = found.log_z, []
        for s, t in zip(self.seen, theta, strict=True):
            home = host(self.tree, s.clique)
            paid = self.price * s.variance * t
            value += float(np.vdot(t, paid / 2 - s.frequency))
            gradient.append(
                (summed(found.beliefs[home], self.tree[home].columns, s.clique) - s.frequency + paid).ravel()
            )
        return value, np.concatenate(gradient)

    def parts(self, flat: Array) -> list[Array]:
        """One vector as one table a clique."""
        ends = np.cumsum([s.frequency.size for s in self.seen])[:-1]
        return [part.reshape(s.frequency.shape) for part, s in zip(np.split(flat, ends), self.seen, strict=True)]


def host(tree: Tree, clique: Clique) -> int:
    """The node with the fewest columns that has a clique."""
    return min((i for i, n in enumerate(tree) if set(clique) <= set(n.columns)), key=lambda i: len(tree[i].columns))


def factors(tree: Tree, base: list[Array], cliques: list[Clique], theta: list[Array]) -> list[Array]:
    """The logarithms of the nodes' factors: each column of q and each theta goes to one node."""
    shapes = [tuple(len(base[v]) for v in node.columns) for node in tree]
    logs = [np.zeros(shape) for shape in shapes]
    for clique, table in [*(((v,), b) for v, b in enumerate(base)), *zip(cliques, theta, strict=True)]:
        home = host(tree, clique)
        logs[home] += spread(table, clique, tree[home].columns)
    return logs


def descend(slope: Slope, start: Array, small: Callable[[Array], bool], steps: int) -> Array:
    """Limited-memory BFGS with Armijo's rule, until the gradient is small."""
    x = start
    value, gradient = slope(x)
    moves, bends = list[Array](), list[Array]()
    for _ in range(steps):
        if small(gradient):
            break
        direction = -newton(gradient, moves, bends)
        along, length = float(direction @ gradient), 1.0
        while True:
            new_value, new_gradient = slope(x + length * direction)
            if new_value <= value + 1e-4 * length * along or length < 1e-9:
                break
            length /= 2
        move, bend = length * direction, new_gradient - gradient
        if float(move @ bend) > 1e-12 * float(bend @ bend):
            moves, bends = [*moves, move][-MEMORY:], [*bends, bend][-MEMORY:]
        x, value, gradient = x + move, new_value, new_gradient
    return x


def newton(gradient: Array, moves: list[Array], bends: list[Array]) -> Array:
    """The gradient times an estimate of the inverse Hessian, by the two loops."""
    q, alphas = gradient.copy(), list[float]()
    for s, y in zip(reversed(moves), reversed(bends), strict=True):
        alphas.append(float(s @ q) / float(s @ y))
        q -= alphas[-1] * y
    if moves:
        q *= float(moves[-1] @ bends[-1]) / float(bends[-1] @ bends[-1])
    for s, y, alpha in zip(moves, bends, reversed(alphas), strict=True):
        q += (alpha - float(y @ q) / float(s @ y)) * s
    return np.asarray(q)
