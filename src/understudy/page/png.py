"""Pictures as PNG, written into the page. Stored, not compressed: the same levels are the same bytes on every machine.

>>> png(np.zeros((1, 2), dtype=np.uint8))[:8]
b'\\x89PNG\\r\\n\\x1a\\n'
>>> gallery(np.zeros((5, 2, 2), dtype=np.uint8), 3).shape
(7, 10)
"""

import base64
import struct
import zlib
from math import ceil

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from understudy.page.element import element

Levels = NDArray[np.uint8]
BLOCK = 65535  # the most that one stored block holds
GROUND = 127


def png(levels: Levels) -> bytes:
    """A picture of (height, width) greys or (height, width, 3) colours."""
    height, width = levels.shape[:2]
    kind = 2 if levels.ndim == 3 else 0
    lines = levels.reshape(height, -1)
    raw = np.concatenate([np.zeros((height, 1), dtype=np.uint8), lines], axis=1).tobytes()  # filter 0: none
    head = struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", stored(raw)) + chunk(b"IEND", b"")


def chunk(name: bytes, content: bytes) -> bytes:
    """A part of a PNG."""
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def stored(raw: bytes) -> bytes:
    """A zlib stream of blocks that are not compressed."""
    parts = [raw[i : i + BLOCK] for i in range(0, len(raw), BLOCK)] or [b""]
    blocks = [struct.pack("<BHH", part is parts[-1], len(part), len(part) ^ 0xFFFF) + part for part in parts]
    return b"\x78\x01" + b"".join(blocks) + struct.pack(">I", zlib.adler32(raw))


def gallery(pictures: Levels, across: int) -> Levels:
    """Pictures of one size side by side, a line of grey around each."""
    many, height, width = pictures.shape[:3]
    down = ceil(many / across)
    page = np.full((down * (height + 1) + 1, across * (width + 1) + 1, *pictures.shape[3:]), GROUND, dtype=np.uint8)
    for place, picture in enumerate(pictures):
        y, x = divmod(place, across)
        page[y * (height + 1) + 1 :, x * (width + 1) + 1 :][:height, :width] = picture
    return page


def image(levels: Levels, title: str, zoom: int = 1) -> Markup:
    """A picture as an element of the page."""
    height, width = levels.shape[:2]
    source = "data:image/png;base64," + base64.b64encode(png(levels)).decode()
    return element("img", src=source, alt=title, width=width * zoom, height=height * zoom, class_="pixels")
