"""Pictures from archives, idx files and folders: the same rows from each, and nothing said about any of them."""

import gzip
import struct
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Pillow

from understudy.refusal import Refusal, SchemaRefused, SourceRefused
from understudy.schema.image import pixels
from understudy.schema.read import from_dict
from understudy.schema.schema import Schema
from understudy.source.source import read

COLUMNS = {
    "digit": {"kind": "categorical", "values": [0, 1, 2]},
    "image": {"kind": "image", "height": 4, "width": 3},
}
DIGITS = from_dict({"table": {"unit": "writer", "label": "digit"}, "columns": COLUMNS})
RNG = np.random.default_rng(5)
LEVELS = RNG.integers(0, 256, size=(6, 4, 3), dtype=np.uint8)
LABELS = np.array([0, 0, 1, 1, 2, 2], dtype=np.uint8)


def npz(folder: Path, **more: object) -> Path:
    np.savez(folder / "rows.npz", **{"digit": LABELS, "image": LEVELS} | more)
    return folder / "rows.npz"


def idx(folder: Path) -> Path:
    for name, array, opener in (("image-idx3-ubyte", LEVELS, open), ("digit.idx1.gz", LABELS, gzip.open)):
        with opener(folder / name, "wb") as file:
            file.write(struct.pack(f">HBB{array.ndim}I", 0, 8, array.ndim, *array.shape) + array.tobytes())
    return folder


def png(folder: Path) -> Path:
    for place, (picture, label) in enumerate(zip(LEVELS, LABELS, strict=True)):
        (folder / str(label)).mkdir(exist_ok=True)
        Pillow.fromarray(picture).save(folder / str(label) / f"{place}.png")
    return folder


@pytest.mark.parametrize("make", [npz, idx, png])
def test_every_source_gives_the_same_rows(make, tmp_path: Path) -> None:
    table = read(make(tmp_path), DIGITS)
    assert table.column_names == ["digit", "image"]
    assert [int(value.as_py()) for value in table["digit"]] == LABELS.tolist()
    assert pixels(table["image"], DIGITS.images[0]).reshape(6, 4, 3).tolist() == LEVELS.tolist()


def test_a_file_that_is_no_picture_of_the_size_is_black_and_stops_nothing(tmp_path: Path) -> None:
    png(tmp_path)
    (tmp_path / "2" / "6.png").write_bytes(b"ZQXJ, not a picture")
    Pillow.fromarray(LEVELS[0, :2]).save(tmp_path / "2" / "7.png")
    found = pixels(read(tmp_path, DIGITS)["image"], DIGITS.images[0])
    assert len(found) == 8 and found[:6].any() and not found[6:].any()


def test_colours(tmp_path: Path) -> None:
    schema = from_dict({"table": {}, "columns": {"p": {"kind": "image", "height": 2, "width": 2, "channels": 3}}})
    levels = RNG.integers(0, 256, size=(1, 2, 2, 3), dtype=np.uint8)
    Pillow.fromarray(levels[0]).save(tmp_path / "p.png")
    assert pixels(read(tmp_path, schema)["p"], schema.images[0]).tolist() == levels.reshape(1, 12).tolist()
    np.savez(tmp_path / "p.npz", p=levels)
    assert pixels(read(tmp_path / "p.npz", schema)["p"], schema.images[0]).tolist() == levels.reshape(1, 12).tolist()


def refused(change: str, folder: Path) -> Path:
    """An archive or a folder that is no table of pictures."""
    if change == "no archive":
        (folder / "rows.npz").write_bytes(b"ZQXJ")
        return folder / "rows.npz"
    if change == "no idx":
        (folder / "image-idx3").write_bytes(b"ZQXJ" * 9)
        (folder / "digit-idx1").write_bytes(b"")
        return folder
    more = {
        "objects": {"image": np.array([{}] * 6)},
        "another size": {"image": LEVELS[:, :2]},
        "other lengths": {"image": LEVELS[:5]},
        "fractions": {"image": LEVELS / 2},
        "an array too many": {"ZQXJ": LABELS},
    }
    return npz(folder, **more[change])


CHANGES = ("no archive", "no idx", "objects", "another size", "other lengths", "fractions", "an array too many")


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_no_table_of_pictures_is_refused_in_constant_words(change: str, tmp_path: Path) -> None:
    kind: type[Refusal] = SchemaRefused if change == "an array too many" else SourceRefused
    with pytest.raises(kind) as said:
        read(refused(change, tmp_path), DIGITS)
    assert "ZQXJ" not in str(said.value)  # the name of an array may be anything


def test_a_folder_of_pictures_fits_pictures_and_a_label_only(tmp_path: Path) -> None:
    other: Schema = from_dict({"table": {}, "columns": COLUMNS})  # digit is no label here
    with pytest.raises(SourceRefused, match="one column of pictures"):
        read(png(tmp_path), other)
