"""The bundle: what is written is read back, more rows come at no cost, and a spreadsheet runs nothing of it."""

import contextlib
import csv
import json
import zipfile

import duckdb
import numpy as np
import polars
import pyarrow as pa
import pytest
from small import FORMULAS, SCHEMA, bundled, rehearsed, table

import understudy
from understudy.publish.bundle import FORMATS, read_bundle
from understudy.publish.csv import FORMULA, read_csv, write_csv
from understudy.refusal import Misuse, Refusal, StorageRefused, Tampered
from understudy.schema.encode import codes
from understudy.schema.image import pixels
from understudy.schema.read import from_dict
from understudy.source.source import read


@pytest.fixture(scope="module")
def release():
    return rehearsed()


def cells(rows):
    """What a table comes to under the schema."""
    return {column.name: codes(rows[column.name], column).tolist() for column in SCHEMA.modelled}


@pytest.mark.parametrize("form", [form for form in FORMATS if form != "png"])
def test_what_is_written_is_read_back(form, release, tmp_path):
    again = read_bundle(release.save(tmp_path / "b", form))
    assert cells(again.table) == cells(release.table)
    assert again.schema == release.schema
    assert again.tape.text() == release.tape.text()
    assert {name: again.certificate[name] for name in release.certificate} == release.certificate
    assert again.sample(50).equals(release.sample(50))
    if form == "parquet":
        assert again.table.equals(release.table)
    else:
        assert again.table["=key"].to_pylist() == release.table["=key"].to_pylist()


def test_a_draw_repeats_itself_and_no_other(release):
    batches = [release.sample(120, draw) for draw in (1, 2, 3)]
    assert release.sample(120, 0).equals(release.table)
    assert release.sample(120, 2).equals(batches[1])
    assert len({str(cells(rows)) for rows in (*batches, release.table)}) == 4
    assert release.sample(7, 1).num_rows == 7


@pytest.mark.parametrize(("n", "draw"), [(0, 1), (-3, 1), (5, -1)])
def test_a_sample_that_is_none_is_refused(n, draw, release):
    with pytest.raises(Misuse):
        release.sample(n, draw)


def test_a_sample_costs_nothing(release):
    before = release.tape.text()
    release.sample(1000, 9)
    assert release.tape.text() == before


@pytest.mark.parametrize("form", ["csv", "csv-exact"])
def test_every_text_comes_back_from_csv(form, release):
    """Also those that the model did not happen to draw."""
    remarks = pa.array([*FORMULAS, None] * 12)
    every = release.table.set_column(1, "remark", remarks)
    content = write_csv(every, SCHEMA, exact=form == "csv-exact")
    again = read_csv(content, SCHEMA, form == "csv-exact")
    assert [None if text == "" else text for text in again["remark"].to_pylist()] == remarks.to_pylist()
    assert cells(again) == cells(every)


WORDS = [
    "",
    " ",
    "l\nl",
    "\r",
    "a\rb",
    "a\r\nb",
    "\u2028",
    "-5",
    "+-1",
    "'",
    "''x",
    '"',
    "\x00",
    "=1",
    "\t",
    "a,b",
    "\r\n",
]


@pytest.mark.parametrize("form", ["csv", "csv-exact"])
@pytest.mark.parametrize("mark", [",", ";", "'", '"', " "])
def test_every_word_comes_back_from_csv(mark, form):
    quote = "'" if mark == '"' else '"'
    words = {"kind": "categorical", "values": WORDS, "missing": ["NA"]}
    schema = from_dict({"table": {}, "columns": {"w": words}, "csv": {"delimiter": mark, "quote": quote}})
    rows = pa.table({"w": [*WORDS, None]})
    content = write_csv(rows, schema, exact=form == "csv-exact")
    assert content.endswith(b"NA\n")
    assert read_csv(content, schema, form == "csv-exact")["w"].to_pylist() == [*WORDS, "NA"]


@pytest.mark.parametrize("code", ["=cmd|' /C calc'!A0", "'", "-"])
def test_a_spreadsheet_runs_no_missing_code_of_a_number(code):
    schema = from_dict({"table": {}, "columns": {"x": {"kind": "integer", "min": -9, "max": 9, "missing": [code]}}})
    content = write_csv(pa.table({"x": [-1, None]}), schema, exact=False)
    assert content == f"x\n-1\n'{code}\n".encode()
    assert read_csv(content, schema, False)["x"].to_pylist() == ["-1", code]


