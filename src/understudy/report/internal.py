"""The internal report: the released rows beside the private ones, in the clear. For the owner's eyes, never published.

Law.  Every figure in it is computed from private rows without noise, so the whole page is private. It is stamped so,
is written with permissions for its owner alone, and never inside a bundle or beside one (`place`).

In brackets stands the best achievable value: for total variations what a fresh sample of as many private rows would have
(measure/variation.py), for what is learned what the private rows themselves teach, and elsewhere what one half of the
private table comes to beside the other.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from markupsafe import Markup

from understudy.game.player import Codes, Columns
from understudy.measure.association import associations, correlations
from understudy.measure.clustering import separation
from understudy.measure.components import compare, components
from understudy.measure.divergence import chi_square, jensen_shannon
from understudy.measure.features import features
from understudy.measure.outliers import beyond, unseen
from understudy.measure.transfer import transfer
from understudy.measure.variation import variations, ways_within
from understudy.publish.report.kept import bounds_of
from understudy.refusal import Misuse, StorageRefused
from understudy.report.comparison import changes, thinned
from understudy.schema.column import Boolean, Listed, Moment, Number
from understudy.schema.schema import Schema

FORMAT = "understudy internal report 1"
CELLS, MARGINALS = 10**6, 1_000  # of one marginal; of one number of ways
ROWS = 5_000  # that clusters, directions and learners see
TARGETS, CLUSTERS, DIRECTIONS = 6, 10, 5
Tell = Callable[[str], None]


@dataclass(frozen=True)
class Internal:
    """Two tables of codes under one schema, the certificate of one, and pictures: by column, its own and the private ones."""

    schema: Schema
    certificate: dict[str, Any]
    real: Codes
    synthetic: Codes
    pictures: tuple[tuple[str, Markup, Markup], ...] = ()

    def facts(self, tell: Tell = lambda words: None) -> dict[str, Any]:
        """Every figure of the page. All of them are private."""
        rows = [len(next(iter(table.values()))) for table in (self.real, self.synthetic)]
        if min(rows) < 2:
            raise Misuse(
                "there is nothing to compare: a table has fewer than two rows", "give the table of the release"
            )
        tell("comparing marginals")
        variation = [self.ways(k) for k in (1, 2, 3) if k <= len(self.schema.domain)]
        columns = [self.column(name) for name in self.schema.domain]
        tell("comparing associations")
        linked = self.linked()
        tell("comparing clusters and directions")
        space = self.space()
        tell("training on synthetic rows, testing on private ones")
        learned = [vars(transfer(*self.split(), self.schema, target)) for target in self.targets()]
        return {
            "format": FORMAT,
            "internal": True,
            "table": self.schema.name,
            "release": self.certificate["release"],
            "rows": {"private": rows[0], "synthetic": rows[1]},
            "variation": variation,
            "certificate": self.held(),
            "columns": columns,
            **linked,
            **space,
            "transfer": learned,
        }

    def ways(self, k: int) -> dict[str, Any]:
        """The k-way marginals: their mean and their worst, each with what a sample would have."""
        ways = ways_within(self.schema, k, CELLS, MARGINALS)
        found = variations(self.real, self.synthetic, self.schema, ways)
        worst = sorted(found, key=lambda one: -one[1])
        return {
            "ways": k,
            "marginals": len(found),
            "mean": mean([tv for _, tv, _ in found]),
            "mean_achievable": mean([best for _, _, best in found]),
            "worst": [{"columns": list(c), "variation": tv, "achievable": best} for c, tv, best in worst[:10]],
        }

    def pairs(self) -> list[tuple[Columns, float, float]]:
        """Every pair of columns, its total variation, and what a sample would have."""
        return variations(self.real, self.synthetic, self.schema, ways_within(self.schema, 2, CELLS, CELLS))

    def held(self) -> dict[str, Any]:
        """Whether the certified bounds held: with probability 95 % all of them do."""
        bounds = bounds_of(self.certificate).certified
        ways = [columns for columns in bounds if self.schema.cells(columns) <= CELLS][:MARGINALS]
        found = variations(self.real, self.synthetic, self.schema, ways)
        slack = [bounds[columns] - tv for columns, tv, _ in found]
        return {
            "checked": len(found),
            "held": sum(left >= 0 for left in slack),
            "least_slack": min(slack, default=None),
        }

    def column(self, name: str) -> dict[str, Any]:
        """One column: three distances, and its outliers where it has an order."""
        column, cells = self.schema.column(name), self.schema.domain[name]
        p, q = (np.bincount(table[name], minlength=cells) for table in (self.real, self.synthetic))
        ((_, tv, best),) = variations(self.real, self.synthetic, self.schema, [(name,)])
        halves = [np.bincount(self.real[name][start::2], minlength=cells) for start in (0, 1)]
        found: dict[str, Any] = {
            "column": name,
            "variation": tv,
            "achievable": best,
            "jensen_shannon": jensen_shannon(p, q),
            "jensen_shannon_achievable": jensen_shannon(*halves),
            "chi_square": chi_square(p, q).per_freedom,
        }
        if isinstance(column, Number | Moment):
            there = [table[name][table[name] < column.values_size] for table in (self.real, self.synthetic)]
            found["beyond_fences"] = list(beyond(there[0], there[1]))
        return found

    def linked(self) -> dict[str, Any]:
        """Correlations and associations, and cells that no private row has."""
        one, other = thinned(self.real, 2, 0), thinned(self.real, 2, 1)
        found: dict[str, Any] = {}
        for name, measured in {"correlation": correlations, "association": associations}.items():
            found[name] = changes(*(measured(table, self.schema) for table in (self.real, self.synthetic, one, other)))
        pairs = ways_within(self.schema, 2, CELLS, MARGINALS)
        empty = sorted(((unseen(self.real, self.synthetic, self.schema, p), p) for p in pairs), reverse=True)
        usual = mean([unseen(one, other, self.schema, p) for p in pairs])
        worst = [{"columns": list(p), "share": share} for share, p in empty[:10] if share > 0]
        return found | {"unseen": {"mean": mean([s for s, _ in empty]), "achievable": usual, "worst": worst}}

    def space(self) -> dict[str, Any]:
        """Clusters and principal directions, of some rows of each table."""
        names = tuple(self.schema.domain)
        few = [features(sparse(table), self.schema, names) for table in (self.real, self.synthetic)]
        one, other = few[0][::2], few[0][1::2]
        k = min(DIRECTIONS, few[0].shape[1])
        found, usual = (compare(components(a, k), components(b, k)) for a, b in (few, (one, other)))
        shares = components(few[0], k).variances
        return {
            "components": {
                "directions": [
                    {"variance": v, "raw": r, "free": f, "angle": a, "achievable": u}
                    for v, r, f, a, u in zip(
                        *numbers(shares, found.raw, found.free, found.angle, usual.angle), strict=True
                    )
                ],
                "space": found.space,
                "space_achievable": usual.space,
            },
            "clusters": {
                "clusters": CLUSTERS,
                "separation": separation(few[0], few[1], CLUSTERS),
                "achievable": separation(one, other, CLUSTERS),
            },
        }

    def split(self) -> tuple[Codes, Codes, Codes]:
        """Private rows to train on, synthetic rows to train on, private rows to test on: two thirds and one third."""
        place = np.arange(len(next(iter(self.real.values())))) % 3
        train = {name: column[place > 0] for name, column in self.real.items()}
        test = {name: column[place == 0] for name, column in self.real.items()}
        return sparse(train), sparse(self.synthetic), sparse(test)

    def targets(self) -> Columns:
        """What is told from the rest: a few columns, short lists first, for these are what people predict."""
        columns = self.schema.modelled if len(self.schema.domain) > 1 else ()
        lists = [c.name for c in columns if isinstance(c, Listed | Boolean) and 2 <= c.size <= 20]
        ranked = [c.name for c in columns if isinstance(c, Number | Moment) and c.size > 2]
        return (*lists[-4:], *ranked[: TARGETS - len(lists[-4:])])


def numbers(*arrays: Any) -> list[list[float]]:
    """Arrays as lists of plain numbers."""
    return [np.asarray(array, dtype=np.float64).tolist() for array in arrays]


def mean(values: list[float]) -> float:
    """The mean; 0 of nothing."""
    return float(np.mean(values)) if values else 0.0


def sparse(table: Codes) -> Codes:
    """At most ``ROWS`` rows, evenly over the table."""
    return thinned(table, -(-len(next(iter(table.values()))) // ROWS), 0)


def place(out: Path, bundle: Path) -> Path:
    """Where the page may go: nowhere in or beside a bundle, and nothing is overwritten."""
    folder, target = bundle.resolve(), out.resolve()
    inside = [up for up in target.parents if (up / "certificate.json").exists()]
    if inside or target.parent in (folder, folder.parent):
        raise StorageRefused(
            "an internal report shows private rows, so it is not written in a bundle or beside one",
            "choose a folder that is never published, such as --out internal/report.html",
        )
    if target.exists():
        raise StorageRefused(f"'{out}' is there already", "choose another name, or remove it yourself")
    return target


def write_private(path: Path, content: bytes) -> None:
    """A file that its owner alone can read, in a folder that its owner alone can open if it is new."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
    except OSError as wrong:
        raise StorageRefused(
            f"'{path}' could not be written: {wrong.strerror or 'the disk refused'}", "choose another place for it"
        ) from None
