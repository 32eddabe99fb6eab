"""Attacks on synthetic rows: they find members in copied rows, and nothing in rows drawn from the population."""

import numpy as np
import pytest

from understudy.attack import inference, marginal, tables
from understudy.attack.result import Result

DOMAIN = {"a": 6, "b": 5, "c": 4, "d": 7, "e": 6}


def people(n: int, seed: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 6, n)
    return {
        "a": a,
        "b": (a + rng.integers(0, 2, n)) % 5,
        "c": rng.integers(0, 4, n),
        "d": rng.integers(0, 7, n),
        "e": rng.integers(0, 6, n),
    }


MEMBERS, OUTSIDERS, REFERENCE, FRESH = (people(400, seed) for seed in range(4))
PAIRS = [("a", "b", "d"), ("c", "d", "e"), ("a", "c", "e")]


def result(attack: str, synthetic: dict[str, np.ndarray]) -> Result:
    def told(who: dict[str, np.ndarray]) -> np.ndarray:
        match attack:
            case "nearest":
                return tables.nearest(who, synthetic)
            case "density ratio":
                return tables.density_ratio(who, synthetic, REFERENCE)
        return marginal.scores(who, synthetic, REFERENCE, DOMAIN, PAIRS)

    return Result(attack, told(MEMBERS), told(OUTSIDERS))


@pytest.mark.parametrize("attack", ["nearest", "density ratio", "marginals"])
def test_copied_rows_give_their_people_away(attack: str) -> None:
    assert result(attack, MEMBERS).auc > (0.6 if attack == "marginals" else 0.8)


@pytest.mark.parametrize("attack", ["nearest", "density ratio", "marginals"])
def test_fresh_rows_give_nobody_away(attack: str) -> None:
    found = result(attack, FRESH)
    assert found.auc == pytest.approx(0.5, abs=0.07)


def test_the_nearest_is_counted_in_columns() -> None:
    one = {name: column[:3] for name, column in MEMBERS.items()}
    assert tables.nearest(one, MEMBERS).tolist() == [0, 0, 0]
    far = {name: column + 50 for name, column in one.items()}
    assert tables.nearest(far, MEMBERS).tolist() == [-5, -5, -5]


def test_attributes_are_inferred_beyond_the_population_only_from_copies() -> None:
    copied, fresh = (inference.infer(MEMBERS, OUTSIDERS, rows, "d") for rows in (MEMBERS, FRESH))
    assert copied.interval()[0] > 0.3
    assert fresh.interval()[0] <= 0 <= fresh.interval()[1]
    population = inference.infer(MEMBERS, OUTSIDERS, FRESH, "b")
    assert population.hits / population.tries > 0.3 and abs(population.leak) < 0.12


def test_singling_out_beyond_the_control_only_from_copies() -> None:
    rng = np.random.default_rng(0)
    copied = inference.single_out(MEMBERS, OUTSIDERS, MEMBERS, 200, rng)
    fresh = inference.single_out(MEMBERS, OUTSIDERS, FRESH, 200, rng)
    assert copied.interval()[0] > 0.3
    assert fresh.interval()[0] <= 0 <= fresh.interval()[1]
