"""The bundle: a folder that leaves the house. Everything in it is a function of the tape.

    synthetic.parquet, .csv, ...  the rows, in one of FORMATS
    schema.toml                   the schema as it was settled
    tape.jsonl                    every question, its price and its noisy answer
    model.json, model.safetensors the model, from which more rows can be drawn at no cost
    certificate.json              the guarantee, the claims, and the SHA-256 of every other file
    report.html, report.json      what a person reads first: guarantee, bounds, pictures; and its twin for machines
    README.md                     the same in words

No pickle: JSON, TOML, Parquet or CSV, and safetensors.
"""

import hashlib
import io
import json
import zipfile
import zlib
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from safetensors.numpy import load as load_arrays
from safetensors.numpy import save as save_arrays

from understudy.game.player import GUESSES, Guess
from understudy.publish.csv import read_csv, write_csv
from understudy.publish.npz import read_npz, write_npz
from understudy.publish.picture_folder import read_pictures, refuse_other_columns, write_pictures
from understudy.publish.release import Release
from understudy.publish.statement import Certificate, paragraphs
from understudy.publish.storage import appearing, write_durably
from understudy.refusal import Misuse, StorageRefused, Tampered
from understudy.schema.decode import arrow_type
from understudy.schema.read import read_schema
from understudy.schema.schema import Schema
from understudy.schema.write import to_toml
from understudy.vault.tape import Tape

FORMATS = {
    "parquet": "synthetic.parquet",
    "csv": "synthetic.csv",
    "csv-exact": "synthetic-exact.csv",
    "npz": "synthetic.npz",
    "png": "synthetic-png.zip",
}
PICTURED = ("parquet", "npz", "png")
# what the readers of JSON, Parquet and archives raise where a file is not what they expect
BROKEN = (ValueError, LookupError, TypeError, OSError, EOFError, NotImplementedError, zlib.error, zipfile.BadZipFile)


def refuse_form(schema: Schema, form: str) -> None:
    """What no bundle of this schema can be written as."""
    if form not in FORMATS:
        raise Misuse(f"no format is called '{form}'", f"choose one of {', '.join(FORMATS)}")
    if schema.images and form not in PICTURED:
        raise Misuse("pictures are not written as CSV", f"choose one of {', '.join(PICTURED)}")
    if form == "png":
        refuse_other_columns(schema)


def write_bundle(release: Release, path: Path, form: str) -> Path:
    """Write the whole folder under a temporary name, then rename it."""
    refuse_form(release.schema, form)
    files = contents(release, form)
    files["certificate.json"] = certificate_text(release.certificate, files)
    with appearing(path) as folder:
        for name, content in files.items():
            write_durably(folder / name, content)
    return path


def contents(release: Release, form: str) -> dict[str, bytes]:
    """Every file but the certificate."""
    words, arrays = release.guess.model()
    model = {"kind": release.guess.kind, "words": words}
    report = release.report
    return {
        FORMATS[form]: table_bytes(release, form),
        "schema.toml": to_toml(release.schema).encode(),
        "tape.jsonl": release.tape.text().encode(),
        "model.json": pretty(model),
        "model.safetensors": save_arrays({name: arrays[name] for name in sorted(arrays)}),
        "report.html": report.page(),
        "report.json": pretty(report.facts()),
        "README.md": readme(release, FORMATS[form]).encode(),
    }


def table_bytes(release: Release, form: str) -> bytes:
    """The rows in one of the formats."""
    if form == "npz":
        return write_npz(release.table, release.schema)
    if form == "png":
        return write_pictures(release.table, release.schema)
    if form != "parquet":
        return write_csv(release.table, release.schema, exact=form == "csv-exact")
    sink = io.BytesIO()
    pq.write_table(release.table, sink)
    return sink.getvalue()


def certificate_text(certificate: dict[str, Any], files: dict[str, bytes]) -> bytes:
    """The certificate with the digests of all other files."""
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in sorted(files.items())}
    return pretty(certificate | {"files": digests})


def pretty(words: Any) -> bytes:
    """JSON for people and machines, always the same text for the same words."""
    return (json.dumps(words, indent=2, sort_keys=True, ensure_ascii=True) + "\n").encode()


def readme(release: Release, rows: str) -> str:
    """The bundle in words."""
    title = f"# Synthetic stand-in for '{release.schema.name}'"
    body = "\n\n".join(paragraphs(release.certificate))
    closing = (
        "report.html shows all of this, with pictures: open it in any browser; it asks nothing of any network.\n\n"
        f"The rows are in {rows}. They are drawn from a model: none is copied from the private table, though one may happen\n"
        "to equal a row of it. `understudy verify` on this folder rechecks digests, prices and claims; it shows integrity,\n"
        "not authorship. `understudy sample` draws more rows at no cost; the claims above are about the rows in this folder\n"
        "only. See certificate.json for every number."
    )
    return f"{title}\n\n{body}\n\n{closing}\n"


def read_bundle(path: str | Path) -> Release:
    """The release in a folder; its digests are `verify`'s affair."""
    path = Path(path)
    try:
        certificate = Certificate(json.loads((path / "certificate.json").read_text(encoding="utf-8")))
        tape = Tape.parse((path / "tape.jsonl").read_text(encoding="utf-8"))
        schema = read_schema(path / "schema.toml")
        model = json.loads((path / "model.json").read_text(encoding="utf-8"))
        guess = rebuilt(model, (path / "model.safetensors").read_bytes(), schema)
        return Release(read_rows(path, schema), schema, guess, tape, certificate)
    except FileNotFoundError as missing:
        name = Path(missing.filename or "").name
        raise StorageRefused(
            f"'{path}' is no bundle: it has no {name}", "give the folder that a release wrote"
        ) from None
    except BROKEN:
        raise Tampered(f"the bundle '{path}' cannot be read", "take it from where it was published") from None


def rebuilt(model: dict[str, Any], content: bytes, schema: Schema) -> Guess:
    """The guess of the model files."""
    try:
        arrays = load_arrays(content)
    except Exception:  # safetensors has its own error type for a malformed file
        raise Tampered("model.safetensors is malformed", "take the bundle from where it was published") from None
    return GUESSES[model["kind"]].rebuild(model["words"], arrays, schema)


def read_rows(path: Path, schema: Schema) -> Any:
    """The synthetic table, from whichever format the bundle has."""
    for form, name in FORMATS.items():
        if (path / name).exists():
            content = (path / name).read_bytes()
            if form == "npz":
                return read_npz(content, schema)
            if form == "png":
                return read_pictures(content, schema)
            return typed(content, schema) if form == "parquet" else read_csv(content, schema, form == "csv-exact")
    raise Tampered(f"the bundle '{path}' has no rows", "take it from where it was published")


def typed(content: bytes, schema: Schema) -> Any:
    """The rows of a Parquet file in the declared types: Parquet knows no seconds, and gives milliseconds back."""
    rows = pq.read_table(io.BytesIO(content))
    return rows.cast(pa.schema([(name, arrow_type(schema.field(name))) for name in rows.column_names]))
