"""Opening a private file: the path is public, and so is whether there is a file."""

from pathlib import Path
from typing import BinaryIO

from understudy.refusal import SourceRefused


def opened(path: Path) -> BinaryIO:
    """The file, open for reading bytes."""
    try:
        return path.open("rb")
    except FileNotFoundError:
        raise SourceRefused(f"there is no file at {path}", "check the path") from None
    except (OSError, ValueError):
        raise SourceRefused(f"{path} cannot be opened", "check that it is a file and that you may read it") from None
