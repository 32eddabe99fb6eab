"""Graphical: the Markov random field of largest entropy that fits the noisy marginals on the tape (mbi 2).

    p(x) proportional to exp( sum over measured cliques c of theta_c(x_c) ),   theta by mirror descent on the marginals

It is exact on the junction tree of the measured cliques, so the tree must be small: a query player that keeps its pairs
a forest keeps it as small as can be. The fit stops when it no longer gains.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy.game import jax as lazy
from understudy.game.data.product import Product, product_of
from understudy.game.measurement import measurements, size
from understudy.game.player import GUESSES, Codes, Columns, Forecast, Model, refuse_wide
from understudy.refusal import Misuse
from understudy.schema.schema import Schema
from understudy.vault.tape import Tape

STEPS, TOLERANCE = 1000, 1e-4
WIDEST = 20_000  # cells of all columns together


def load_mbi() -> Any:
    """The mbi module over a configured JAX; refused in words where it is not installed."""
    lazy.load()
    try:
        import mbi
    except ImportError:
        raise Misuse("graphical recipes need mbi, which is not installed", "pip install 'understudy[all]'") from None
    return mbi


@GUESSES.add("graphical")
@dataclass(frozen=True, eq=False)
class Graphical:
    """A fitted Markov random field."""

    field: Any

    kind: ClassVar[str] = "graphical"

    def marginal(self, columns: Columns) -> NDArray[np.float64]:
        """By variable elimination on the junction tree."""
        table = np.asarray(self.field.project(columns).datavector(flatten=False), dtype=np.float64)
        positive = np.maximum(table, 0)
        return np.asarray(positive / positive.sum())

    def rows(self, n: int, rng: np.random.Generator) -> Codes:
        """n rows, column after column along the junction tree, with rounding instead of independent draws."""
        if n == 0:
            return {name: np.zeros(0, dtype=np.int64) for name in self.field.domain.attributes}
        with public_randomness(rng):
            drawn = self.field.synthetic_data(rows=n)
        return {name: np.asarray(drawn.data[name], dtype=np.int64) for name in self.field.domain.attributes}

    def model(self) -> Model:
        cliques = [list(clique) for clique in self.field.potentials.cliques]
        arrays = {f"theta.{i}": self.field.potentials[tuple(clique)] for i, clique in enumerate(cliques)}
        return {"cliques": cliques}, {name: np.asarray(theta.values) for name, theta in arrays.items()}

    @staticmethod
    def rebuild(words: dict[str, Any], arrays: dict[str, NDArray[Any]], schema: Schema) -> "Graphical":
        """The guess of a model file: its potentials, and the marginals that follow from them."""
        mbi = load_mbi()
        domain = mbi.Domain(tuple(schema.domain), tuple(schema.domain.values()))
        cliques = [tuple(clique) for clique in words["cliques"]]
        factors = {c: mbi.Factor(domain.project(c), arrays[f"theta.{i}"]) for i, c in enumerate(cliques)}
        potentials = mbi.CliqueVector(domain, cliques, factors)
        oracle = mbi.marginal_oracles.default_oracle(cliques, domain, has_constraints=False)
        return Graphical(mbi.MarkovRandomField(potentials=potentials, marginals=oracle(potentials, 1.0), total=1.0))


@dataclass
class GraphicalPlayer:
    """Fits a Markov random field to the tape; between measurements the guess stays as it is."""

    _fitted: tuple[int, Graphical | Product] | None = field(default=None, repr=False)

    def forecast(self, schema: Schema) -> Forecast:
        """A forest of pairs: at worst the two widest columns are joined, for every column."""
        refuse_wide(schema, WIDEST)
        sizes = sorted(schema.domain.values())
        pairs = len(sizes) * (sizes[-1] * sizes[-2] if len(sizes) > 1 else sizes[-1])
        return Forecast(megabytes=600 + 80 * pairs / 1e6, seconds=10 + STEPS * pairs * 2e-8)

    def fit(self, tape: Tape, schema: Schema) -> Graphical | Product:
        """The field of the tape so far; with single columns only, that is their product."""
        looks = len(tape.of("marginals"))
        if self._fitted is None or self._fitted[0] != looks:
            self._fitted = looks, self._fit(tape, schema)
        return self._fitted[1]

    def _fit(self, tape: Tape, schema: Schema) -> Graphical | Product:
        measured = measurements(tape, schema)
        if all(len(m.columns) == 1 for m in measured):
            return product_of(tape, schema)
        mbi = load_mbi()
        domain = mbi.Domain(tuple(schema.domain), tuple(schema.domain.values()))
        n = max(size(tape, schema), 1)
        noisy = [
            mbi.LinearMeasurement(m.counts.ravel() / n, m.columns, stddev=max(m.variance, 1e-9) ** 0.5 / n)
            for m in measured
        ]
        fitted = mbi.estimation.MirrorDescent().estimate(domain, noisy, known_total=1.0, iters=STEPS, tol=TOLERANCE)
        return Graphical(fitted)


@contextmanager
def public_randomness(rng: np.random.Generator) -> Iterator[None]:
    """mbi draws from NumPy's global generator: lend it one state, and put the old one back."""
    before = np.random.get_state()
    np.random.seed(rng.integers(2**32, size=8, dtype=np.uint32))
    try:
        yield
    finally:
        np.random.set_state(before)
