"""Theorem A, the regret certificate of document 000 in its repaired form, on tiny games that can be enumerated.

max_q |q(S) - q(gbar)| = (sum_t V(d_t, g_t) + R_Q) / T      for Q closed under complement, V(q, g) = q(S) - q(g)
"""

import numpy as np
import pytest

GAMES = 500


def game(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Data, queries closed under complement, guesses, and the queries that were played."""
    cells, rounds = int(rng.integers(1, 7)), int(rng.integers(1, 9))
    data = rng.multinomial(20, np.full(cells, 1 / cells)) / 20
    half = rng.choice([0.0, 0.25, 0.5, 1.0], size=(int(rng.integers(1, 6)), cells))
    queries = np.concatenate([half, 1 - half])
    guesses = rng.dirichlet(np.full(cells, 0.3), size=rounds)
    return data, queries, guesses, rng.integers(len(queries), size=rounds)


def alpha(data: np.ndarray, queries: np.ndarray, guesses: np.ndarray, played: np.ndarray) -> float:
    """(sum of payoffs + regret) / T."""
    payoff = queries @ (data - guesses).T  # one line a query, one column a round
    paid = payoff[played, np.arange(len(played))].sum()
    regret = payoff.sum(axis=1).max() - paid
    return float((paid + regret) / len(played))


def worst(data: np.ndarray, queries: np.ndarray, guess: np.ndarray) -> float:
    """max_q |q(S) - q(g)|."""
    return float(np.abs(queries @ (data - guess)).max())


@pytest.mark.parametrize("seed", range(GAMES))
def test_alpha_is_the_worst_error_of_the_mixture(seed: int) -> None:
    data, queries, guesses, played = game(np.random.default_rng(seed))
    assert alpha(data, queries, guesses, played) == pytest.approx(worst(data, queries, guesses.mean(axis=0)), abs=1e-12)


def test_an_upper_bound_on_the_regret_bounds_the_error_of_a_private_best_response() -> None:
    """Oracle A: each round the Gumbel maximum, within 2/(n eps) ln(K T / beta) of the best with probability 1 - beta."""
    beta, scale, missed = 0.05, 0.05, 0
    for seed in range(GAMES):
        rng = np.random.default_rng(seed)
        data, queries, guesses, _ = game(rng)
        payoff = queries @ (data - guesses).T
        played = (payoff + rng.gumbel(scale=scale, size=payoff.shape)).argmax(axis=0)
        rounds = len(guesses)
        bound = rounds * scale * np.log(payoff.size / beta)
        certified = (payoff[played, np.arange(rounds)].sum() + bound) / rounds
        missed += worst(data, queries, guesses.mean(axis=0)) > certified
    assert missed <= beta * GAMES


def test_the_last_guess_is_not_what_is_certified() -> None:
    """The mixture must be released: the last guess alone is often beyond alpha."""
    games = [game(np.random.default_rng(seed)) for seed in range(GAMES)]
    beyond = [worst(d, q, g[-1]) > alpha(d, q, g, p) + 1e-9 for d, q, g, p in games]
    assert sum(beyond) > GAMES / 4


def test_a_class_that_is_not_closed_under_complement_is_not_certified() -> None:
    data, query, guess = np.array([1.0, 0.0]), np.array([[0.0, 1.0]]), np.array([[0.0, 1.0]])
    assert alpha(data, query, guess, np.array([0])) == -1
    assert worst(data, query, guess[0]) == 1


def test_the_printed_lemma_is_false() -> None:
    """Document 000, Lemma 4.0.1: the data player's regret is at most the sum of its losses. Data all 0, d_t(x) = x,
    g_t = data: the sum of the losses is 0, but the comparator that puts everything on 1 has loss -1 in each round."""
    rounds, data, query = 10, np.array([1.0, 0.0]), np.array([0.0, 1.0])
    losses = [query @ (data - data) for _ in range(rounds)]
    regret = sum(losses) - min(rounds * query @ (data - g) for g in np.eye(2))
    assert sum(losses) == 0
    assert regret == rounds
