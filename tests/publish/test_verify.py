"""Verify: no byte of a bundle changes unnoticed, nothing is missing or added, and the ledger tells the same story."""

import hashlib
import json
import shutil
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from small import SCHEMA, SPEND, bundled, rehearsed, table

import understudy
from understudy.privacy.ledger import Ledger
from understudy.publish.bundle import contents, pretty, read_bundle
from understudy.publish.certify import certificate_of
from understudy.publish.verify import rows_in, verify
from understudy.refusal import Refusal, StorageRefused, Tampered
from understudy.vault.tape import Tape


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    return bundled(tmp_path_factory.mktemp("bundle"))


@pytest.fixture
def copy(bundle, tmp_path):
    return shutil.copytree(bundle, tmp_path / "copy")


@pytest.mark.parametrize("form", ["parquet", "csv", "csv-exact"])
def test_a_bundle_as_it_was_written_is_verified(form, tmp_path):
    told = []
    verify(bundled(tmp_path, form), tell=told.append)
    assert len(told) == 7


def flips(bundle, copy, places):
    """The changed bytes that verify does not notice."""
    missed = []
    for name in sorted(path.name for path in bundle.iterdir()):
        content = (bundle / name).read_bytes()
        for place in places(name, len(content)):
            edited = bytearray(content)
            edited[place] ^= 1 << place % 8
            (copy / name).write_bytes(edited)
            try:
                verify(copy)
                missed.append((name, place))
            except Tampered:
                pass
        (copy / name).write_bytes(content)
    verify(copy)
    return missed


def test_every_seventh_byte_that_is_changed_is_noticed(bundle, copy):
    """All other files are held by their digests, so most places of the certificate and some of the others will do."""
    steps = {"certificate.json": 7, "model.safetensors": 101, "synthetic.parquet": 211, "tape.jsonl": 211}
    steps |= {"report.html": 997, "report.json": 307}
    assert flips(bundle, copy, lambda name, size: range(0, size, steps.get(name, 53))) == []


@pytest.mark.full
def test_every_byte_that_is_changed_is_noticed(bundle, copy):
    assert flips(bundle, copy, lambda name, size: range(0, size, 1 if name == "certificate.json" else 7)) == []


def test_a_file_too_many_or_too_few_is_noticed(bundle, copy):
    for name in sorted(path.name for path in bundle.iterdir()):
        (copy / name).unlink()
        with pytest.raises(Tampered):
            verify(copy)
        shutil.copy(bundle / name, copy / name)
    for name in ("notes.txt", ".hidden", "synthetic.csv"):
        (copy / name).write_text("")
        with pytest.raises(Tampered, match="does not list"):
            verify(copy)
        (copy / name).unlink()
    (copy / "folder").mkdir()
    with pytest.raises(Tampered, match="does not list"):
        verify(copy)


def test_what_is_no_folder_is_refused(tmp_path):
    with pytest.raises(StorageRefused):
        verify(tmp_path / "nowhere")


def sealed(folder, release, **files):
    """The release's files, some of them replaced, with a certificate that lists what is there: a careful forger."""
    made = contents(release, "parquet") | files
    listed = {name: hashlib.sha256(content).hexdigest() for name, content in sorted(made.items())}
    folder.mkdir()
    for name, content in made.items():
        (folder / name).write_bytes(content)
    (folder / "certificate.json").write_bytes(pretty(release.certificate | {"files": listed}))
    return folder


def retaped(release, header=None, entry=lambda entry: (entry.question, entry.charge, entry.answer)):
    """The release with another tape, its chain and its certificate made anew."""
    tape = Tape(release.tape.header | (header or {}))
    for each in release.tape:
        tape.append(*entry(each))
    return replace(release, tape=tape, certificate=certificate_of(tape, release.schema, rows_in(release)))


def altered(kind, **words):
    def change(entry):
        question = entry.question | words if entry.kind == kind else entry.question
        return question, entry.charge, entry.answer

    return change


def cheaper(entry):
    return entry.question, entry.charge | {"amount": str(Fraction(entry.charge["amount"]) / 2)}, entry.answer


def test_a_forger_who_seals_the_truth_is_verified(bundle, tmp_path):
    """So that the forgeries below are refused for what they forge."""
    release = read_bundle(bundle)
    verify(sealed(tmp_path / "a", retaped(release)))


def forged_rows(release):
    return replace(release, table=release.sample(120, draw=5))


