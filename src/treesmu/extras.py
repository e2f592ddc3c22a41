"""Optional dependencies: packages that only some commands need, and the extra of treesmu that installs each of them."""

from __future__ import annotations

import sys
from importlib.util import find_spec

from treesmu.errors import DataError

PACKAGES = {  # module: the package that has it, and the extra that installs it (pyproject.toml)
    "matplotlib": ("matplotlib", "report"),
    "jinja2": ("jinja2", "report"),
    "scipy": ("scipy", "report"),
    "sklearn": ("scikit-learn", "report"),
    "openTSNE": ("openTSNE", "report"),
    "optuna": ("optuna", "sweep"),
    "ray": ("ray", "cluster"),
    "tensorboard": ("tensorboard", "tensorboard"),
    "fastapi": ("fastapi", "web"),
    "uvicorn": ("uvicorn", "web"),
}
REPORT = ("matplotlib", "jinja2", "scipy")  # what a page with tables and figures needs


def require(command: str, *modules: str) -> None:
    """Raise a DataError if a module is not installed. Commands call it before they begin, not after hours of training."""
    missing = [PACKAGES[name] for name in modules if not _is_installed(name)]
    if missing:
        packages = " and ".join(package for package, _ in missing)
        extras = ",".join(dict.fromkeys(extra for _, extra in missing))
        raise DataError(f"{command} needs {packages}: pip install 'treesmu[{extras}]'")


def _is_installed(module: str) -> bool:
    return sys.modules[module] is not None if module in sys.modules else find_spec(module) is not None
