"""GradientStep: how far rows move it, through the real vault; what is declared is never passed, and nearly reached."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from understudy.audit.trial import Includes, Moves
from understudy.noise.entropy import OperatingSystem
from understudy.question.critic import Critic, Dense, Leaky
from understudy.question.gradient_step import CLIP, COUNT, GradientStep, Weights
from understudy.question.mechanism import Exact, SampledGaussian
from understudy.refusal import Misuse
from understudy.schema.read import from_dict
from understudy.schema.relation import Relation
from understudy.vault.vault import Vault

AR, RO = Relation.ADD_REMOVE, Relation.REPLACE_ONE
SCHEMA = from_dict(
    {
        "table": {"unit": "person"},
        "columns": {
            "sex": {"kind": "categorical", "values": ["f", "m", "x"]},
            "age": {"kind": "integer", "min": 0, "max": 3, "missing": [""]},
        },
    }
)
COLUMNS, SIZES = ("sex", "age"), (3, 5)
EVERY = [(sex, age) for sex in ("f", "m", "x") for age in (0, 1, 2, 3, None)]


def weights_of(critic: Critic, seed: int, factor: float) -> Weights:
    rng = np.random.default_rng(seed)
    return Weights.of(
        tuple(tuple((factor * rng.normal(size=s)).astype(np.float32) for s in layer) for layer in critic.shapes)
    )


def question(seed: int = 0, clip: Fraction = Fraction(1), factor: float = 1.0, sizes: tuple = SIZES) -> GradientStep:
    critic = Critic((sum(SIZES) if sizes else 5,), (Dense(4), Leaky(), Dense(1)))
    return GradientStep(Exact(), COLUMNS, sizes, critic, "logistic", clip, weights_of(critic, seed, factor), seed)


def vault(rows: list[tuple[str, int | None]]) -> Vault:
    frame = pd.DataFrame(rows, columns=["sex", "age"], dtype=object)
    return Vault(pa.table({name: pa.array(frame[name].tolist()) for name in frame}), SCHEMA)


def declared(asked: GradientStep, rows: int, relation: Relation) -> dict[str, float]:
    said = asked.sensitivity(rows, relation)
    return {"l1": said.l1, "l2": said.l2sq**0.5, "linf": said.linf}


ASKED = [
    question(seed, clip, factor, sizes)
    for seed, (clip, factor) in enumerate(((Fraction(1, 100), 1.0), (Fraction(2), 5.0), (Fraction(50), 0.1)))
    for sizes in (SIZES, ())
]


@pytest.mark.parametrize("asked", ASKED, ids=range(len(ASKED)))
def test_no_row_moves_it_more_than_declared(asked: GradientStep) -> None:
    """Every row of the domain, added to four tables and exchanged in them."""
    tables = [[], EVERY, EVERY * 20]
    for rest in tables:
        before = vault(rest)._look(asked)
        after = [vault([*rest, row])._look(asked) for row in EVERY]
        assert Moves(declared(asked, 1, AR), [(before, table) for table in after]).violation() == ""
        assert Moves(declared(asked, 1, RO), [(after[0], table) for table in after]).violation() == ""
        crowd = vault([*rest, *EVERY[:3]])._look(asked)
        assert Moves(declared(asked, 3, AR), [(before, crowd)]).violation() == ""


def test_what_is_declared_is_nearly_reached() -> None:
    """A row beyond the clip moves it by the clip; without what is set aside for floats, nothing is to spare."""
    asked = question(clip=Fraction(1, 100))
    moved = float(np.linalg.norm(vault(EVERY[:1])._look(asked) - vault([])._look(asked)))
    assert 0.97 <= moved / asked.sensitivity(1, AR).l2sq ** 0.5 <= 1
    lower = {"l2": 0.97 * asked.sensitivity(1, AR).l2sq ** 0.5}
    assert Moves(lower, [(vault(EVERY[:1])._look(asked), vault([])._look(asked))]).violation()
    three = float(np.linalg.norm(vault(EVERY[:1] * 3)._look(asked) - vault([])._look(asked)))
    assert 0.97 <= three / asked.sensitivity(3, AR).l2sq ** 0.5 <= 1


def test_an_empty_sample_is_a_step() -> None:
    asked = question()
    assert vault([])._look(asked).tolist() == [0] * (asked.critic.parameters + 1)


def test_the_last_entry_counts_the_rows_within_the_clip() -> None:
    wide, narrow = question(clip=Fraction(1000)), question(clip=Fraction(1, 1000))
    assert vault(EVERY)._look(wide)[-1] == COUNT * len(EVERY)
    assert vault(EVERY)._look(narrow)[-1] == -COUNT * len(EVERY)


def test_the_scale_is_the_clip() -> None:
    """The same gradients in other units: no clip is reached, so twice the clip halves the answer."""
    one, two = (vault(EVERY)._look(question(clip=Fraction(c)))[:-1] for c in (100, 200))
    assert np.abs(one - 2 * two).max() <= 2
    assert np.abs(one).max() * 100 / CLIP > 0.1


def test_the_sampler_takes_each_row_by_its_own_coin() -> None:
    """Pairwise inclusion, through the vault: each row's own weight shows whether it was taken."""
    vault_, asked = vault(EVERY), replace(question(), mechanism=SampledGaussian(Fraction(1), Fraction(1, 5)))
    taken = np.array([samples(vault_, asked) for _ in range(1000)])
    assert Includes(taken, 0.2).violation() == ""
    halves = taken.copy()
    halves[:, 0] = taken[:, 1]
    assert Includes(halves, 0.2).violation(), "two rows with one coin are seen"


def samples(vault_: Vault, asked: GradientStep) -> np.ndarray:
    """Which of the rows a look takes: the rows are all different, so their codes name them."""
    seen: list[np.ndarray] = []

    class Spy(GradientStep):
        def statistic(self, rows: object) -> np.ndarray:
            seen.append(self.seen(rows))  # type: ignore[arg-type]
            return np.zeros(1, dtype=np.int64)

    spy = Spy(asked.mechanism, COLUMNS, SIZES, asked.critic, asked.loss, asked.clip, asked.weights, 0)
    vault_._look(spy, OperatingSystem())
    cells = seen[0][:, :3].argmax(axis=1) * 5 + seen[0][:, 3:].argmax(axis=1)
    return np.isin(np.arange(len(EVERY)), cells)


@pytest.mark.parametrize(("loss", "clip"), [("squared", 1), ("hinge", 0), ("hinge", -1)])
def test_what_is_no_step_is_refused(loss: str, clip: int) -> None:
    with pytest.raises(Misuse):
        replace(question(), loss=loss, clip=Fraction(clip))


def test_weights_are_known_by_their_digest() -> None:
    critic = question().critic
    one, other = weights_of(critic, 0, 1.0), weights_of(critic, 1, 1.0)
    assert one == weights_of(critic, 0, 1.0) != other
    assert replace(question(), weights=other).digest != question().digest
    with pytest.raises(TypeError, match="digest only"):
        vault(EVERY)._look(replace(question(), weights=Weights("x")))
