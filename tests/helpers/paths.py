"""Folders that tests read from."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
HELPERS = Path(__file__).parent
SHARED = ROOT.parent / "shared"  # the authors' data, beside the project; tests that need it skip where it is absent
REFERENCE = SHARED / "reference"