def test_a_spreadsheet_runs_nothing_of_the_default_csv(release, tmp_path):
    folder = release.save(tmp_path / "b", "csv")
    with (folder / "synthetic.csv").open(newline="", encoding="utf-8") as file:
        lines = list(csv.reader(file))
    numeric = {"grade", "change", "dose"}
    for line in lines:
        for name, cell in zip(SCHEMA.columns, line, strict=True):
            if line is lines[0] or name.name not in numeric:
                assert not cell.startswith(FORMULA) or cell.lstrip("+-").isdigit() or cell == "-", cell
    assert any(cell.startswith("'=") for line in lines for cell in line)


def test_the_exact_csv_says_so_in_its_name_and_adds_nothing(release, tmp_path):
    text = (release.save(tmp_path / "b", "csv-exact") / "synthetic-exact.csv").read_text()
    assert text.startswith("=key,")
    assert "'=" not in text


def test_a_twin_is_stamped_everywhere(release, tmp_path):
    folder = release.save(tmp_path / "b")
    assert "NOT PRIVATE" in json.loads((folder / "certificate.json").read_text())["mode"]
    assert "NOT PRIVATE" in (folder / "README.md").read_text()
    assert "NOT PRIVATE" in json.loads((folder / "tape.jsonl").read_text().splitlines()[0])["header"]["mode"]
    again = read_bundle(folder)
    assert not again.private
    assert "NOT PRIVATE" in repr(again)


def test_a_release_is_not_stamped(tmp_path):
    made = understudy.release(table(), SCHEMA, epsilon=1, delta="1e-6", recipe="independent", out=tmp_path / "b")
    assert made.private
    assert "NOT PRIVATE" not in repr(made)
    for name in ("certificate.json", "README.md", "tape.jsonl"):
        assert "NOT PRIVATE" not in (tmp_path / "b" / name).read_text()


def test_the_same_seed_gives_the_same_bytes_and_another_one_others(tmp_path):
    one, same, other = (bundled(tmp_path / str(i), seed=seed) for i, seed in enumerate((5, 5, 6)))
    assert (one / "synthetic.parquet").read_bytes() == (same / "synthetic.parquet").read_bytes()
    assert (one / "synthetic.parquet").read_bytes() != (other / "synthetic.parquet").read_bytes()


def test_nothing_is_overwritten_and_no_format_is_guessed(release, tmp_path):
    release.save(tmp_path / "b")
    with pytest.raises(StorageRefused, match="there already"):
        release.save(tmp_path / "b")
    with pytest.raises(Misuse, match="no format"):
        release.save(tmp_path / "c", "xlsx")
    assert not (tmp_path / "c").exists()


def test_a_bundle_that_could_not_be_finished_is_not_there(release, tmp_path, monkeypatch):
    real = understudy.publish.bundle.write_durably

    def refuse(path, content):
        if path.name == "tape.jsonl":
            raise OSError(28, "No space left on device")
        real(path, content)

    monkeypatch.setattr(understudy.publish.bundle, "write_durably", refuse)
    with pytest.raises(StorageRefused, match="No space left"):
        release.save(tmp_path / "b")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["certificate.json", "tape.jsonl", "schema.toml", "model.json", "model.safetensors"])
def test_a_bundle_that_lacks_a_file_or_has_a_broken_one_is_refused(name, tmp_path):
    folder = bundled(tmp_path)
    content = (folder / name).read_bytes()
    (folder / name).write_bytes(b"\xff{[" + content[::2])
    with pytest.raises(Refusal):
        read_bundle(folder)
    (folder / name).unlink()
    with pytest.raises(Refusal, match=name):
        read_bundle(folder)


def test_rows_keep_their_declared_types(release):
    types = {field.name: field.type for field in release.table.schema}
    assert types["grade"] == types["change"] == pa.int64()
    assert types["smokes"] == pa.bool_()
    assert types["born"] == pa.date32()
    assert types["seen"] == pa.timestamp("s", tz="Europe/Zurich")
    assert types["zip"] == types["=key"] == pa.string()
    assert release.table["=key"].to_pylist()[:2] == ["-P0001", "-P0002"]
    assert np.isin(release.table["zip"].to_pylist(), ["00501", "10001", "@else"]).all()


