"""Writes docs/guarantees.md: what each recipe costs, what is proved of it, how long it takes and when to choose it.

    python docs/make_guarantees.py

Costs and choices come from the recipes, errors and times from the experiments' results; what is proved is written here. A test
compares the page with what this makes, so that the two cannot drift apart.
"""

import json
import sys
from dataclasses import dataclass
from pathlib import Path

import understudy

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "guarantees.md"
TABLE_5_1, ADULT = (ROOT / "experiments" / name for name in ("table_5_1", "adult"))
sys.path.insert(0, str(TABLE_5_1))

from report import fitted  # noqa: E402


@dataclass(frozen=True)
class Proof:
    """What is true of a recipe's error, and what its time grows with."""

    error: str
    time: str


MEASURED = "every *measured* cell is known within sigma z / n; how near the model comes to it is not proved"
CHOSEN = f"{MEASURED}. Each choice is within s ln(k T / beta) of the best"
SELECTED = "2 sqrt(2 ln X / T) + s ln(2 K T / beta) / n"
SAME_LOOK = f"{MEASURED}: the regret bound of oracle C, 0 + noise, free with every release"
MOMENTS = "every sum and second moment of clipped rows within sigma z; of cells nothing, for no table is quite normal"
NONE = "none: nothing is proved of networks against each other; the direct certificate holds all the same"

PROOFS = {
    "independent": Proof(
        "every one-way cell within sigma z / n; nothing about relations", "n d; the cells of the columns"
    ),
    "querygan": Proof(
        SAME_LOOK,
        "n d^2; 600 steps of components x (cells of all columns)^2; up to 300 calibrations of a tree of 100,000 cells",
    ),
    "network": Proof(SAME_LOOK, "as `querygan`, through a network"),
    "rap": Proof(SAME_LOOK, "as `querygan`"),
    "private_gsd": Proof(SAME_LOOK, "n d^2; generations x children x pairs"),
    "pairs": Proof(CHOSEN, "n d^2 a choice; as `querygan`"),
    "mst": Proof(CHOSEN + "; exact on its tree", "n d^2 a choice; the cells of d - 1 pairs, some hundred times"),
    "aim": Proof(
        CHOSEN + ", among the marginals that there is room for", "rounds x (n x candidates + fits of `room` cells)"
    ),
    "oneshot": Proof(
        MEASURED + "; a marginal that was passed over is off by at most twice the largest noise on the errors more",
        "n x candidates once; one fit of `room` cells",
    ),
    "blocks": Proof(
        f"of the cells: {MEASURED}; every sorted degree within sigma z, before it is cleaned",
        "as `querygan`; the nodes",
    ),
    "pategan": Proof(
        "every vote within sigma z of what the teachers said; nothing about the student",
        "rounds x (n d candidates + sweeps over all pairs)",
    ),
    "gem": Proof(CHOSEN, "3 trainings of a network"),
    "querygan_am": Proof(CHOSEN, "4 fits as `querygan`"),
    "privbayes": Proof(
        "every *measured* family within sigma z / n; an error of a family is carried on to its children's children",
        "d rounds of at most d^3 / 16 families; no fit",
    ),
    "mwem": Proof(
        "all K cells, for the published step and single cells: O((ln X)^(1/4) (ln K)^(1/2) / (n sqrt(rho))^(1/2)); refitted to "
        "whole marginals, as here, it is nearer, and the published proof does not cover it",
        "rounds x (n x candidates + 300 X): the table of all cells",
    ),
    "pep": Proof(
        "a model within a standard deviation of every measured cell, where the fit ended; of other cells nothing is proved",
        "rounds x (n x candidates + 100 calibrations of `room` cells)",
    ),
    "dual_frank_wolfe": Proof(
        f"all K cells, before the run: {SELECTED} + a ln X, by Gibbs chains 2 mean(e_t) + e_T more; at every iterate max error "
        "<= g(q_t) + a ln X; on the population sqrt(ln(2 K / beta) / (2 n)) more",
        "T x (n d^k + X), or a junction tree, or Gibbs chains: 10^30 cells are no limit",
    ),
    "dualquery": Proof(
        "all K cells, after the run: (payoff + R) / T with R = s ln K + n sqrt(2 T ln(1 / beta) / f); "
        "O((ln X)^(1/6) (ln K)^(1/2) / (eps n)^(1/3)) where each response is the best, which SCIP's limit does not promise",
        "T draws and one integer program each",
    ),
    "dqrs": Proof(
        "none: draws are kept by a public coin, not by the publication's private one, so its rate is not this recipe's",
        "T / 4 rounds of new draws, one integer program a round",
    ),
    "fem": Proof(
        "all K cells, after the run: (payoff + R) / T, R = sum of s ln(2 K T / beta); the published rate is for other "
        "constants and perfect solvers",
        "16 T integer programs",
    ),
    "sepfem": Proof("as `fem`", "16 T integer programs"),
    "querygan_a": Proof(
        "all K cells of the mixture, after the run: (payoff + R) / T, R = sum of s ln(2 K T / beta)",
        "T x (n K / cells + sweeps of the generator)",
    ),
    "querygan_b": Proof(
        "all K cells of the mixture, after the run: (payoff + R) / T, R = s ln K + n sqrt(2 T ln(1 / beta) / f)",
        "as `querygan_a`, for every draw",
    ),
    "querygan_d": Proof(
        "every cell of the workload is known within sigma z / n; regret of the linear critic: the norm of the noise over n",
        "n K / cells once; 64 sweeps of the generator",
    ),
    "querygan_e": Proof(
        "O(sqrt T) regret for the logistic game alone; no marginal is bounded by it", "12 slopes and sweeps"
    ),
}

