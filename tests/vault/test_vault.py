"""The sealed rows: what a sample counts is its own."""

from fractions import Fraction

import pyarrow as pa

from understudy.noise.entropy import Seeded
from understudy.question.queries import Box
from understudy.schema.column import Boolean
from understudy.schema.schema import Schema, Unit
from understudy.vault.vault import SealedRows

SCHEMA = Schema("t", Unit("person"), (Boolean("smokes"),))
SMOKES = Box((("smokes", 1, 1),))


def test_a_sample_counts_its_own_rows() -> None:
    """Counts are kept for the next look; those of the whole table must not stand in for a sample's."""
    rows = SealedRows(pa.table({"smokes": [True, False] * 500}), SCHEMA)
    assert rows.counts(("smokes",)).tolist() == [500, 500]
    assert rows.matches(SMOKES) == 500
    half = rows.sampled(Fraction(1, 2), Seeded(0))
    assert 400 < len(half) < 600
    assert half.counts(("smokes",)).sum() == len(half)
    assert half.matches(SMOKES) == half.counts(("smokes",))[1]
    assert rows.sampled(Fraction(1), Seeded(0)).counts(("smokes",)).tolist() == [500, 500]


def test_what_is_kept_cannot_be_changed_by_who_reads_it() -> None:
    rows = SealedRows(pa.table({"smokes": [True]}), SCHEMA)
    assert not rows.counts(("smokes",)).flags.writeable
    assert rows.counts(("smokes",)) is rows.counts(("smokes",))
