"""The figures and README.md of the membership experiment, from the results of run.py."""

import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from conclusions import CONCLUSIONS  # noqa: E402
from drawing import Chart, Line, save  # noqa: E402

Told = list[dict[str, Any]]


def short(name: str) -> str:
    """The name of a task's files."""
    return name.split(" ")[0] + ("-60" if "60 %" in name else "")


def write(told: Told, folder: Path) -> None:
    """A figure a task, and the page."""
    for task in told:
        figure(task, folder / f"{short(task['task'])}.svg")
    parts = [head(told), margins(told), CONCLUSIONS, *(section(task) for task in told)]
    (folder / "README.md").write_text("\n\n".join(parts) + "\n")


def head(told: Told) -> str:
    """What was done."""
    runs = ", ".join(sorted({str(task["runs"]) for task in told}))
    return f"""# Membership inference on linear models: chapter 4 of document 001, done right

    python experiments/membership/run.py 0 1 2 3 4
    python experiments/membership/run.py page

{runs} models for every learner and epsilon, each trained on a half of one pool of people by fair coins; delta
{told[0]["delta"]} at every epsilon; features and targets clipped to public bounds; noise by the seeded twin. DP Frank-Wolfe
takes 30 steps, DP-SGD 60 steps of a Poisson sample of a fifth. The twins without privacy are fitted to the same losses on the
same balls.

* **Quality** is accuracy, or R^2, on 2,000 fresh people. Intervals are over the runs, 95 %.
* **The printed attack** cuts the entropy (or the loss) at the mean of members' and outsiders' means, which takes the
  membership that is to be guessed. It is kept for comparison.
* **The attacks** choose their cut on other runs than those they are tried on. LiRA's shadows are the other runs. The networks
  learn from the first 20 runs and are tried on the rest. "Best AUC" is the largest of eight (four for the regression), so it
  is somewhat above chance by its making.
* **Allowed** is the TPR that (epsilon, delta) permits at the FPR that was seen. "Errors above" is how many standard errors,
  over the runs, the worst of the attacks at either FPR exceeds either inequality of (epsilon, delta). The page has some 800 of
  these tests, so about 3 happens by chance."""


def margins(told: Told) -> str:
    """What attacks achieve on the overfitted model, exact and private."""
    task = next(task for task in told if task["task"].startswith("overfitted"))
    lines = ["## Do attacks work at all? On the overfitted model they do", ""]
    lines += [
        "| attack | " + " | ".join(f"{kind}, {e}" for kind in task["kinds"] for e in ("exact", "epsilon 1")) + " |"
    ]
    lines += ["|---|" + "---|" * (2 * len(task["kinds"]))]
    rows = [pick(rows, epsilon) for rows in task["kinds"].values() for epsilon in (None, 1.0)]
    for attack in rows[0]["attacks"]:
        cells = [attack]
        for row in rows:
            one = row["attacks"][attack]
            low = one["tpr"]["0.01"]
            cells.append(f"AUC {interval(one['auc'])}; TPR {100 * low['mean']:.1f} % at FPR {100 * low['fpr']:.1f} %")
        lines.append("| " + " | ".join(cells) + " |")
    worst = max(above(row) for task in told for rows in task["kinds"].values() for row in rows if row["epsilon"])
    best = max((one["auc"]["low"], name) for name, one in rows[2]["attacks"].items())
    lines += [
        "",
        f"The margin over chance: {best[1]} has an AUC of at least {best[0]:.3f} on the exact model on the l2 ball. On all "
        f"private models of this page no attack is more than {worst:.1f} standard errors above what (epsilon, delta) allows.",
    ]
    return "\n".join(lines)


def pick(rows: Told, epsilon: float | None) -> dict[str, Any]:
    """The row of one epsilon."""
    return next(row for row in rows if row["epsilon"] == epsilon)


def interval(one: dict[str, float]) -> str:
    """A mean with its interval."""
    return f"{one['mean']:.3f} ({one['low']:.3f} to {one['high']:.3f})"


def above(row: dict[str, Any]) -> float:
    """The worst of the attacks beside the bound, in standard errors."""
    return max(float(at["errors above"]) for one in row["attacks"].values() for at in one["tpr"].values())


def section(task: dict[str, Any]) -> str:
    """A table: a row a model, what it is worth, and what the attacks got."""
    head = "| learner | epsilon | quality | on members | printed attack | LiRA: AUC | best AUC |"
    head += " LiRA: TPR at FPR 1 % | allowed | at 0.1 % | allowed | errors above |"
    lines = [
        f"## {task['task']}",
        "",
        f"![figure]({short(task['task'])}.svg)",
        "",
        head,
        "|---|---|---:|---:" + "|---" * 8 + "|",
    ]
    for kind, rows in task["kinds"].items():
        for row in rows:
            told = row["attacks"]["LiRA"]
            best = max(row["attacks"].items(), key=lambda pair: pair[1]["auc"]["mean"])
            cells = [kind, "none" if row["epsilon"] is None else f"{row['epsilon']:g}"]
            cells += [f"{row[key]['mean']:.3f}" for key in ("quality", "on members")]
            cells += [interval(row["as printed"]), interval(told["auc"]), f"{best[1]['auc']['mean']:.3f} ({best[0]})"]
            for one in told["tpr"].values():
                seen = f"{100 * one['mean']:.2f} % ({100 * one['low']:.2f} to {100 * one['high']:.2f})"
                cells += [seen, f"{100 * one['allowed']:.3g} %" if "allowed" in one else "-"]
            cells.append(f"{above(row):.1f}" if row["epsilon"] else "-")
            lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def figure(task: dict[str, Any], path: Path) -> None:
    """Model quality beside the printed attack and LiRA at 1 %."""
    quality, printed, low = [], [], []
    for kind, rows in task["kinds"].items():
        private, plain = [row for row in rows if row["epsilon"] is not None], pick(rows, None)
        grid = [row["epsilon"] for row in private]
        for lines, of in (
            (quality, lambda row: row["quality"]),
            (printed, lambda row: row["as printed"]),
            (low, lambda row: row["attacks"]["LiRA"]["tpr"]["0.01"]),
        ):
            told = [of(row) for row in private]
            points = [(e, t["mean"]) for e, t in zip(grid, told, strict=True)]
            lines.append(Line(kind, points, [(t["low"], t["high"]) for t in told]))
            lines.append(Line(f"{kind}, exact", [(e, of(plain)["mean"]) for e in grid], dashed=True))
        allowed = [(row["epsilon"], row["attacks"]["LiRA"]["tpr"]["0.01"]["allowed"]) for row in private]
    top = 1.3 * max(y for line in low for _, y in line.points)
    low.append(Line("allowed", [(e, min(a, top)) for e, a in allowed], dashed=True))
    charts = [
        Chart(task["task"], "epsilon", "R^2 or accuracy", quality, log_x=True),
        Chart("the document's attack", "epsilon", "accuracy", printed, log_x=True),
        Chart("LiRA: TPR at FPR 1 %", "epsilon", "TPR", low, log_x=True),
    ]
    save(charts, path)
