"""What the laws share: `worlds` (schemas, tables and their neighbours) and `replaying` (a run, and its replay)."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # pytest's importlib mode leaves this folder off the path
