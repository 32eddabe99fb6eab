"""README.md of the oracles, from the results."""

from math import comb
from pathlib import Path
from statistics import mean

from scipy.stats import beta

HEAD = """# QueryGAN's oracles, measured

    python experiments/querygan_oracles/run.py

Document 000's game with each sound discriminator oracle on binary columns (a mixture of four products,
`../table_5_1/data.py`), epsilon 1, delta 1e-6, the number of rows private, the workload all three-way marginals. Runs of one
oracle, as many as the coverage table says, are over one table with the seeded twin of the noise; a line is their mean.

| oracle | discriminator | recipe |
|---|---|---|
| A | private best response, cell by cell | `querygan_a` |
| A' | private best responses on pairs, measured too | `querygan_am` |
| B | multiplicative weights over cells | `querygan_b` |
| C | every pair measured once | `querygan` |
| D | linear critic of mean features, measured once: the cells of all 3-way marginals | `querygan_d` |
| E | convex logistic critic by noisy slopes | `querygan_e` |
"""
ACCURACY = """
## Accuracy and bounds

`worst` is the worst three-way cell of the released rows, `mean` the mean of the marginals' worst cells. `direct` is the
certificate's bound on `worst`. `regret` is what Theorem A proves from the game's own answers, at no cost, and `truth` what it
speaks about: for A and B the worst 3-way cell of the mixture of all proposals, for A', C and D the worst measured cell of the
rows (A': only what it chose to measure). E has a regret bound for its own game alone, and none for cells. `seconds` are CPU
seconds of a whole release, in the runs that counted them (A', D and E: five of the twenty).
"""
SETTING = """
### {d} columns, {n:,} rows: {marginals:,} marginals, {cells:,} cells

| oracle | worst | mean | direct | regret | truth | of what | seconds |
|---|---|---|---|---|---|---|---|
"""
COVERAGE = """
## Coverage

How often a bound was missed, with what that says of the chance of a miss (Clopper-Pearson, 95 %). Both are claimed to hold with
probability 95 %; the direct bound shares its 5 % with claims that are not tested here, so it may miss in 3 % of the runs (2 %
for the cell, 1 % for the number of rows). One oracle's runs say little of so small a chance; all of them together do, as they
are certified by the same code.

| columns | oracle | direct: misses | chance of a miss | regret: misses | chance of a miss |
|---|---|---|---|---|---|
"""


def write(found: list[dict], path: Path) -> None:
    """The whole page."""
    runs: dict[tuple[int, int], dict[str, list[dict]]] = {}
    for r in found:
        runs.setdefault((r["d"], r["n"]), {}).setdefault(r["oracle"], []).append(r)
    parts = [HEAD, ACCURACY]
    for (d, n), by_oracle in runs.items():
        parts.append(SETTING.format(d=d, n=n, marginals=comb(d, 3), cells=8 * comb(d, 3)))
        parts += [accuracy_of(oracle, these) + "\n" for oracle, these in by_oracle.items()]
    parts.append(COVERAGE)
    for (d, _), by_oracle in runs.items():
        parts += [f"| {d} {coverage_of(oracle, these)}\n" for oracle, these in by_oracle.items()]
    path.write_text("".join(parts) + f"| all {coverage_of('all', found)}\n")


def accuracy_of(oracle: str, runs: list[dict]) -> str:
    """One line of the first table."""
    cells = [f"{mean(r[key] for r in runs):.4f}" for key in ("worst", "mean", "direct")]
    if "regret" in runs[0]:
        cells += [f"{mean(r[key] for r in runs):.4f}" for key in ("regret", "truth")]
        about = "the mixture, all cells"
        if runs[0]["about"] == "measured":
            about = f"the rows, {runs[0]['measured']} measured marginals"
        cells.append(about)
    else:
        cells += ["none", "-", "-"]
    return f"| {oracle} | {' | '.join(cells)} | {mean(r['seconds'] for r in runs if 'seconds' in r):.1f} |"


def coverage_of(oracle: str, runs: list[dict]) -> str:
    """One line of the second."""
    direct = sum(r["worst"] > r["direct"] for r in runs)
    cells = [f"{direct} of {len(runs)}", interval(direct, len(runs))]
    claimed = [r for r in runs if "regret" in r]
    if claimed:
        regret = sum(r["truth"] > r["regret"] for r in claimed)
        cells += [f"{regret} of {len(claimed)}", interval(regret, len(claimed))]
    else:
        cells += ["none claimed", "-"]
    return f"| {oracle} | {' | '.join(cells)} |"


def interval(misses: int, runs: int) -> str:
    """Both ends of the chance."""
    low = 0.0 if misses == 0 else float(beta.ppf(0.025, misses, runs - misses + 1))
    high = 1.0 if misses == runs else float(beta.ppf(0.975, misses + 1, runs - misses))
    return f"{low:.1%} to {high:.1%}"
