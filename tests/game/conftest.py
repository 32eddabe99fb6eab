"""What these tests share: `taped` (tapes of a known distribution), and the schema's `constrained` (constrained schemas)."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "schema")]  # pytest's importlib mode leaves these folders off the path
