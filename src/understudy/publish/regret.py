"""The regret certificate of document 000, repaired: what the game's own answers prove about the rows, at no cost.

Theorem A.  For guesses g_1..g_T and queries d_1..d_T of a class Q that is closed under complement, with payoffs
V(q, g) = q(S) - q(g) and the query player's regret R = max_q sum_t V(q, g_t) - sum_t V(d_t, g_t),

    max_q |q(S) - q(gbar)| = (sum_t V(d_t, g_t) + R) / T,       gbar = the uniform mixture of the guesses

(linearity, and closure for the absolute value). No regret of the data player and no equilibrium enters. The printed
document bounds the data player's regret instead, which is false: proof/regret.md has the counterexample.

Measured marginals (oracle C).  Every cell that the tape has a noisy count of was played, so take for g the released rows
themselves and T = 1. With one look after another, look l of K_l cells and noise Z:

    P[ |Z| > t_l for any of its cells ] <= 2 K_l P[Z > t_l] <= beta / (l (l + 1)),       over all looks at most beta
    |c - nhat c'/m| <= |answer - nhat c'/m| + t_l,       in frequencies  (U + E) / (nhat - E)  as in the direct one

The noise that trained the model is in the rows: that is why t_l holds for all cells at once, whatever the rows are.

Private selection (oracle A).  Each of T selections, out of K with Gumbel noise of scale s, has a score within
s ln(K T / beta) of the best; half the mean of these over nhat is R / T in total variation, for the marginals of the
largest weight. The payoffs of a player that asks for them at the end are added in mixture.py; without them this part
alone is told: a floor to what Theorem A could certify for such a player.
"""

from fractions import Fraction
from math import ceil, log
from typing import Any

import numpy as np

from understudy.game.measurement import size
from understudy.game.player import Codes
from understudy.publish.certificate import BETA, answer_of, frequency, noise_quantile, size_error
from understudy.publish.mixture import mixture_claim
from understudy.question.counting import counts
from understudy.question.spec import mechanism as mechanism_of
from understudy.schema.schema import Schema
from understudy.vault.tape import Entry, Tape

CONFIDENCE = 0.95
MISS = 1 - CONFIDENCE - BETA["n"]  # what is left when the number of rows has taken its part


def regret(tape: Tape, schema: Schema, codes: Codes, direct: float) -> dict[str, Any]:
    """The certificate's words on it, beside the ``direct`` bound on the worst cell."""
    looks, n = tape.of("marginals"), size(tape, schema)
    off, rows = size_error(tape, schema), len(next(iter(codes.values())))
    reached = [reach(look, number, schema, codes, n) for number, look in enumerate(looks, start=1)]
    bound = frequency(max(reached, default=n * rows), rows, n, off)
    return {
        "confidence": CONFIDENCE,
        "measured_marginals": sum(len(look.question["cliques"]) for look in looks),
        "worst_measured_cell_error": bound,
        "times_the_direct_bound": bound / direct if direct else None,
        "selection_regret": selection_regret(tape.of("select"), n),
    } | mixture_claim(tape, schema, n, off)


def reach(look: Entry, number: int, schema: Schema, codes: Codes, n: int) -> int:
    """U: how far any cell of one look can be from the rows, in units of 1/m of a row."""
    rows = len(next(iter(codes.values())))
    cliques = [tuple(clique) for clique in look.question["cliques"]]
    of_rows = [counts([codes[c] for c in clique], tuple(schema.domain[c] for c in clique)) for clique in cliques]
    expected = np.concatenate([table.ravel() for table in of_rows])
    # P[|Z| > t for any of K cells] <= 2 K P[Z > t] <= beta / (l (l + 1))
    beta = MISS / (number * (number + 1))
    t = noise_quantile(mechanism_of(look.question["mechanism"]), beta / (2 * len(expected)))
    return int(abs(rows * answer_of(look) - n * expected).max()) + rows * t


def selection_regret(choices: list[Entry], n: int) -> float | None:
    """R / T of a player that chooses privately, in total variation; None where nothing was chosen."""
    if not choices or n == 0:
        return None
    rounds = len(choices)
    # R = sum_t s_t ln(K_t T / beta)
    lost = [scale_of(c) * log(len(c.question["candidates"]) * rounds / (1 - CONFIDENCE)) for c in choices]
    # six digits, upwards: another machine's last digit of a logarithm must not change a certificate
    return ceil(sum(lost) / (2 * rounds * n) * 10**6) / 10**6


def scale_of(choice: Entry) -> float:
    """The scale of one selection's Gumbel noise, in rows: scores may be weighted."""
    return float(Fraction(choice.question["mechanism"]["scale"])) / max(choice.question["weights"], default=1)
