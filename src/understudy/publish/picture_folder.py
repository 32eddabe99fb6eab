"""Synthetic pictures as PNG files, in folders named by their labels: a zip archive, which is such a folder once it is unpacked.

    LABEL/0000007.png, or 0000007.png where there is no label; the number is the row's

Folders are read as a table again (`source/pictures.py`). A label that is no plain name for a folder is written as in an
address, 3/4 as 3%2F4; a missing one as %. Files are not compressed and have fixed times: the same rows are the same bytes.

>>> [folder_of(text) for text in ("cat", "a/b", "..", "")]
['cat', 'a%2Fb', '%2E.', '%']
>>> [label_of(folder_of(text)) for text in ("cat", "a/b", "..", "")]
['cat', 'a/b', '..', '']
"""

import io
import zipfile
import zlib
from urllib.parse import quote, unquote

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from understudy.page.png import png
from understudy.publish.csv import texts
from understudy.publish.npz import FIXED
from understudy.refusal import Misuse
from understudy.schema.column import Image
from understudy.schema.image import pictures, pixels
from understudy.schema.schema import Schema

Levels = NDArray[np.uint8]


def refuse_other_columns(schema: Schema) -> None:
    """A folder of pictures has nowhere to put anything but one picture and its label."""
    others = [column.name for column in schema.fields if column.name != schema.label]
    if len(schema.images) != 1 or others != [schema.images[0].name]:
        raise Misuse("a folder of pictures has one column of pictures, and at most a label", "write npz or parquet")


def folder_of(label: str) -> str:
    """A name for a folder."""
    name = quote(label, safe=" ()+,;=@")
    return f"%2E{name[1:]}" if name.startswith(".") else name or "%"


def label_of(folder: str) -> str:
    """The label that a folder is named by."""
    return "" if folder == "%" else unquote(folder)


def write_pictures(table: pa.Table, schema: Schema) -> bytes:
    """Every row as a file."""
    refuse_other_columns(schema)
    image = schema.images[0]
    found = pixels(table[image.name], image).reshape(table.num_rows, *shape(image))
    labels = texts(table[schema.label], schema.field(schema.label)) if schema.label else None
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        for row, levels in enumerate(found):
            below = f"{folder_of(labels[row])}/" if labels else ""
            archive.writestr(zipfile.ZipInfo(f"{below}{row:07}.png", FIXED), png(shown(levels, image)))
    return sink.getvalue()


def shape(image: Image) -> tuple[int, ...]:
    """Of one picture."""
    return (image.height, image.width, image.channels) if image.channels > 1 else (image.height, image.width)


def shown(levels: Levels, image: Image) -> Levels:
    """Levels of 0 to ``high`` as a PNG's 0 to 255: `levels_of` in source/pictures.py takes them back."""
    return ((levels.astype(np.int64) * 255 + image.high // 2) // image.high).astype(np.uint8)


def read_pictures(content: bytes, schema: Schema) -> pa.Table:
    """The files of a bundle as columns, in the order of their rows."""
    image = schema.images[0]
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = sorted(archive.namelist(), key=lambda name: name.rpartition("/")[2])
        found = [levels_of(archive.read(name), image) for name in names]
    columns = {image.name: pictures(np.array(found, dtype=np.uint8).reshape(-1, image.pixels), image)}
    if schema.label:
        columns[schema.label] = pa.array([label_of(name.rpartition("/")[0]) for name in names], pa.string())
    return pa.table({column.name: columns[column.name] for column in schema.fields})


def levels_of(content: bytes, image: Image) -> Levels:
    """The levels of a file that `png` wrote: after 8 and 25 bytes of heads the one part of data, its lines unfiltered."""
    start = 8 + 25
    length = int.from_bytes(content[start : start + 4], "big")
    raw = zlib.decompress(content[start + 8 : start + 8 + length])
    found = np.frombuffer(raw, dtype=np.uint8).reshape(image.height, -1)[:, 1:].reshape(image.pixels)
    return ((found.astype(np.int64) * image.high + 127) // 255).astype(np.uint8)
