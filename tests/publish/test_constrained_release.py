"""A release under constraints, from the schema file to `verify`: they hold in every row, by cells and by values."""

import hashlib
import json

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import understudy
from understudy.publish.certificate import only
from understudy.question.reference import Reference
from understudy.refusal import Misuse, Tampered
from understudy.schema.encode import codes

SCHEMA = """
[table]
name = "stays"
unit = "patient"
[columns.sex]
kind = "categorical"
values = ["f", "m"]
[columns.pregnant]
kind = "boolean"
true = ["yes"]
false = ["no"]
missing = [""]
[columns.came]
kind = "datetime"
min = "2024-01-01T00:00"
max = "2024-12-31T23:59"
bins = 6
[columns.went]
kind = "date"
min = "2024-01-01"
max = "2025-01-31"
bins = 4
missing = [""]
[[constraint]]
when = { sex = ["m"] }
then = { pregnant = { missing = true } }
[[constraint]]
order = ["came", "went"]
"""
N = 3000


def private() -> pa.Table:
    """Stays of up to two weeks; a third of the patients did not stay."""
    rng = np.random.default_rng(0)
    minutes = rng.integers(0, 366 * 1440, N)
    nights = np.where(rng.random(N) < 0.33, -1, rng.integers(0, 14, N))
    came = np.datetime64("2024-01-01T00:00", "m") + minutes
    female = rng.random(N) < 0.5
    return pa.table(
        {
            "sex": np.where(female, "f", "m"),
            "pregnant": np.where(female, np.where(rng.random(N) < 0.2, "yes", "no"), ""),
            "came": [str(value) for value in came],
            "went": ["" if k < 0 else str(c.astype("datetime64[D]") + k) for c, k in zip(came, nights, strict=True)],
        }
    )


def obeys(table: pa.Table) -> bool:
    """The rules, said again in terms of values."""
    rows = table.to_pylist()
    return all(
        (row["sex"] != "m" or row["pregnant"] is None) and (row["went"] is None or row["came"].date() <= row["went"])
        for row in rows
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("constrained")
    (folder / "s.toml").write_text(SCHEMA)
    return folder


@pytest.fixture(scope="module", params=("querygan", "independent", "mst"))
def made(request, folder):
    bundle = folder / request.param
    release = understudy.rehearse(
        private(), folder / "s.toml", seed=1, epsilon=1, delta="1e-6", recipe=request.param, out=bundle
    )
    return bundle, release


def test_every_row_obeys_and_the_certificate_is_about_these_rows(made):
    bundle, release = made
    assert obeys(release.table)
    rows = {c.name: codes(release.table[c.name], c) for c in release.schema.modelled}
    asked = only(release.tape, "worst_cell").question["synthetic"]
    assert Reference.of_rows(rows, release.schema.domain).digest == asked
    held: list[str] = []
    assert understudy.verify(bundle, tell=held.append).schema.constraints == release.schema.constraints
    assert "rules: every row obeys the constraints of the schema (2)" in held


def test_samples_obey_and_have_what_is_given(made):
    bundle, _ = made
    release = understudy.read_bundle(bundle)
    assert obeys(release.sample(500, draw=3))
    for given in ({"sex": "f"}, {"sex": "m", "came": "2024-12-30T08:15"}, {"went": "2024-01-02", "pregnant": "yes"}):
        table = release.sample(300, given=given)
        assert obeys(table) and table.equals(release.sample(300, given=given))
        for name, value in given.items():
            (only_value,) = pc.unique(table[name]).to_pylist()
            assert str(only_value).replace(" ", "T").startswith(value) or only_value is True
    with pytest.raises(Misuse, match="no row with the given values"):
        release.sample(1, given={"sex": "m", "pregnant": "no"})


def test_verify_finds_a_row_whose_values_break_an_order_although_its_cells_do_not(made, tmp_path):
    """A file may be put beside a certificate that lists its digest: the rows' cells are the same, so only this sees it."""
    bundle, release = made
    forged = tmp_path / "forged"
    forged.mkdir()
    for file in bundle.iterdir():
        (forged / file.name).write_bytes(file.read_bytes())
    schema, table = release.schema, release.table
    cell = {name: codes(table[name], schema.column(name)) for name in ("came", "went")}
    row = next(i for i in range(N) if cell["came"][i] == 1 and cell["went"][i] == 0)
    last = schema.column("came").grid.bounds(1)[1]
    came = table["came"].to_pylist()
    came[row] = np.datetime64(last, "m").astype("datetime64[s]").item()
    broken = table.set_column(2, "came", pa.array(came, type=table["came"].type))
    assert not obeys(broken)
    pq.write_table(broken, forged / "synthetic.parquet")
    certificate = json.loads((forged / "certificate.json").read_text())
    content = (forged / "synthetic.parquet").read_bytes()
    certificate["files"]["synthetic.parquet"] = hashlib.sha256(content).hexdigest()
    (forged / "certificate.json").write_text(json.dumps(certificate, indent=2, sort_keys=True) + "\n")
    with pytest.raises(Tampered, match="a row breaks a constraint"):
        understudy.verify(forged)


def test_a_csv_is_verified_too(folder):
    bundle = folder / "as-csv"
    understudy.rehearse(
        private(), folder / "s.toml", seed=2, epsilon=1, delta="1e-6", recipe="independent", out=bundle, form="csv"
    )
    assert obeys(understudy.read_bundle(bundle).sample(100, draw=0))
    understudy.verify(bundle)
