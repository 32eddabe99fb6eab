"""From bytes to text in the declared encoding, strictly: the header line first, then the rest in blocks.

Law.  No byte is replaced, skipped or guessed. The header is decoded byte by byte, so that nothing behind its line end
can change what is said about it. A byte order mark belongs to encodings that declare one (utf-8-sig, utf-16); anywhere
else it would become part of the first column's name, and is refused.
"""

from codecs import getincrementaldecoder
from collections.abc import Iterator
from typing import BinaryIO

from understudy.refusal import SourceRefused

BLOCK = 1 << 22  # bytes read at a time
LONGEST_HEADER = 1 << 20  # characters

MALFORMED = "the file is not well-formed CSV as the schema declares it"
REMEDY = "run `understudy schema check DATA --schema S`, which shows the line to its owner"


def malformed() -> SourceRefused:
    """The one refusal for all that can be wrong in a row."""
    return SourceRefused(MALFORMED, REMEDY)


class Text:
    """A file as text: ``header()`` once, then ``blocks()`` once."""

    def __init__(self, file: BinaryIO, encoding: str):
        self.decoder = getincrementaldecoder(encoding)("strict")
        self.file = file

    def header(self) -> str:
        """The first line, with its line end if it has one."""
        line = ""
        while not line.endswith("\n"):
            byte = self.file.read(1)
            line += self.decode(byte)
            if not byte:
                break
            if len(line) > LONGEST_HEADER:
                raise malformed()
        if line.startswith("\ufeff"):
            raise SourceRefused("the file begins with a byte order mark", "declare [csv] encoding = 'utf-8-sig'")
        return line

    def blocks(self) -> Iterator[str]:
        """The rest, a few million characters at a time."""
        while piece := self.file.read(BLOCK):
            yield self.decode(piece)
        yield self.decode(b"")

    def decode(self, piece: bytes) -> str:
        """The next characters; an empty piece ends the text."""
        try:
            return self.decoder.decode(piece, final=not piece)
        except ValueError:
            raise malformed() from None