def forged_one_row(release):
    grades = release.table["grade"].to_pylist()
    grades[17] = 1 + grades[17] % 3
    place = release.table.column_names.index("grade")
    return replace(release, table=release.table.set_column(place, "grade", [grades]))


def forged_claim(release):
    claims = release.certificate["claims"] | {"mean_total_variation": 0.001}
    return replace(release, certificate=release.certificate | {"claims": claims})


FORGERIES = {
    "other rows": forged_rows,
    "one cell of one row": forged_one_row,
    "a smaller claim": forged_claim,
    "a smaller epsilon": lambda r: retaped(r, {"epsilon": "1/2"}),
    "a smaller epsilon, with a receipt": lambda r: retaped(
        r, {"epsilon": "1/2", "receipt": r.tape.header["receipt"] | {"epsilon": "1/2"}}
    ),
    "a smaller delta": lambda r: retaped(r, {"delta": "1/1000000000"}),
    "another release's name": lambda r: retaped(r, {"release": "another"}),
    "half the price": lambda r: retaped(r, entry=cheaper),
    "less noise than was paid for": lambda r: retaped(
        r, entry=altered("variations", mechanism={"kind": "DiscreteGaussian", "sigma2": "1"})
    ),
    "another relation": lambda r: replace(
        r, schema=replace(r.schema, relation=understudy.schema.relation.Relation.REPLACE_ONE)
    ),
    "fewer rows a unit": lambda r: replace(r, schema=replace(r.schema, unit=replace(r.schema.unit, rows=1))),
    "a private mode": lambda r: replace(r, certificate=r.certificate | {"mode": "release"}),
}


@pytest.mark.parametrize("forge", FORGERIES.values(), ids=FORGERIES)
def test_a_forgery_is_refused_though_its_digests_hold(forge, bundle, tmp_path):
    with pytest.raises(Refusal):
        verify(sealed(tmp_path / "forged", forge(read_bundle(bundle))))


@pytest.fixture(scope="module")
def booked(tmp_path_factory):
    """A ledger with two releases from it, and copies of the ledger before each."""
    folder = tmp_path_factory.mktemp("booked")
    terms = {"epsilon": 10, "delta": "1e-5", "relation": SCHEMA.relation, "unit": "person", "population": "small"}
    for name in ("ledger", "stranger"):
        Ledger.create(folder / f"{name}.sqlite", **terms)
    for number in (1, 2):
        shutil.copy(folder / "ledger.sqlite", folder / f"before {number}.sqlite")
        understudy.release(table(), SCHEMA, **SPEND, ledger=folder / "ledger.sqlite", out=folder / f"release {number}")
    return folder


def test_a_ledger_that_granted_it_verifies_it(booked):
    for number in (1, 2):
        verify(booked / f"release {number}", booked / "ledger.sqlite")


@pytest.mark.parametrize("ledger", ["stranger", "before 1", "before 2"])
def test_another_or_an_older_ledger_does_not(ledger, booked):
    with pytest.raises(Tampered, match="does not hold the reservation"):
        verify(booked / "release 2", booked / f"{ledger}.sqlite")


def test_a_ledger_that_is_not_there_or_is_none_is_refused(booked, tmp_path):
    with pytest.raises(StorageRefused):
        verify(booked / "release 1", tmp_path / "nowhere.sqlite")
    (tmp_path / "text.sqlite").write_text("no ledger")
    with pytest.raises(Tampered):
        verify(booked / "release 1", tmp_path / "text.sqlite")


def test_the_ledger_knows_every_answer(booked, tmp_path):
    """A forger who seals everything anew cannot seal the ledger: one count more, and the histories differ."""
    release = read_bundle(booked / "release 1")

    def more(entry):
        answer = entry.answer + 1 if entry.kind == "marginals" else entry.answer
        return entry.question, entry.charge, np.asarray(answer)

    forged = sealed(tmp_path / "forged", retaped(release, entry=more))
    verify(forged)  # without the ledger nothing tells the two apart: integrity, not authorship
    with pytest.raises(Tampered, match="other looks"):
        verify(forged, booked / "ledger.sqlite")


def test_a_twin_is_verified_as_what_it_is(tmp_path):
    folder = rehearsed(seed=9).save(tmp_path / "b")
    assert not verify(folder).private
    assert "NOT PRIVATE" in json.loads((folder / "certificate.json").read_text())["mode"]
