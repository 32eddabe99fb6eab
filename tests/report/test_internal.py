"""The internal report: what it says is right, it is stamped, it is the owner's alone, and it is never near a bundle."""

import json
import stat

import numpy as np
import pytest
from hostile import EVIL, TAME, release
from small import bundled, table
from tree import tree

import understudy
from understudy.command.main import answer
from understudy.command.report import beside
from understudy.refusal import StorageRefused
from understudy.report.internal import Internal, place, write_private
from understudy.report.internal_page import internal_page
from understudy.schema.read import from_dict


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    folder = tmp_path_factory.mktemp("work")
    table().to_parquet(folder / "private.parquet")
    return bundled(folder)


def compared(words: tuple[str, ...]) -> Internal:
    """A release beside other rows of the same schema: more rows from its model."""
    made = release(words)
    real = {c.name: np.roll(made.codes[c.name], 7)[:80] for c in made.schema.modelled}
    return Internal(made.schema, made.certificate, real, made.codes)


def test_a_table_beside_itself_differs_in_nothing():
    made = release(TAME)
    facts = Internal(made.schema, made.certificate, made.codes, made.codes).facts()
    assert all(way["mean"] == 0 for way in facts["variation"])
    assert facts["association"]["largest"] == facts["correlation"]["largest"] == facts["clusters"]["separation"] == 0
    assert facts["unseen"]["mean"] == 0 and facts["components"]["space"] < 1e-4
    assert all(c["variation"] == c["jensen_shannon"] == c["chi_square"] == 0 for c in facts["columns"])
    assert facts["certificate"]["held"] == facts["certificate"]["checked"] > 0


def test_the_page_is_stamped_and_data_create_no_element():
    pages = [tree(internal_page(c, c.facts())) for c in (compared(EVIL), compared(TAME))]
    assert pages[0].elements == pages[1].elements
    assert pages[0].text.count("INTERNAL.") == 2 and EVIL[0] in pages[0].text


def test_it_is_written_for_its_owner_alone(bundle, monkeypatch, capfdbinary):
    monkeypatch.chdir(bundle.parent)
    assert answer(["report", "parquet", "--against", "private.parquet", "--json"]) == 0
    out, err = capfdbinary.readouterr()
    facts = json.loads(out)
    page = bundle.parent / "internal" / "parquet.html"
    assert facts["internal"] and err.startswith(b"INTERNAL")
    assert stat.S_IMODE(page.stat().st_mode) == 0o600 and stat.S_IMODE(page.parent.stat().st_mode) == 0o700
    assert sorted(path.name for path in bundle.iterdir() if "internal" in path.name) == []
    assert answer(["report", "parquet", "--against", "private.parquet"]) == 5, "nothing is overwritten"


@pytest.mark.parametrize("out", ["parquet/report2.html", "parquet/new/page.html", "page.html", "internal/../page.html"])
def test_it_is_refused_in_a_bundle_and_beside_one(out, bundle, monkeypatch):
    monkeypatch.chdir(bundle.parent)
    with pytest.raises(StorageRefused, match="not written in a bundle or beside one"):
        place(bundle.parent / out, bundle)


def test_it_is_refused_in_any_other_bundle_too(bundle, tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "certificate.json").write_text("{}")
    with pytest.raises(StorageRefused):
        place(tmp_path / "other" / "page.html", bundle)
    assert place(tmp_path / "fine" / "page.html", bundle)


def test_a_link_does_not_lead_into_a_bundle(bundle, tmp_path):
    (tmp_path / "link").symlink_to(bundle)
    with pytest.raises(StorageRefused):
        place(tmp_path / "link" / "page.html", bundle)


def test_a_file_that_is_there_is_left_alone(tmp_path):
    write_private(tmp_path / "a", b"one")
    with pytest.raises(StorageRefused):
        write_private(tmp_path / "a", b"two")
    assert (tmp_path / "a").read_bytes() == b"one"


def test_without_a_private_table_it_tells_the_releasable_one(bundle, capfdbinary):
    assert answer(["report", str(bundle)]) == 0
    out, _ = capfdbinary.readouterr()
    assert b"50 is a coin" in out and b"report.html" in out
    assert answer(["report", str(bundle), "--json"]) == 0
    assert json.loads(capfdbinary.readouterr()[0]) == json.loads((bundle / "report.json").read_text())


def test_pictures_stand_above_the_private_ones(tmp_path):
    words = {"digit": {"kind": "image", "height": 6, "width": 6}, "label": {"kind": "categorical", "values": [0, 1]}}
    schema = from_dict({"table": {"name": "tiny"}, "columns": words})
    levels = np.random.default_rng(1).integers(0, 255, (200, 6, 6), dtype=np.uint8)
    np.savez(tmp_path / "private.npz", digit=levels, label=np.arange(200) % 2)
    made = understudy.rehearse(tmp_path / "private.npz", schema, seed=1, epsilon=5, delta="1e-5", recipe="gaussian")
    compared = beside(made, str(tmp_path / "private.npz"))
    page = tree(internal_page(compared, compared.facts()))
    assert [value for name, value in page.values if name == "alt"] == [
        "The first 60 synthetic pictures",
        "The first 60 private pictures",
    ]
    assert page.text.count("INTERNAL.") == 2


def test_a_table_of_other_columns_is_refused_without_its_values(bundle, tmp_path, capfd):
    (tmp_path / "t.csv").write_text("secret\nZQXJ\n")
    assert (
        answer(["report", str(bundle), "--against", str(tmp_path / "t.csv"), "--out", str(tmp_path / "i" / "x")]) == 4
    )
    out, err = capfd.readouterr()
    assert "ZQXJ" not in out + err
    assert not (tmp_path / "i").exists()
