"""What the tests of the schema share: `any_schema` (strategies), `schema_files` (good files and mutants), patience."""

import sys
from pathlib import Path

from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parent))  # pytest's importlib mode leaves this folder off the path

settings.register_profile("patient", deadline=None)  # the machine may be busy
settings.load_profile("patient")
