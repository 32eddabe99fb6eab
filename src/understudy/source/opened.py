"""Opening a private file: the path is public, and so is whether there is a file. What the disk says about it is not."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from understudy.refusal import SourceRefused


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """The file, open for reading bytes."""
    unreadable = SourceRefused(f"{path} cannot be read", "check that it is a file and that you may read it")
    try:
        file = path.open("rb")
    except FileNotFoundError:
        raise SourceRefused(f"there is no file at {path}", "check the path") from None
    except (OSError, ValueError):
        raise unreadable from None
    with file:
        try:
            yield file
        except OSError:
            raise unreadable from None
