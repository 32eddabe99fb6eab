"""How often the claims of a certificate are untrue, over many simulated releases: benchmarks/coverage.md.

    python benchmarks/coverage.py --releases 5000

The same simulation as tests/publish/test_coverage.py, with the noise of a release (the operating system's).
"""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests" / "publish"))

from covering import CASES, M, N, misses  # noqa: E402

from understudy.noise.entropy import OperatingSystem  # noqa: E402
from understudy.publish.certificate import BETA, CONFIDENCE  # noqa: E402
from understudy.version import __version__  # noqa: E402

PROMISED = {**BETA, "any": 1 - CONFIDENCE}


def page(releases: int) -> str:
    """The table, with the command that makes it."""
    lines = [
        "# Coverage of the certificate",
        "",
        f"Made by `python benchmarks/coverage.py --releases {releases}` with understudy {__version__}: {releases:,} simulated",
        f"releases a line, {N} private rows, {M} synthetic rows, 10 marginals. Each entry is the percentage of releases in",
        "which the claim was untrue; the head says how often it may be. *n known*: declared, or the same for all neighbours.",
        "",
        "| case | " + " | ".join(f"{claim} <= {beta:.0%}" for claim, beta in PROMISED.items()) + " |",
        "|---|" + "---:|" * len(PROMISED),
    ]
    for case in CASES:
        found = misses(lambda: case.release(OperatingSystem()), releases)  # noqa: B023
        lines.append(f"| {case} | " + " | ".join(f"{100 * found[claim] / releases:.2f}" for claim in PROMISED) + " |")
    lines += [
        "",
        "The bound of one number (cell) and the simultaneous one (each) are tight where n is known. That of the mean is a",
        "Chernoff bound and misses less often than it may. Where n is noisy, the frequencies carry its margin as well.",
        "",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--releases", type=int, default=5000)
    (ROOT / "benchmarks" / "coverage.md").write_text(page(parser.parse_args().releases))
