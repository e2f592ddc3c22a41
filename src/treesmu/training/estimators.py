"""TreeClassifier and TreeRegressor: models of trees with the habits of scikit-learn, which they do not need.

Where scikit-learn is installed they are estimators of it: clone, cross_val_score, GridSearchCV and Pipeline work.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from treesmu.data import DataError
from treesmu.errors import one_line
from treesmu.models.trees.predictor import TreePredictor, class_array

from .fit import fit

Array = NDArray[Any]


NOT_SETTINGS = ("model", "trees", "labels", "tags", "task")  # of fit, which an estimator gives itself


class _Parameters:
    """get_params and set_params, as scikit-learn has them, for machines without it."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002
        return {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}

    def set_params(self, **params: Any) -> Self:
        known = self.get_params()
        for name, value in params.items():
            if name not in known:
                raise ValueError(f"unknown parameter {name!r} of {type(self).__name__}; known: {', '.join(known)}")
            setattr(self, name, value)
        return self


class _Classifier:
    """In place of scikit-learn's mixin."""


class _Regressor:
    """In place of scikit-learn's mixin."""


if not TYPE_CHECKING:
    with suppress(ImportError):
        from sklearn.base import BaseEstimator as _Parameters
        from sklearn.base import ClassifierMixin as _Classifier
        from sklearn.base import RegressorMixin as _Regressor


class _TreeEstimator(_Parameters):
    """What both estimators share. Parameters are those of :func:`treesmu.fit`; None: as in the recipe.

    settings: any other settings of training, such as ``{"cell": {"stack": 5}}``.
    """

    _task: str

    def __init__(
        self,
        model: str = "tree-smu",
        *,
        hidden: int | None = None,
        epochs: int | None = None,
        batch: int | None = None,
        learning_rate: float | None = None,
        validation: float = 0.1,
        settings: dict[str, Any] | None = None,
        random_state: Any = None,
    ) -> None:
        self.model, self.hidden, self.epochs, self.batch = model, hidden, epochs, batch
        self.learning_rate, self.validation, self.settings, self.random_state = (
            learning_rate,
            validation,
            settings,
            random_state,
        )

    def fit(self, X: Iterable[Any], y: Iterable[Any]) -> Self:  # noqa: N803
        """Train on trees X and their answers y; return the estimator itself."""
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is None")
        if wrong := next((name for name in self.settings or {} if name in NOT_SETTINGS), None):
            raise DataError(f"settings has {wrong!r}, which is a parameter of {type(self).__name__} or of fit; give it there")
        given = {name: getattr(self, name) for name in ("epochs", "batch", "learning_rate")}
        given = {name: value for name, value in given.items() if value is not None} | (self.settings or {})
        seed = {"seed": _seed(self.random_state)}
        how: dict[str, Any] = {"task": self._task, "hidden": self.hidden, "validation": self.validation}
        self.predictor_ = fit(list(X), self._checked(list(y)), self.model, **(how | seed | given))
        return self

    def predict(self, X: Iterable[Any]) -> Array:  # noqa: N803
        """Return the answer for each tree."""
        return np.asarray(self._fitted().predict(list(X)))

    def score(self, X: Iterable[Any], y: Iterable[Any]) -> float:  # noqa: N803
        """Return the accuracy of classes, or R² of numbers."""
        return self._fitted().score(list(X), list(y))

    def _checked(self, answers: list[Any]) -> list[Any]:
        return answers

    def _fitted(self) -> TreePredictor:
        found: TreePredictor | None = getattr(self, "predictor_", None)
        if found is not None:
            return found
        message = f"this {type(self).__name__} is not fitted yet; call fit with trees and answers first"
        try:
            from sklearn.exceptions import NotFittedError
        except ImportError:
            raise DataError(message) from None
        raise NotFittedError(message)


def _seed(random_state: Any) -> int:
    """Return a seed from what scikit-learn takes: None, a whole number, or a generator of NumPy, which is advanced."""
    if random_state is None:
        return 0
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    if isinstance(random_state, int | np.integer) and not isinstance(random_state, bool):
        return int(random_state)
    raise DataError(f"random_state is a whole number, a RandomState of NumPy or None, not {random_state!r:.60}")


class TreeClassifier(_Classifier, _TreeEstimator):
    """A classifier of trees: ``TreeClassifier(epochs=30).fit(trees, labels).predict(others)``.

    After fit, ``classes_`` has the classes and ``predictor_`` the model (:class:`treesmu.TreePredictor`).
    """

    _task = "classify"

    def predict_proba(self, X: Iterable[Any]) -> Array:  # noqa: N803
        """Return the probability of each class of ``classes_`` for each tree, (trees, classes)."""
        return self._fitted().predict_proba(list(X))

    @property
    def classes_(self) -> Array:
        """The classes, in the order of the columns of predict_proba."""
        return class_array(self._fitted().classes)


class TreeRegressor(_Regressor, _TreeEstimator):
    """A regressor of trees: ``TreeRegressor(epochs=30).fit(trees, numbers).predict(others)``."""

    _task = "regress"

    def _checked(self, answers: list[Any]) -> list[Any]:
        try:
            return [float(answer) for answer in answers]
        except (TypeError, ValueError, OverflowError) as error:
            raise DataError(f"y has an answer that is not a number which can be learned: {one_line(error)}") from error
