"""Theorem A where the payoffs were asked for: a bound on the mixture of all guesses that were played against.

With Y the noisy answer to `question/payoff.py`, t the upper quantile of its noise, P what the guesses promised, T the plays
and R the query player's regret in rows, with probability at least 1 - beta for all queries q of the class at once

    |c_q(S) - nhat q(gbar)|  <=  U = (Y + t - P + R) / T,        |q(S) - q(gbar)| <= (U + E) / (nhat - E)

Best responses (oracle A): each selection among K signed queries is within s ln(K T / beta) of the best: R = sum of these.

Weights (oracle B): f draws a round from exponential weights over K signed queries whose scale is s = nhat / eta. The weights
know the guess of their round, which stands before its draws are made; payoffs, in rows, lie within W = nhat + E of zero. Over T
rounds, in rows (Y and P count every draw, so all of this is taken f times):

    R = s ln K                                                  the leader that looks ahead, over exponential weights
      + W sqrt(2 T ln(1 / beta) / f)                            the draws, a sum of bounded martingale differences
      + T W (e^(1 / s) - 1)                                     references are rounded to whole rows

It is a claim about gbar, before rows are drawn from it; the direct certificate is about the rows.
"""

from fractions import Fraction
from math import ceil, exp, log, sqrt
from typing import Any

from understudy.publish.certificate import BETA, answer_of, frequency, noise_quantile
from understudy.question.spec import mechanism as mechanism_of
from understudy.schema.schema import Schema
from understudy.vault.tape import Entry, Tape

CONFIDENCE = 0.95
MISS = (1 - CONFIDENCE - BETA["n"]) / 2  # for the noise of the payoff and for the regret each


def mixture_claim(tape: Tape, schema: Schema, n: int, off: int) -> dict[str, Any]:
    """The bound on the worst query of the mixture; nothing where no payoff was asked for."""
    asked = tape.of("payoff")
    if not asked:
        return {}
    payoff, choices = asked[0], tape.of("select_cell")
    plays = int(payoff.question["rounds"])
    lost = of_weights if payoff.question["player"] == "weights" else of_best_responses
    t = noise_quantile(mechanism_of(payoff.question["mechanism"]), MISS)
    if n <= off:
        return {"mixture_worst_query_error": 1.0}
    # U = (Y + t - P + R) / T, upwards to a whole row: another machine's last digit must not change a certificate
    regret = ceil(lost(choices, plays, schema, n, off))
    total = int(answer_of(payoff)[0]) + t - int(payoff.question["promised"]) + regret
    return {"mixture_worst_query_error": frequency(max(total, 0), plays, n, off)}


def of_best_responses(choices: list[Entry], plays: int, schema: Schema, n: int, off: int) -> float:
    """R of a private best response each round."""
    return sum(scale_of(c) * log(signed_queries(c, schema) * plays / MISS) for c in choices)


def of_weights(choices: list[Entry], plays: int, schema: Schema, n: int, off: int) -> float:
    """R of draws from exponential weights, every draw counted."""
    rounds = int(choices[-1].question["times"])
    draws, scale, width = plays // rounds, scale_of(choices[-1]), n + off
    drawn = width * sqrt(2 * rounds * log(1 / MISS) / draws)
    return draws * (scale * log(signed_queries(choices[-1], schema)) + drawn + rounds * width * (exp(1 / scale) - 1))


def signed_queries(choice: Entry, schema: Schema) -> int:
    """K: cells and listed queries, each with both signs."""
    return 2 * (sum(schema.cells(tuple(c)) for c in choice.question["cliques"]) + len(choice.question["queries"]))


def scale_of(choice: Entry) -> float:
    """The scale of a selection's Gumbel noise."""
    return float(Fraction(choice.question["mechanism"]["scale"]))
