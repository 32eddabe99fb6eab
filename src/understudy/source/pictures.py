"""Pictures: npz archives, idx files, and folders of PNG files, one picture a record.

    FILE.npz             arrays named as the schema's columns: (n, height, width[, channels]) of bytes, and (n,) of values
    FOLDER with idx      files COLUMN.idx, COLUMN-idx3-ubyte and the like, gzipped or not: MNIST as it is published
    FOLDER of PNG        every *.png below it is a row; the name of the folder that holds it is its label

What is public is what the schema says. A picture of another size is black, as `schema/image.py` has it; an archive whose
arrays have not one entry a row is no table, and refused in one constant sentence.
"""

import gzip
import math
import zipfile
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa

from understudy.refusal import Misuse, Refusal, SourceRefused
from understudy.schema.column import Image
from understudy.schema.image import pictures
from understudy.schema.schema import Schema
from understudy.source import columns
from understudy.source.opened import opened

TYPES = {8: "u1", 9: "i1", 11: ">i2", 12: ">i4", 13: ">f4", 14: ">f8"}  # the third byte of an idx file
LARGEST = 2**34  # bytes of one array


def archive(path: Path, schema: Schema) -> pa.Table:
    """The arrays of an npz file that the schema takes."""
    with opened(path) as file:
        try:
            with np.load(file, allow_pickle=False) as arrays:
                taken = columns.taken(arrays.files, schema)
                return table_of({name: arrays[name] for name in taken}, schema)
        except Refusal:
            raise
        except (ValueError, OSError, EOFError, KeyError, zipfile.BadZipFile, AttributeError, TypeError):
            raise SourceRefused("the file is no archive of plain arrays", "write it with numpy.savez") from None


def folder(path: Path, schema: Schema) -> pa.Table:
    """A folder of idx files, or of PNG files."""
    files = sorted(item for item in path.iterdir() if "idx" in item.name)
    return idx(files, schema) if files else png(path, schema)


def idx(files: list[Path], schema: Schema) -> pa.Table:
    """Every file is a column, named by what stands before "idx"."""
    named = {file.name.partition("idx")[0].rstrip(".-_"): file for file in files}
    taken = columns.taken(list(named), schema)
    return table_of({name: array_of(named[name]) for name in taken}, schema)


def array_of(path: Path) -> Any:
    """One idx file: 0 0 type axes, the sizes of the axes, the values."""
    with opened(path) as raw:
        file: BinaryIO | gzip.GzipFile = gzip.GzipFile(fileobj=raw) if path.suffix == ".gz" else raw
        try:
            head = file.read(4)
            kind, axes = np.dtype(TYPES[head[2]]), head[3]
            shape = tuple(int(size) for size in np.frombuffer(file.read(4 * axes), dtype=">u4"))
            if head[:2] != b"\0\0" or math.prod(shape) * kind.itemsize > LARGEST:
                raise ValueError
            found = np.frombuffer(file.read(math.prod(shape) * kind.itemsize), dtype=kind).reshape(shape)
            if file.read(1):
                raise ValueError
            return found
        except (ValueError, KeyError, IndexError, OSError, EOFError):
            raise SourceRefused("the file is not of the idx format", "take it as it was published") from None


def table_of(arrays: dict[str, Any], schema: Schema) -> pa.Table:
    """Arrays with one entry a row as columns."""
    if len({len(array) for array in arrays.values()}) != 1:
        raise SourceRefused("the arrays have not one entry for each row", "give arrays of one length")
    images = {column.name: column for column in schema.images}
    return pa.table({name: column_of(array, images.get(name)) for name, array in arrays.items()})


def column_of(array: Any, image: Image | None) -> pa.Array:
    """An array as a column: bytes for pictures, else values as they are."""
    if image is None:
        if array.ndim != 1 or array.dtype.kind not in "iufbU":
            raise SourceRefused("an array of values has one axis, of numbers or texts", "reshape it")
        return pa.array(array.tolist() if array.dtype.kind == "U" else array.astype(array.dtype.newbyteorder("=")))
    if array.dtype.kind not in "iub" or array.dtype.itemsize * math.prod(array.shape) > LARGEST:
        raise SourceRefused("an array of pictures has whole numbers", "write levels as bytes")
    if array.shape[1:] not in sizes(image):
        raise SourceRefused("an array of pictures has another size than the schema says", "declare that size")
    levels = np.clip(array, 0, image.high).astype(np.uint8)
    return pictures(levels.reshape(len(array), image.pixels), image)


def sizes(image: Image) -> tuple[tuple[int, ...], ...]:
    """The shapes that one picture may have in an array."""
    plain = (image.height, image.width, image.channels)
    return (plain, (image.pixels,)) if image.channels > 1 else (plain[:2], plain, (image.pixels,))


def png(path: Path, schema: Schema) -> pa.Table:
    """Every PNG file below a folder, in the order of their paths."""
    others = [column.name for column in schema.modelled if column.name != schema.label]
    if len(schema.images) != 1 or others != [schema.images[0].name] or schema.unit.column is not None:
        remedy = "declare an image column, and at most a label, which is the folder's name"
        raise SourceRefused("a folder of pictures has one column of pictures and no other", remedy)
    image = schema.images[0]
    files = sorted(path.rglob("*.png"))
    table = {
        image.name: pictures(np.array([levels_of(file, image) for file in files]).reshape(-1, image.pixels), image)
    }
    if schema.label is not None:
        table[schema.label] = pa.array([file.parent.name for file in files], pa.string())
    return pa.table({column.name: table[column.name] for column in schema.modelled})


def levels_of(path: Path, image: Image) -> Any:
    """The levels of one file, in the schema's channels; black where it is no PNG of that size."""
    try:
        from PIL import Image as Pillow
    except ImportError:
        raise Misuse(
            "PNG files are read with Pillow, which is not installed", "pip install 'understudy[all]'"
        ) from None
    try:
        with Pillow.open(path, formats=("PNG",)) as picture:
            if picture.size == (image.width, image.height):
                found = np.asarray(picture.convert("L" if image.channels == 1 else "RGB"), dtype=np.uint8)
                # what is read has 256 levels, whatever the schema's brightest is
                return (found.reshape(-1).astype(np.int64) * image.high + 127) // 255
    except Exception:  # the law: no row stops the others, and nothing is said about it
        pass
    return np.zeros(image.pixels, dtype=np.int64)
