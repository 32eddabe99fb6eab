"""Does the audit catch half the noise, and leave sound noise alone? For the recipes that measure marginals.

    python experiments/audit/run.py              what is missing in results.json, and README.md from it
    python experiments/audit/run.py --only mst   these recipes anew
    python experiments/audit/run.py --page       README.md alone

Each recipe is rehearsed once at epsilon 1, delta 1e-6, on the small invented table of `benchmarks/audits.py`. Then come
AUDITS audits of its tape with the noise as charged, and as many with every noise at half its scale, each of 2,000 tapes from
each world; noise by the seeded twin, a seed an audit. The thresholds, the error and the claims are those of
`understudy audit`, fixed before any noise is drawn. One audit more, the whole of it with the system's randomness, is timed.
"""

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1] / "benchmarks"))

from audits import DELTA, rows, schema  # noqa: E402

import understudy  # noqa: E402
from understudy.audit.audit import RUNS, SEED, audit_plan  # noqa: E402
from understudy.audit.bounds import interval  # noqa: E402
from understudy.audit.rehearsal import rehearsal  # noqa: E402
from understudy.audit.verdict import claims_of, guesses, half, rates_of, within_reach  # noqa: E402
from understudy.audit.worlds import Door, looks, neighbours, sound  # noqa: E402
from understudy.noise.entropy import Seeded  # noqa: E402

RECIPES = ("independent", "pairs", "oneshot", "mst", "rap", "network", "gem", "aim", "querygan")
AUDITS = 80
RESULTS = HERE / "results.json"


def measured(recipe: str) -> dict[str, Any]:
    """Alarms of sound and of half noise, and the time of one audit."""
    plan = understudy.plan(schema(), epsilon="1", delta=DELTA, recipe=recipe)
    walked = rehearsal(plan, rows(), [], SEED)
    heard, _ = within_reach(plan, looks(walked.asked, neighbours(rows(), plan.schema)), RUNS)
    claims = claims_of(plan, heard)

    def alarmed(seed: int, door: Door) -> bool:
        rates = rates_of(guesses(heard, RUNS, (Seeded(2 * seed), Seeded(2 * seed + 1)), door), RUNS)
        return any(claim.certified(rates[claim.name]) > claim.claimed for claim in claims)

    false = sum(alarmed(seed, sound) for seed in range(AUDITS))
    caught = sum(alarmed(AUDITS + seed, half) for seed in range(AUDITS))
    began = time.process_time()
    found = audit_plan(plan, rows(), RUNS)
    return {
        "recipe": recipe,
        "audits": AUDITS,
        "false alarms": false,
        "caught": caught,
        "power as printed": found.verdict.power,
        "violations": found.violations,
        "seconds": round(found.seconds, 1),
        "cpu seconds": round(time.process_time() - began, 1),
    }


def page(found: list[dict[str, Any]]) -> str:
    """README.md."""
    lines = []
    for row in sorted(found, key=lambda row: RECIPES.index(row["recipe"])):
        shares = []
        for key in ("caught", "false alarms"):
            low, high = interval(row[key], row["audits"], 0.95)
            shares.append(f"{row[key]} of {row['audits']} ({low:.0%} to {high:.0%})")
        cells = [
            row["recipe"],
            *shares,
            f"{row['power as printed']:.1%}",
            f"{row['seconds']:g}",
            f"{row['cpu seconds']:g}",
        ]
        lines.append("| " + " | ".join(cells) + " |")
    head = "| recipe | half noise caught | sound noise accused | power that one audit prints | s | CPU s |"
    held = [r["recipe"] for r in found if r["caught"] >= 0.9 * r["audits"] and r["false alarms"] <= 0.05 * r["audits"]]
    short = [row["recipe"] for row in found if row["recipe"] not in held]
    missing = [recipe for recipe in RECIPES if recipe not in held + short]
    said = f"At least 90 % caught with at most 5 % false alarms: {', '.join(held) or 'none'}."
    if short:
        said += f" Short of it: {', '.join(short)}."
    if missing:
        said += f" Not run: {', '.join(missing)}."
    about = (__doc__ or "").strip().replace("AUDITS", str(AUDITS))
    return f"# {about}\n\n{said}\n\n{head}\n|---|---|---|---|---:|---:|\n" + "\n".join(lines) + NOTES


NOTES = """

Intervals are Clopper and Pearson's, at 95 %. A recipe that spends on private selection is harder to audit: a selection
charged rho moves the law of the choice less than a Gaussian charged the same moves its answer, for any but a contrived canary.
What the laws of selection are is tested exactly elsewhere (`tests/noise/test_gumbel.py`, the saboteurs `laplace-max` and
`flip-at-an-eighth`). The seconds are those of a busy machine, on which an audit had a tenth of a core or less. The
printed power of these audits was read off 2,000 tapes of the twin and is rough; `understudy audit` now reads 20,000.
"""


def main() -> None:
    """Fill in what is missing."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--only", nargs="*")
    words.add_argument("--page", action="store_true")
    chosen = words.parse_args()
    found = json.loads(RESULTS.read_text()) if RESULTS.exists() else []
    found = [row for row in found if row["recipe"] not in (chosen.only or ())]
    for recipe in () if chosen.page else chosen.only or RECIPES:
        if recipe not in [row["recipe"] for row in found]:
            found.append(measured(recipe))
            print(found[-1], flush=True)
            RESULTS.write_text("[\n" + ",\n".join(json.dumps(row) for row in found) + "\n]\n")
    (HERE / "README.md").write_text(page(found))


if __name__ == "__main__":
    main()