KINDS = {
    "pandas": lambda rows: rows.to_pandas(),
    "polars": polars.from_arrow,
    "pyarrow": lambda rows: rows,
    "duckdb": duckdb.from_arrow,
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_kind_of_frame_that_came_in_comes_out(kind, release):
    like = KINDS[kind](release.table)
    frame = release.to_frame(like)
    assert type(frame) is type(like)
    assert (
        pa.table(frame).select(["remark", "grade", "smokes", "change", "born"]).to_pylist()
        == release.table.select(["remark", "grade", "smokes", "change", "born"]).to_pylist()
    )


def test_pandas_keeps_whole_numbers_and_truth_values_where_some_are_missing(release):
    kinds = release.to_frame(table()).dtypes.astype(str).to_dict()
    assert (kinds["smokes"], kinds["grade"], kinds["change"]) == ("boolean", "int64", "int64")
    shorter = {"table": {"name": "t"}, "columns": {"a": {"kind": "integer", "min": 0, "max": 3, "missing": [""]}}}
    made = understudy.rehearse(
        pa.table({"a": [1, None, 3] * 40}), from_dict(shorter), seed=1, epsilon=9, delta=0, recipe="independent"
    )
    assert made.to_frame(table())["a"].dtype == "Int64" and made.table["a"].null_count


def test_rows_are_not_given_as_what_is_no_frame(release):
    for nothing in (42, "pandas", None):
        with pytest.raises(Misuse, match="rows are not given as"):
            release.to_frame(nothing)


PICTURES = {
    "table": {"name": "drawn", "label": "digit", "rows": 40},
    "columns": {
        "image": {"kind": "image", "height": 3, "width": 2, "max": 100},
        "digit": {"kind": "categorical", "values": ["a/b", "..", "plain"], "missing": [""]},
    },
}


def test_pictures_are_folders_of_png_files(tmp_path):
    """Read back by our own reader to the byte, and by Pillow once the archive is unpacked."""
    rng = np.random.default_rng(3)
    np.savez(
        tmp_path / "t.npz",
        image=rng.integers(0, 101, (40, 3, 2), dtype=np.uint8),
        digit=np.array(["a/b", "..", "plain", ""])[np.arange(40) % 4],
    )
    made = understudy.rehearse(
        tmp_path / "t.npz", from_dict(PICTURES), seed=1, epsilon=5, delta="1e-5", recipe="gaussian", workload="1way"
    )
    again = read_bundle(made.save(tmp_path / "b", "png"))
    image, digit = made.schema.field("image"), made.schema.field("digit")
    assert pixels(again.table["image"], image).tolist() == pixels(made.table["image"], image).tolist()
    assert codes(again.table["digit"], digit).tolist() == codes(made.table["digit"], digit).tolist()
    with zipfile.ZipFile(tmp_path / "b" / "synthetic-png.zip") as archive:
        assert {name.partition("/")[0] for name in archive.namelist()} <= {"a%2Fb", "%2E.", "plain", "%"}
        archive.extractall(tmp_path / "out")
    words = PICTURES["columns"] | {"digit": {"kind": "categorical", "values": ["a%2Fb", "%2E.", "plain", "%"]}}
    seen = read(tmp_path / "out", from_dict(PICTURES | {"columns": words}))
    kept, found = (sorted(map(tuple, pixels(rows["image"], image).tolist())) for rows in (made.table, seen))
    assert kept == found


@pytest.mark.parametrize("form", ["csv", "png", "pictures"])
def test_a_format_that_cannot_be_is_refused_before_anything_is_spent(form, tmp_path):
    two = {**PICTURES, "columns": PICTURES["columns"] | {"more": {"kind": "boolean"}}}
    told = []
    with pytest.raises(Misuse):
        understudy.release(
            tmp_path / "not there.npz",
            from_dict(two),
            epsilon=1,
            delta="1e-5",
            recipe="gaussian",
            workload="1way",
            out=tmp_path / "b",
            form=form,
            tell=told.append,
        )
    assert told == [] and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("form", ["npz", "png", "parquet"])
def test_rows_that_were_damaged_are_refused_in_words(form, tmp_path):
    """Whatever the damage does to the reader of that format: at every tenth of the file it is cut, or a byte is turned."""
    levels = np.random.default_rng(3).integers(0, 101, (40, 3, 2), dtype=np.uint8)
    np.savez(tmp_path / "t.npz", image=levels, digit=np.array(["a/b", "..", "plain", ""])[np.arange(40) % 4])
    terms = {"seed": 1, "epsilon": 5, "delta": "1e-5", "recipe": "gaussian", "workload": "1way"}
    made = understudy.rehearse(tmp_path / "t.npz", from_dict(PICTURES), **terms)
    file = made.save(tmp_path / "b", form) / FORMATS[form]
    whole = file.read_bytes()
    for place in range(0, len(whole), max(len(whole) // 10, 1)):
        file.write_bytes(whole[:place])
        with pytest.raises(Tampered):
            read_bundle(tmp_path / "b")
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 255]) + whole[place + 1 :])
        with contextlib.suppress(Tampered):  # a turned byte may leave a file that can be read: verify sees it
            read_bundle(tmp_path / "b")
