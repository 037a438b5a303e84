"""Models of treelite, run by its own interpreter, agree with the model."""

import numpy as np
import pytest
from codegen.problems import MODELS, problem
from sklearn.base import is_regressor

from aslant import (
    ObliqueGradientBoostingClassifier,
    ObliqueGradientBoostingRegressor,
    ObliqueRandomForestClassifier,
    export_treelite,
)
from aslant.inspection.resolve import encoded_rows

gtil = pytest.importorskip("treelite.gtil")

RUN = {"one leaf", "axis-parallel", "numbers"}
RNG = np.random.default_rng(0)
X = RNG.normal(size=(400, 4))
X[RNG.random(X.shape) < 0.1] = np.nan
Y = np.nan_to_num(X[:, 0]) + np.nan_to_num(X[:, 1])


def assert_same(model, rows, tolerance=1e-12):
    codes = encoded_rows(model, rows)[:, : model.n_features_in_]
    found = gtil.predict(export_treelite(model), np.ascontiguousarray(codes))
    expected = model.predict(rows) if is_regressor(model) else model.predict_proba(rows)
    np.testing.assert_allclose(found.reshape(expected.shape), expected, rtol=tolerance)


@pytest.mark.parametrize("kind", sorted(MODELS))
def test_trees_of_one_feature_agree_and_others_are_refused(kind):
    made = problem(kind)
    try:
        export_treelite(made.model)
    except ValueError as error:
        assert kind not in RUN and str(error).startswith("export_treelite needs ")
    else:
        assert_same(made.model, made.rows[:2000])


@pytest.mark.parametrize(
    "model",
    [
        ObliqueRandomForestClassifier(5, search="axis_parallel", random_state=0, max_depth=4),
        ObliqueGradientBoostingClassifier(max_iter=5, oblique=False, random_state=0),
        ObliqueGradientBoostingRegressor(max_iter=5, oblique=False, random_state=0),
        ObliqueGradientBoostingRegressor(max_iter=5, oblique=False, loss="poisson", random_state=0),
    ],
)
def test_forests_and_boosting_of_one_feature(model):
    target = np.exp(Y) if is_regressor(model) else np.digitize(Y, [-0.5, 0.5])
    is_softmax = isinstance(model, ObliqueGradientBoostingClassifier)  # in float32 there
    assert_same(model.fit(X, target), X, 1e-6 if is_softmax else 1e-12)


def test_what_treelite_cannot_say_is_refused():
    for kind, words in {
        "oblique": "tests of one feature and two branches, got . features, 2 branches at node",
        "linear machines": "tests of one feature and two branches",
        "soft": "hard trees whose outputs are summed",
        "linear leaves": "constant leaves, got linear ones",
    }.items():
        with pytest.raises(ValueError, match=f"export_treelite needs {words}"):
            export_treelite(problem(kind).model)