PROOFS |= {
    "gaussian": Proof(MOMENTS, "n D^2 for D coordinates; D^3 a class"),
    "private_pca": Proof(
        MOMENTS + "; directions lost in the noise are left out", "n D^2; D^3, and less for each class"
    ),
    "ron_gauss": Proof(MOMENTS + ", after a public projection that forgets the rest", "n D p for p directions; p^3"),
    "ron_gauss_mixture": Proof(MOMENTS + ", after a public projection that forgets the rest", "n D p; p^3 a class"),
    "copula": Proof(
        "every one-way cell within sigma z / n, every second moment of scores within sigma z; of pairs of cells nothing",
        "n d^2; d^3 a class",
    ),
    "dp_merf": Proof(
        "every mean feature within sigma z / n; how near the generator comes to them is not proved",
        "n D F for F frequencies once; the training of a network",
    ),
    "dpgan": Proof(NONE, "steps x (n coins + a sample's gradients); T grows with the budget and n"),
    "ron_dpgan": Proof(NONE, "as `private_pca`, then as `dpgan`"),
    "warm_dpgan": Proof(NONE, "as `pairs`, 300 steps of a school, then as `dpgan`"),
    "dcgan": Proof(NONE, "as `dpgan`, through convolutions"),
}

HEAD = """# Guarantees

Made by `docs/make_guarantees.py` from the recipes and from the experiments' results: edit those, not this page.

**Privacy** is the same for every recipe and is proved once (`proof/gate.md`): what was asked at the gate adds up to
at most the (epsilon, delta) that was named, and all else follows from the answers. **Accuracy** has one theorem for
all as well: the direct certificate (`proof/certificate.md`) bounds the errors of the released rows with 95 %
confidence, whatever the recipe did, or failed to do. What a recipe proves of itself, over and above that, is below.

n rows, d columns, X cells of the table of all columns, K cells of the workload, T rounds of k candidates, f draws a
round, every statement with probability 1 - beta. rho' is the part of the budget (zCDP) that a step gets: w marginals
measured at once have noise sigma = sqrt(w / (2 rho')), T selections s = sqrt(T / (2 rho')), both in rows, for a
person of one row; z = sqrt(2 ln(2 K / beta)). Rounds are capped for the sake of time, so that errors fall more slowly
where n is large than a rate says.

"""

CLASSES = """
## Which questions

A workload lists them (`question/listed.py`); the certificate is about all of them, whatever the recipe. Recipes that choose
single cells choose among listed queries too; the others fit marginals.

| class | how it is written | in code |
|---|---|---|
| k-way marginals | `2way`, `3way:income`, lists of columns | every cell of each |
| monotone conjunctions | `"conjunctions": 3` | `Box`: yes to each of three columns; relu(x_1 + x_2 + x_3 - 2) on bits |
| conjunctions of ranges | `"queries": [{"cells": {"age": [2, 5], "sex": [1, 1]}}]` | `Box` |
| prefixes and ranges of one column | `"prefixes": ["age"]`, `"ranges": ["dose"]` | `Box` |
| thresholds: one-layer networks with a step | `"queries": [{"sum": {"age": 1, "dose": -2}, "at_least": 3}]` | `HalfSpace` |
| random features: the mean of a kernel | a question, not a workload | `MeanFeatures` of `Waves` (`proof/mean_features.md`) |

"""

