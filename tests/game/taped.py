"""Tapes without a table: marginals of a known distribution, with noise of a known size."""

import numpy as np

from understudy.schema.column import Listed
from understudy.schema.schema import Schema, Unit
from understudy.vault.tape import Tape

N = 20_000


def schema_of(sizes: dict[str, int]) -> Schema:
    """Columns of so many cells each; the number of rows is public."""
    columns = tuple(Listed(name, values=tuple(range(cells))) for name, cells in sizes.items())
    return Schema("taped", Unit("person"), columns, n=N)


def tape_of(truth: np.ndarray, schema: Schema, looks: list[list[tuple[str, ...]]], sigma: float, seed: int = 0) -> Tape:
    """Marginals of a distribution over the schema's domain, look by look."""
    rng, names = np.random.default_rng(seed), list(schema.domain)
    tape = Tape({"release": "taped", "coin": "00"})
    for cliques in looks:
        exact = [N * margin(truth, names, clique).ravel() for clique in cliques]
        noisy = np.rint(np.concatenate(exact) + rng.normal(scale=sigma, size=sum(map(len, exact)))).astype(np.int64)
        mechanism = {"kind": "DiscreteGaussian", "sigma2": str(round(sigma**2) or 1)}
        tape.append({"kind": "marginals", "cliques": [list(c) for c in cliques], "mechanism": mechanism}, {}, noisy)
    return tape


def margin(truth: np.ndarray, names: list[str], clique: tuple[str, ...]) -> np.ndarray:
    """The marginal of a distribution, its axes in the clique's order."""
    kept = [name for name in names if name in clique]
    summed = truth.sum(axis=tuple(i for i, name in enumerate(names) if name not in clique))
    return summed.transpose([kept.index(name) for name in clique])


def variation(a: np.ndarray, b: np.ndarray) -> float:
    """Total variation distance."""
    return float(np.abs(a - b).sum() / 2)
