"""The estimators follow scikit-learn's habits, and work without it."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import treesmu
from tree_files import LABELS, TREES
from treesmu.data import DataError
from treesmu.training.estimators import _seed

sklearn = pytest.importorskip("sklearn")


def _classifier(**changes):  # type: ignore[no-untyped-def]
    return treesmu.TreeClassifier(**{"hidden": 6, "epochs": 1, "batch": 32, **changes})


def test_parameters_are_read_set_and_cloned() -> None:
    from sklearn.base import clone, is_classifier, is_regressor

    one = _classifier(model="tree-lstm")
    assert one.get_params()["model"] == "tree-lstm"
    two = clone(one).set_params(epochs=3)
    assert (one.epochs, two.epochs, two.hidden) == (1, 3, 6)
    assert is_classifier(one)
    assert is_regressor(treesmu.TreeRegressor())
    with pytest.raises(ValueError, match="colour"):
        one.set_params(colour=1)
    assert "epochs=1" in repr(one)


def test_fit_returns_the_estimator_and_sets_the_classes() -> None:
    one = _classifier()
    assert one.fit(TREES, LABELS) is one
    assert one.classes_.tolist() == [0, 1, 2, 3]
    assert one.predict(TREES).shape == (len(TREES),)
    assert one.predict_proba(TREES[:5]).shape == (5, 4)
    assert one.score(TREES, LABELS) == pytest.approx(np.mean(one.predict(TREES) == np.array(LABELS)))
    again = _classifier().fit(TREES, LABELS)
    assert np.array_equal(one.predict_proba(TREES), again.predict_proba(TREES))


def test_an_estimator_that_is_not_fitted_says_so() -> None:
    from sklearn.exceptions import NotFittedError

    with pytest.raises(NotFittedError, match="TreeClassifier is not fitted yet"):
        _classifier().predict(TREES)
    with pytest.raises(ValueError, match="requires y"):
        _classifier().fit(TREES, None)


def test_it_works_in_cross_validation_pipelines_and_searches() -> None:
    from sklearn.model_selection import GridSearchCV, cross_val_score
    from sklearn.pipeline import Pipeline
    from sklearn.preprocessing import FunctionTransformer

    assert len(cross_val_score(_classifier(), TREES, LABELS, cv=2)) == 2
    pipeline = Pipeline([("same", FunctionTransformer()), ("model", _classifier())])
    search = GridSearchCV(pipeline, {"model__hidden": [4, 6]}, cv=2).fit(np.array([str_tree(t) for t in TREES]), LABELS)
    assert search.best_params_["model__hidden"] in (4, 6)


def str_tree(tree: object) -> str:
    return f"({' '.join([str(tree[0]), *map(str_tree, tree[1:])])})" if isinstance(tree, list) else str(tree)


def test_a_regressor_predicts_numbers() -> None:
    one = treesmu.TreeRegressor(hidden=6, epochs=1).fit(TREES, LABELS)
    assert one.predict(TREES).dtype == np.float64
    assert one.score(TREES, LABELS) <= 1
    with pytest.raises(ValueError, match=r"."):
        treesmu.TreeRegressor().fit(TREES, ["x"] * len(TREES))


def test_without_scikit_learn_everything_else_works() -> None:
    code = (
        "import sys; sys.modules |= dict.fromkeys(['sklearn', 'sklearn.base', 'sklearn.exceptions'])\n"
        "import treesmu\n"
        "model = treesmu.TreeClassifier(hidden=4, epochs=1)\n"
        "assert model.get_params()['hidden'] == 4 and model.set_params(hidden=5).hidden == 5\n"
        "try:\n    model.predict(['a'])\nexcept treesmu.data.DataError as error:\n    assert 'not fitted' in str(error)\n"
        "model.fit(['(f a)', '(f b)'] * 30, [0, 1] * 30)\n"
        "print(model.predict(['(f a)']).shape)\n"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert found.stdout.strip() == "(1,)", found.stderr


def test_a_fault_of_data_is_a_data_error() -> None:
    with pytest.raises(DataError, match="a label must follow"):
        _classifier().fit(["(())"], [1])
    for wrong in (10**400, "a", None):
        with pytest.raises(DataError, match="y has an answer that is not a number which can be learned: "):
            treesmu.TreeRegressor().fit(["a", "b"], [1, wrong])


@pytest.mark.parametrize("kind", [treesmu.TreeClassifier, treesmu.TreeRegressor])
def test_the_checks_of_scikit_learn_that_need_no_matrix(kind: type) -> None:
    """Other checks give an estimator a matrix of numbers, which is no list of trees."""
    from sklearn.utils import estimator_checks as checks

    for check in (
        checks.check_no_attributes_set_in_init,
        checks.check_get_params_invariance,
        checks.check_set_params,
        checks.check_parameters_default_constructible,
    ):
        check(kind.__name__, kind())


def test_parameters_that_are_wrong_are_named() -> None:
    with pytest.raises(DataError, match="settings has 'model', which is a parameter of TreeClassifier"):
        treesmu.TreeClassifier(settings={"model": "tree-lstm"}).fit(["a", "b"], [0, 1])
    with pytest.raises(DataError, match="random_state is a whole number"):
        treesmu.TreeClassifier(random_state="x").fit(["a", "b"], [0, 1])
    one, two = (_seed(np.random.RandomState(3)) for _ in range(2))
    assert one == two != _seed(np.random.RandomState(4))
    assert (_seed(None), _seed(np.int64(5))) == (0, 5)
