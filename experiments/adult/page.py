"""README.md of the recipes on Adult, from the results."""

from pathlib import Path

import understudy

HEAD = """# Every recipe on Adult

    python experiments/adult/run.py --data DATA

`adult-coded.csv`: 48,842 rows, 14 columns, 641,263,392,000,000,000 cells; all 91 pairs for a workload, epsilon 1, delta 1e-9,
the number of rows private, randomness of the operating system; one release each, a process with at most 600 CPU seconds.
`mean` is the mean total variation of the pairs, `worst` their worst cell, each beside the certificate's bound. CPU seconds are
what a recipe needs; wall seconds are what it took on a machine that others used at the same time. The certificate's and the
rows' making are within both. `plan` are the seconds that the plan told before, and means at most.

| recipe | columns | plan | CPU seconds | wall seconds | megabytes | mean | bound | worst | bound |
|---|---|---|---|---|---|---|---|---|---|
"""
REFUSED = """
## What cannot scale

`plan` refuses before a row is read, with the number of cells and what to use instead; then the widest columns were left out,
one after another, until it agreed.

| recipe | what `plan` says of 14 columns | taken instead |
|---|---|---|
"""


def write(found: list[dict], told: dict[str, float], path: Path) -> None:
    """The whole page."""
    refused = [f"| {r['who']} | {r['refused']} | {reached(r)} |" for r in found if r["refused"]]
    lines = [line(r, told[r["who"]]) for r in found if r["columns"]]
    done = {r["who"] for r in found}
    waiting = [name for name, known in understudy.recipes().items() if name not in done and not known.pictures]
    if waiting:
        lines.append(f"\nNot measured yet: {', '.join(f'`{name}`' for name in waiting)}.")
    path.write_text(HEAD + "\n".join(lines) + "\n" + (REFUSED + "\n".join(refused) + "\n" if refused else ""))


def reached(r: dict) -> str:
    """How far the theory goes."""
    return f"{r['columns']} columns, {r['cells']:,} cells" if r["columns"] else "nothing"


def line(r: dict, told: float) -> str:
    """One release."""
    if "unfinished" in r:
        return f"| {r['who']} | {r['columns']} | {told:.0f} | not finished: {r['unfinished']} | | | | | | |"
    cost = f"{told:.0f} | {r['cpu']:.0f} | {r['wall']:.0f} | {r['megabytes']:.0f}"
    errors = f"{r['mean']:.4f} | {r['bound_mean']:.4f} | {r['worst']:.4f} | {r['bound_cell']:.4f}"
    return f"| {r['who']} | {r['columns']} | {cost} | {errors} |"
