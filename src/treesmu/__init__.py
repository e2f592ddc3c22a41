"""Neural networks on trees whose memory is a differentiable stack, and data to measure whether they generalise.

``import treesmu`` loads nothing else: each name below is imported when it is first used (PEP 562), NumPy and PyTorch with it.
"""

from __future__ import annotations

TYPE_CHECKING = False  # type checkers take it for True; loading typing for its TYPE_CHECKING would take most of the time

if TYPE_CHECKING:
    import os

    import torch

    from . import data as data
    from . import expr as expr
    from . import models as models
    from .expr import Expr, ParseError, Verdict, check, check_many, parse
    from .models.model import Model
    from .models.trees.predictor import TreePredictor
    from .registry import register
    from .training.estimators import TreeClassifier, TreeRegressor
    from .training.fit import fit

__version__ = "0.1.0"
__all__ = [
    "Expr",
    "ParseError",
    "TreeClassifier",
    "TreePredictor",
    "TreeRegressor",
    "Verdict",
    "__version__",
    "check",
    "check_many",
    "fit",
    "load",
    "parse",
    "register",
]

_ROOMS = ("data", "expr", "models")
_MODULES = dict.fromkeys(("Expr", "ParseError", "Verdict", "check", "check_many", "parse"), "expr") | {
    "TreeClassifier": "training.estimators",
    "TreePredictor": "models.trees.predictor",
    "TreeRegressor": "training.estimators",
    "fit": "training.fit",
    "register": "registry",
}

if not TYPE_CHECKING:  # a type checker would otherwise accept every name

    def __getattr__(name: str) -> object:
        """Import a public name, or a room, when it is first used."""
        from importlib import import_module

        if name in _ROOMS:
            return import_module(f".{name}", __name__)  # sets the attribute
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(import_module(f".{_MODULES[name]}", __name__), name)
        return value


def __dir__() -> list[str]:
    """Return all names, also those that are not imported yet, for tab completion."""
    return sorted({*globals(), *_ROOMS, *_MODULES})


def load(
    path: str | os.PathLike[str] | None = None, dtype: torch.dtype | None = None, device: torch.device | str = "cpu"
) -> Model:
    """Return the model of a file of weights (safetensors), ready for use; without a path, the shipped model.

    path: of a file, or the name of a shipped model: ``tree-smu``, which is the default, or ``tree-lstm``.
    dtype: of the weights; by default as stored. device: ``cpu``, ``cuda``, ``mps``, or ``auto`` for an accelerator if there
    is one. A model of your own must be registered first (:func:`treesmu.register`).
    """
    from .models import store  # imported here because PyTorch takes a second to load

    return store.load(path, dtype, device)