PRINTED = """
## Table 5.1 of document 001, corrected

What is printed there, what is true, and what was measured: the worst of 960 three-way cells of 10 binary columns,
epsilon 1, delta 1e-6 ([the experiment](../experiments/table_5_1/README.md), with d, |Q| and epsilon too). A theorem
bounds from above, up to a constant.

"""
NOTES = """
MWEM's ln(1/delta) has the power 1/4; 1/2 is printed. What is printed as sepFEM is FEM's. "This work" pairs the wrong
norms and takes its step from private numbers; with q_0 = 0, the public step and the right norms the same algorithm
has MWEM's rate, the best up to logarithms (Bun, Ullman and Vadhan, 2014), and both visit every cell of the table. The
exponents of FEM, sepFEM and DQRS are quoted from their publications, and were not derived again.
"""


@dataclass(frozen=True)
class Row:
    """One line of table 5.1: what is printed, what is true, and whose runs stand beside it."""

    printed: str
    true: str
    who: str


LINES = {
    "MWEM": Row(
        "d^(1/4) ln^(1/2) Q ln^(1/2)(1/delta) / (eps N)^(1/2)",
        "d^(1/4) ln^(1/2) Q ln^(1/4)(1/delta) / (eps N)^(1/2)",
        "mwem",
    ),
    "DualQuery": Row("d^(1/6) ln^(1/2) Q ln^(1/6)(1/delta) / (eps N)^(1/3)", "the same", "dualquery"),
    "FEM": Row("not listed", "d^(3/4) ln^(1/2) Q ln^(1/2)(1/delta) / (eps N)^(1/2)", "fem"),
    "sepFEM": Row(
        "d^(3/4) ln^(1/2) Q ln^(1/2)(1/delta) / (eps N)^(1/2)",
        "d^(5/8) ln^(1/2) Q ln^(1/2)(1/delta) / (eps N)^(1/2)",
        "sepfem",
    ),
    "DQRS": Row("d^(1/5) ln^(3/5) Q ln^(1/5)(1/delta) / (eps N)^(2/5)", "the same, for private coins", "dqrs"),
    "This work": Row(
        "d^(1/5) ln^(2/5) Q ln^(1/5)(1/delta) / (eps N)^(2/5)", "the same, up to the private step", "printed"
    ),
    "corrected": Row("-", "d^(1/4) ln^(1/2) Q ln^(1/4)(1/delta) / (eps N)^(1/2)", "dual_frank_wolfe"),
    "RAP": Row("not listed", "none proved for its search", "rap"),
    "GEM": Row("not listed", "none proved for its search", "gem"),
    "AIM": Row("not listed", "of measured marginals only", "aim"),
    "QueryGAN, oracle C": Row("not listed", "of measured marginals only", "querygan"),
    "PEP": Row("not listed", "none proved", "pep"),
}
SIZES = (1_000, 10_000, 100_000)


def page() -> str:
    """The whole page."""
    return (
        HEAD
        + "\n".join(recipes())
        + "\n"
        + CLASSES
        + PRINTED.lstrip()
        + "\n".join(table_5_1())
        + "\n"
        + NOTES
        + "\n".join(adult())
    )


def recipes() -> list[str]:
    """A line for each recipe that has a proof here."""
    lines = ["| recipe | what it spends on | what is proved of its error | time grows with | choose it where |"]
    lines.append("|---|---|---|---|---|")
    for name, known in understudy.recipes().items():
        if name in PROOFS:
            proof = PROOFS[name]
            lines.append(f"| `{name}` | {known.cost} | {proof.error} | {proof.time} | {known.choose} |")
    return lines


def table_5_1() -> list[str]:
    """Printed, true, measured."""
    results = json.loads((TABLE_5_1 / "results.json").read_text())
    base = {"d": 10, "k": 3, "epsilon": 1.0}
    lines = [f"| algorithm | printed | true | {' | '.join(f'N = {n:,}' for n in SIZES)} | fitted exponent of N |"]
    lines.append("|---|---|---|---|---|---|---|")
    for name, row in LINES.items():
        mine = [r for r in results if r["who"] == row.who and all(r[key] == value for key, value in base.items())]
        errors = {r["n"]: r["worst"] for r in mine}
        cells = [f"{errors[n]:.4f}" if n in errors else "not run" for n in SIZES]
        slope = f"{fitted(errors):.2f}" if len(errors) > 1 else "-"
        lines.append(f"| {name} (`{row.who}`) | {row.printed} | {row.true} | {' | '.join(cells)} | {slope} |")
    return lines


def adult() -> list[str]:
    """The recipes on one real table."""
    text = (ADULT / "README.md").read_text()
    title, body = text.split("\n", 1)
    return [
        f"\n#{title}\n",
        "From [its own page](../experiments/adult/README.md).",
        body.replace("\n## ", "\n### ").rstrip(),
        "",
    ]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
