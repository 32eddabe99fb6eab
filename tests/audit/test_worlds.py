"""Two worlds: sound recipes are not accused, half noise is, as often as the power says; a path past the gate is seen."""

from fractions import Fraction

import pytest
from stand_in import plan, rows

import understudy
from understudy.audit import audit as auditing
from understudy.audit.audit import audit_plan
from understudy.audit.rehearsal import rehearsal
from understudy.audit.verdict import claims_of, guesses, half, judge, rates_of
from understudy.audit.worlds import Door, looks, neighbours, sound
from understudy.noise.entropy import Entropy, Seeded
from understudy.publish.plan import Plan


def seeded(seed: int) -> tuple[Entropy, Entropy]:
    return Seeded(2 * seed), Seeded(2 * seed + 1)


@pytest.fixture(scope="module")
def heard() -> tuple[Plan, list]:
    agreed = plan("mst")
    return agreed, looks(rehearsal(agreed, rows(), [], 1).asked, neighbours(rows(), agreed.schema))


def test_half_noise_is_flagged_and_sound_noise_is_not(heard: tuple[Plan, list]) -> None:
    agreed, found = heard
    assert judge(agreed, found, 2000, seeded(0)).refuted == []
    assert judge(agreed, found, 2000, seeded(1), half).refuted


@pytest.mark.full
def test_half_noise_is_flagged_nine_times_in_ten_and_sound_noise_hardly_ever(heard: tuple[Plan, list]) -> None:
    agreed, found = heard
    claims = claims_of(agreed, found)

    def refuted(seed: int, door: Door) -> bool:
        rates = rates_of(guesses(found, 2000, seeded(seed), door), 2000)
        return any(claim.certified(rates[claim.name]) > claim.claimed for claim in claims)

    assert sum(refuted(seed, sound) for seed in range(40)) <= 2
    assert sum(refuted(seed, half) for seed in range(40, 80)) >= 36
    verdict = judge(agreed, found, 2000, seeded(0))
    assert verdict.power >= 0.9 and verdict.false_alarms <= 0.05


@pytest.mark.parametrize(
    ("relation", "delta"),
    [
        pytest.param("replace-one", "1e-6"),
        pytest.param("add-remove", "1e-6", marks=pytest.mark.full),
        pytest.param("add-remove", "0", marks=pytest.mark.full),
        pytest.param("replace-one", "0", marks=pytest.mark.full),
    ],
)
def test_an_audit_accuses_nobody(relation: str, delta: str) -> None:
    found = audit_plan(plan("pairs", relation, delta=delta), rows(), 100)
    assert found.violations == []
    assert found.verdict.free_epsilon <= 1


def test_neighbours_differ_by_one_unit() -> None:
    table = rows()
    first, second = neighbours(table, plan("pairs").schema)
    assert first is table and second.num_rows == table.num_rows + 1
    first, second = neighbours(table, plan("pairs", "replace-one").schema)
    assert first.num_rows == second.num_rows == table.num_rows
    assert first.slice(0, 399) == second.slice(0, 399)
    assert all(a != b for a, b in zip(first.to_pylist()[-1].values(), second.to_pylist()[-1].values(), strict=True))


def test_a_canary_moves_every_marginal_by_all_that_is_declared(heard: tuple[Plan, list]) -> None:
    """The strongest canary: the noise part attains its claim, so that half noise shows."""
    agreed, found = heard
    noisy = [look for look in found if look.question.kind == "marginals"]
    assert noisy
    for look in noisy:
        moves = look.question.sensitivity(1, agreed.schema.relation)
        assert look.separation2 == pytest.approx(float(Fraction(moves.l2sq) / look.mechanism.sigma2))


def test_a_path_past_the_gate_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A walk that keeps the table beside the gate: its output has as many rows as the table."""
    from understudy.audit import rehearsal as rehearsing

    walk = rehearsing.walk

    def leaking(agreed: Plan, gate: object, tell: object) -> object:
        n = len(gate._vault._Vault__rows)  # type: ignore[attr-defined]
        return walk(Plan(agreed.schema, agreed.budget, agreed.recipe, agreed.workload, max(n, 1)), gate, tell)  # type: ignore[arg-type]

    monkeypatch.setattr(rehearsing, "walk", leaking)
    agreed = plan("pairs")
    assert rehearsal(agreed, rows(), [rows(200)], 1).differences


def test_too_few_rows_are_refused() -> None:
    with pytest.raises(understudy.Refusal, match="stand-in rows"):
        auditing.audit_plan(plan("pairs"), rows(10))
