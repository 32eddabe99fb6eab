"""What these tests share: `covering` (simulated certificates) and `small` (small releases)."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # pytest's importlib mode leaves this folder off the path
