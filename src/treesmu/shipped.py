"""Where the weights are that are shipped with treesmu. Does not import PyTorch."""

from __future__ import annotations

from pathlib import Path

SHIPPED = Path(__file__).parent / "models" / "shipped" / "tree-smu.safetensors"
