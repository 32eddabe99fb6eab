"""What is wrong with a CSV, line by line: for the owner's eyes, and never part of a release.

A plain scanner, field by field, written apart from `records.py`: it finds no complaint if and only if the reader takes
the file. It names lines and rules, and no values.
"""

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from understudy.refusal import Refusal
from understudy.schema.schema import Csv, Schema
from understudy.source import columns
from understudy.source.csv import header_names, refuse_marks
from understudy.source.opened import opened
from understudy.source.text import Text

MOST = 20  # complaints shown at a time


def complaints(path: str | Path, schema: Schema) -> list[str]:
    """The first complaints about a CSV, each with its line; an empty list if it can be read."""
    return list(islice(found(Path(path), schema), MOST))


def found(path: Path, schema: Schema) -> Iterator[str]:
    """The complaints in order: the header's, then the rows'."""
    encoding, unknown = schema.csv.encoding, list[str]()
    try:
        refuse_marks(schema.csv)
        with opened(path) as file:
            header = Text(file, encoding).header()
            names = header_names(header, schema.csv)
            unknown = columns.undeclared(names, schema)
            columns.taken(names, schema)
            file.seek(0)
            whole = file.read()
    except Refusal as refusal:
        yield f"line 1: {refusal}" + (f" ({columns.listed(unknown)})" if unknown else "")
        return
    try:
        rows = whole.decode(encoding)[len(header) :]
        rows.encode("utf-8")
    except UnicodeError as wrong:
        before = whole[: wrong.start] if isinstance(wrong, UnicodeDecodeError) else b""
        yield f"line {before.count(bytes([10])) + 1}: it is not {encoding}"
        return
    scanner = Scanner(rows, schema.csv)
    place, line = 0, 2
    while place < len(rows):
        fields, end, broken = scanner.record(place)
        if broken is None and fields != len(names):
            broken = f"{fields} fields where the header has {len(names)}"
        if broken is not None:
            yield f"line {line}: {broken}"
        place, line = end, line + rows.count("\n", place, end)


class Scanner:
    """Reads one record after the other."""

    def __init__(self, text: str, csv: Csv):
        quote, delimiter = re.escape(csv.quote), re.escape(csv.delimiter)
        self.text = text
        self.csv = csv
        self.plain = re.compile(rf"[^{quote}{delimiter}\r\n\0]*")
        self.quoted = re.compile(rf"{quote}[^{quote}]*(?:{quote}{quote}[^{quote}]*)*{quote}")

    def record(self, place: int) -> tuple[int, int, str | None]:
        """The record at a place: its number of fields, where the next one begins, and what breaks it.

        Behind a break the next line is taken to begin a record.
        """
        fields = 0
        while True:
            opens = self.text.startswith(self.csv.quote, place)
            match = (self.quoted if opens else self.plain).match(self.text, place)
            cell = match.group() if match else ""
            place += len(cell)
            fields += 1
            follows = self.text[place : place + 1]
            broken = "a quote is opened and never closed" if match is None else self.break_in(cell, opens, place)
            if broken is not None:
                return fields, self.next_line(place), broken
            if follows != self.csv.delimiter:
                return fields, self.next_line(place), None
            place += 1

    def break_in(self, cell: str, opens: bool, end: int) -> str | None:
        """What breaks a field that ends at ``end``."""
        follows = self.text[end : end + 1]
        if "\0" in cell or follows == "\0":
            return "a NUL character"
        if cell.count("\r") != cell.count("\r\n") or (follows == "\r" and not self.text.startswith("\r\n", end)):
            return "a carriage return without a line feed"
        if follows in ("", "\n", "\r", self.csv.delimiter):
            return None
        return "text behind a closing quote" if opens else "a quote inside an unquoted field"

    def next_line(self, place: int) -> int:
        """The place behind the next line end, or the end of the text."""
        return self.text.find("\n", place) + 1 or len(self.text)
