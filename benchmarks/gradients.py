"""The price of privacy in time and memory: a critic's clipped gradients by ghost norms beside its plain gradient.

    python benchmarks/gradients.py              what is missing from results/gradients.json
    python benchmarks/gradients.py --only dense one kind of critic

Both are compiled programs over the same rows and weights, on one machine, turn by turn; CPU seconds of the process, the median
of the turns. ``private`` has all that the door does to a sample in memory: chunks, norms, clipping, 64-bit sums, the count of
rows within the clip; ``noise`` is the drawing of as many normals from the operating system's generator, which a plain step has
none of. Memory is what XLA sets aside for a program's intermediate arrays.
"""

import argparse
import time
from statistics import median
from typing import Any

import numpy as np
from results import Results, read

from understudy.game.data.adversary import fresh
from understudy.game.data.heads import Head
from understudy.game.data.maker import Maker, critic_for
from understudy.noise.entropy import OperatingSystem
from understudy.noise.sampled_gaussian import normals
from understudy.question import jax as lazy
from understudy.question.critic import Critic, Dense, Leaky, flat, losses, scores
from understudy.question.ghost import chunk_of, clipped_sum, compiled

TABULAR = Critic((100,), (Dense(256), Leaky(), Dense(256), Leaky(), Dense(1)))


def picture(side: int) -> Critic:
    """DCGAN's critic for grey pictures of a side."""
    return critic_for(Maker((Head("image", "picture", side * side),), None, 64, (side, side, 1)), 64)


CASES = {
    "dense 256": (TABULAR, 256, 40),
    "dense 1024": (TABULAR, 1024, 20),
    "picture 28": (picture(28), 64, 5),
    "picture 64": (picture(64), 64, 3),
}


def measured(name: str) -> dict[str, Any]:
    """Both steps, turn by turn."""
    critic, batch, turns = CASES[name]
    jax, rng = lazy.load(), np.random.default_rng(0)
    weights, rows = fresh(critic, 0, rng), rng.random((batch, critic.inputs[0])).astype(np.float32)

    def mean_loss(weights: Any, rows: Any) -> Any:
        return losses(jax, "logistic", scores(jax, critic, weights, rows)).mean()

    plain = jax.jit(lambda weights, rows: flat(jax, jax.grad(mean_loss)(weights, rows)))
    steps = {
        "plain": lambda: np.asarray(plain(weights, rows)),
        "private": lambda: clipped_sum(critic, "logistic", weights, rows, 1.0),
        "noise": lambda: normals(critic.parameters + 1, OperatingSystem()),
    }
    times: dict[str, list[float]] = {step: [] for step in steps}
    for turn in range(turns + 1):
        for step, call in steps.items():
            begun = time.process_time()
            call()
            times[step] += [time.process_time() - begun] * (turn > 0)  # the first turn compiles
    chunk = chunk_of(critic)
    part, there = np.zeros((chunk, critic.inputs[0]), np.float32), np.ones(chunk, dtype=bool)
    ghost = compiled(critic, "logistic").lower(weights, part, there, np.float32(1)).compile().memory_analysis()
    whole = plain.lower(weights, rows).compile().memory_analysis()
    took = {step: median(found) for step, found in times.items()}
    return {
        "critic": name,
        "weights": critic.parameters,
        "batch": batch,
        "turns": turns,
        **{f"{step}_ms": 1000 * found for step, found in took.items()},
        "ratio": took["private"] / took["plain"],
        "ratio_with_noise": (took["private"] + took["noise"]) / took["plain"],
        "plain_mb": whole.temp_size_in_bytes / 1e6,
        "private_mb": ghost.temp_size_in_bytes / 1e6,
    }


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--only", default="", help="cases whose name begins so")
    chosen = words.parse_args()
    results, done = Results("gradients", more=True), {record["critic"] for record in read("gradients")}
    for name in CASES:
        if name not in done and name.startswith(chosen.only):
            results.add(measured(name))


if __name__ == "__main__":
    main()
