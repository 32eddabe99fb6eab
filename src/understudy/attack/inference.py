"""Attribute inference and singling out: what synthetic rows tell of a person, beside what they tell of anybody.

    attribute inference   guess a secret column from the others, by the synthetic rows that agree with most of them. What
                          it gets right of outsiders is knowledge of the population; members minus outsiders is the leak.
    singling out          predicates that one synthetic row alone satisfies, tried on the private rows and on a control table
                          of the same size: how many hold for exactly one row. Only the difference is a leak.

Both give shares with Clopper-Pearson intervals. (Definitions after Giomi and others 2023, Anonymeter.)
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv

from understudy.attack.tables import differing

Codes = Mapping[str, NDArray[np.integer]]


@dataclass(frozen=True)
class Excess:
    """Hits among members beside hits in the control group."""

    attack: str
    hits: int
    tries: int
    control_hits: int
    control_tries: int

    @property
    def leak(self) -> float:
        """The share of hits beyond the control's."""
        return self.hits / self.tries - self.control_hits / self.control_tries

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """An interval for the leak: the ends of both groups' intervals, each with half of the error."""
        error = (1 - confidence) / 4
        low, high = ends(self.hits, self.tries, error)
        least, most = ends(self.control_hits, self.control_tries, error)
        return low - most, high - least


def ends(hits: int, tries: int, error: float) -> tuple[float, float]:
    """Clopper-Pearson."""
    low = float(betaincinv(hits, tries - hits + 1, error)) if hits else 0.0
    high = 1 - float(betaincinv(tries - hits, hits + 1, error)) if hits < tries else 1.0
    return low, high


def infer(members: Codes, outsiders: Codes, synthetic: Codes, secret: str) -> Excess:
    """Guess the secret column of members and of outsiders."""
    right = [int((guess(people, synthetic, secret) == people[secret]).sum()) for people in (members, outsiders)]
    return Excess(f"attribute inference: {secret}", right[0], len(members[secret]), right[1], len(outsiders[secret]))


def guess(people: Codes, synthetic: Codes, secret: str) -> NDArray[np.integer]:
    """The commonest secret among the synthetic rows nearest in all other columns."""
    known = {name: codes for name, codes in people.items() if name != secret}
    rows = {name: synthetic[name] for name in known}
    cells = int(max(people[secret].max(initial=0), synthetic[secret].max(initial=0))) + 1
    votes = np.eye(cells)[np.asarray(synthetic[secret], dtype=np.intp)]
    found = [
        ((block == block.min(axis=1, keepdims=True)).astype(np.float64) @ votes).argmax(axis=1)
        for block in differing(known, rows)
    ]
    return np.concatenate(found)


def single_out(private: Codes, control: Codes, synthetic: Codes, tries: int, rng: np.random.Generator) -> Excess:
    """Predicates that are unique in the synthetic rows: conjunctions of a few columns of one row."""
    names, rows = list(synthetic), len(next(iter(synthetic.values())))
    hits, control_hits, made = 0, 0, 0
    for _ in range(20 * tries):
        if made == tries:
            break
        columns = rng.choice(names, size=min(len(names), int(rng.integers(2, 6))), replace=False)
        row = int(rng.integers(rows))
        wanted = {name: synthetic[name][row] for name in columns}
        if matching(synthetic, wanted) == 1:
            made += 1
            hits += matching(private, wanted) == 1
            control_hits += matching(control, wanted) == 1
    return Excess("singling out", hits, max(made, 1), control_hits, max(made, 1))


def matching(rows: Codes, wanted: Mapping[str, np.integer]) -> int:
    """How many rows have these cells."""
    return int(np.logical_and.reduce([rows[name] == cell for name, cell in wanted.items()]).sum())
