"""The grammar of strict CSV, checked on bytes, a block of whole records at a time.

    file   = record (newline record)* newline?          newline = LF | CR LF
    record = field (delimiter field)*                   as many fields in each as in the header
    field  = [^ quote delimiter CR LF NUL]*  |  quote ( [^ quote NUL] | quote quote )* quote

CR stands before LF only, inside quotes too. A blank line is an empty cell of a one-column table, and ragged elsewhere.

Math.  In a file of this grammar a byte is inside quotes if and only if an odd number of quotes precede it, because a
doubled quote closes and opens again. So a block of records is well formed if and only if its even quotes (0, 2, ...)
stand at the start of a field or behind a quote, its odd ones at the end of a field or before a quote, and the
separators outside quotes come as width - 1 delimiters and a line end, again and again.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from understudy.schema.schema import Csv
from understudy.source.text import malformed

LF, CR = ord("\n"), ord("\r")


@dataclass(frozen=True)
class Block:
    """UTF-8 bytes with the places of the quotes, and of the delimiters and line ends outside quotes."""

    data: bytes
    marks: NDArray[np.uint8]
    quotes: NDArray[np.intp]
    separators: NDArray[np.intp]

    @staticmethod
    def scan(data: bytes, csv: Csv) -> "Block":
        """Find the places."""
        marks = np.frombuffer(data, dtype=np.uint8)
        quotes = np.flatnonzero(marks == ord(csv.quote))
        separators = np.flatnonzero((marks == ord(csv.delimiter)) | (marks == LF))
        if quotes.size:
            separators = separators[np.searchsorted(quotes, separators) % 2 == 0]
        return Block(data, marks, quotes, separators)

    def whole(self) -> int:
        """Where the last whole record ends: behind the last line end outside quotes, or 0."""
        ends = self.separators[self.marks[self.separators] == LF]
        return int(ends[-1]) + 1 if ends.size else 0

    def upto(self, end: int) -> "Block":
        """The block cut off at ``end``, a record's end."""
        quotes = self.quotes[: np.searchsorted(self.quotes, end)]
        return Block(
            self.data[:end], self.marks[:end], quotes, self.separators[: np.searchsorted(self.separators, end)]
        )


def blocks(texts: Iterable[str], csv: Csv) -> Iterator[Block]:
    """The text in blocks of whole records; the last line end, if absent, is supplied."""
    rest = b""
    for text in texts:
        rest += utf8(text)
        found = Block.scan(rest, csv)
        if end := found.whole():
            yield found.upto(end)
            rest = rest[end:]
    if rest:
        last = Block.scan(rest + b"\n", csv)
        if rest.endswith(b"\r") or last.whole() != len(last.data):
            raise malformed()
        yield last


def utf8(text: str) -> bytes:
    """The text in UTF-8; the surrogates that some encodings let through have none."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise malformed() from None


def refuse_unsound(block: Block, width: int, csv: Csv) -> None:
    """Refuse a block of whole records that is not of the grammar, with ``width`` fields in each record."""
    data, marks = block.data, block.marks
    if b"\0" in data or data.count(b"\r") != data.count(b"\r\n"):
        raise malformed()
    ends = marks[block.separators] == LF
    if ends.size % width or ends.sum() * width != ends.size or not ends[width - 1 :: width].all():
        raise malformed()
    opening, closing = block.quotes[0::2], block.quotes[1::2]
    before = marks[opening[opening > 0] - 1]
    after = marks[closing + 1]
    delimiter, quote = ord(csv.delimiter), ord(csv.quote)
    if not (np.isin(before, (delimiter, LF, quote)).all() and np.isin(after, (delimiter, LF, CR, quote)).all()):
        raise malformed()
