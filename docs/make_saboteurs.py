"""Writes docs/saboteurs.md from the registry: `python docs/make_saboteurs.py`."""

from pathlib import Path

from understudy.audit.registry import Saboteur, saboteurs

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "saboteurs.md"
TEST = "tests/audit/test_saboteurs.py"

HEAD = f"""# Saboteurs

Made by `docs/make_saboteurs.py` from the registry; a test keeps it true.

Each is a mechanism that is broken on purpose, most of them as a source document prints it, beside a sound twin. `{TEST}` runs
both: the trial named here must say what is wrong with the broken one, and nothing of the sound one. What a trial is stands in
`src/understudy/audit/trial.py`. A new file in `src/understudy/audit/saboteur/` is enrolled by being there.

| saboteur | defect | where it is from | caught by |
|---|---|---|---|
"""
FOOT = """
## The mutation suite

The defects that the mathematics of the project lists as those which a test must kill, and the saboteur that stands for each.

| defect | saboteur |
|---|---|
"""
MUTATIONS = {
    "Laplace report-noisy-max at scale Delta / eps": "laplace-max",
    "product Laplace without p": "odo-1-dimension",
    "the factor t dropped": "odo-1-rounds",
    "k = -log(1 - 2u) in a one-sided bound": "printed-margin",
    "one-sided noise": "one-sided",
    "clip of the mean": "clip-of-mean",
    "sqrt(l) dropped over groups": "dropped-root",
    "microbatches": "microbatch",
    "sequential slices under a Poisson accountant": "sequential-batches",
    "privacy on the generator only": "generator-only",
    "batch normalisation in the critic": "batch-norm",
    "2 sqrt(p) for the covariance": "ron-gauss-covariance",
    "permute-and-flip charged eps^2 / 8": "flip-at-an-eighth",
    "n told by the size of the output": "size-of-output",
    "add-remove and replace-one mixed": "mixed-relations",
}


def page() -> str:
    """The whole page."""
    found = saboteurs()
    rows = [line(saboteur) for _, saboteur in sorted(found.items())]
    listed = [f"| {defect} | {name} |" for defect, name in MUTATIONS.items()]
    return HEAD + "\n".join(rows) + "\n" + FOOT + "\n".join(listed) + "\n"


def line(saboteur: Saboteur) -> str:
    """One saboteur, with its file and its trial."""
    module = saboteur.broken.__module__.rpartition(".")[2]
    file = f"src/understudy/audit/saboteur/{module}.py"
    cells = [f"[{saboteur.name}](../{file})", saboteur.defect, saboteur.printed, f"`{saboteur.caught_by.__name__}`"]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
