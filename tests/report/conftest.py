"""Small releases to report on: a table of every kind of column, and one whose names and values are hostile."""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "publish")]
