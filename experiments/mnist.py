"""MNIST as a private table: an npz archive, a schema, and pictures as levels from 0 to 1."""

from pathlib import Path

import numpy as np
import pyarrow as pa

from understudy.schema.image import pixels
from understudy.schema.read import from_dict
from understudy.schema.schema import Schema


def archive(data: Path, folder: Path, rows: int) -> Path:
    """The first rows of the training pictures, with their labels, as the road reads them."""
    path = folder / "private.npz"
    with np.load(data) as arrays:
        np.savez(path, image=arrays["train_images"][:rows], digit=arrays["train_labels"][:rows])
    return path


def schema(rows: int, labelled: bool) -> Schema:
    """28 x 28 levels, the number of rows public; with classes or without."""
    table: dict[str, object] = {"name": "mnist", "unit": "picture", "rows": rows}
    columns: dict[str, object] = {"image": {"kind": "image", "height": 28, "width": 28}}
    if not labelled:
        return from_dict({"table": table | {"ignore": ["digit"]}, "columns": columns})
    columns["digit"] = {"kind": "categorical", "values": list(range(10))}
    return from_dict({"table": table | {"label": "digit"}, "columns": columns})


def levels(table: pa.Table, declared: Schema) -> np.ndarray:
    """Pictures as rows of numbers from 0 to 1."""
    return np.asarray(pixels(table["image"], declared.images[0]) / np.float32(255))
