"""README.md of the oracles, from the results."""

from pathlib import Path
from statistics import mean

from scipy.stats import beta

HEAD = """# QueryGAN's oracles, measured

    python experiments/querygan_oracles/run.py

Document 000's game with each sound discriminator oracle: 3,000 rows of 6 binary columns (a mixture of four products,
`../table_5_1/data.py`), epsilon 1, delta 1e-6, the number of rows private, the workload all 20 three-way marginals (160 cells).
Runs of one oracle, as many as the second table says, are over one table with the seeded twin of the noise; a line is their
mean.

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

`worst` is the worst of the 160 cells of the released rows, `mean` the mean of the marginals' worst cells. `direct` is the
certificate's bound on `worst`. `regret` is what Theorem A proves from the game's own answers, at no cost, and `truth` what it
speaks about: for A and B the worst 3-way cell of the mixture of all proposals, for A', C and D the worst measured cell of the
rows (A': only what it chose to measure). E has a regret bound for its own game alone, and none for cells.

| oracle | worst | mean | direct | regret | truth | of what | seconds |
|---|---|---|---|---|---|---|---|
"""
COVERAGE = """
## Coverage

How often a bound was missed, with what that says of the chance of a miss (Clopper-Pearson, 95 %). Both are claimed to hold with
probability 95 %; the direct bound shares its 5 % with claims that are not tested here, so it may miss in 3 % of the runs (2 %
for the cell, 1 % for the number of rows).

| oracle | direct: misses | chance of a miss | regret: misses | chance of a miss |
|---|---|---|---|---|
"""


def write(found: list[dict], path: Path) -> None:
    """The whole page."""
    oracles = list(dict.fromkeys(r["oracle"] for r in found))
    runs = {oracle: [r for r in found if r["oracle"] == oracle] for oracle in oracles}
    accuracy, coverage = (
        "\n".join(line(oracle, r) for oracle, r in runs.items()) for line in (accuracy_of, coverage_of)
    )
    path.write_text(HEAD + ACCURACY + accuracy + "\n" + COVERAGE + coverage + "\n")


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
    return f"| {oracle} | {' | '.join(cells)} | {mean(r['seconds'] for r in runs):.1f} |"


def coverage_of(oracle: str, runs: list[dict]) -> str:
    """One line of the second."""
    direct = sum(r["worst"] > r["direct"] for r in runs)
    cells = [f"{direct} of {len(runs)}", interval(direct, len(runs))]
    if "regret" in runs[0]:
        regret = sum(r["truth"] > r["regret"] for r in runs)
        cells += [f"{regret} of {len(runs)}", interval(regret, len(runs))]
    else:
        cells += ["none claimed", "-"]
    return f"| {oracle} | {' | '.join(cells)} |"


def interval(misses: int, runs: int) -> str:
    """Both ends of the chance."""
    low = 0.0 if misses == 0 else float(beta.ppf(0.025, misses, runs - misses + 1))
    high = 1.0 if misses == runs else float(beta.ppf(0.975, misses + 1, runs - misses))
    return f"{low:.1%} to {high:.1%}"
