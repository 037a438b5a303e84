"""A call with few rows does only what the rows need: services predict one row at a time."""

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

import aslant
from aslant.encoding import encoder

rng = np.random.default_rng(0)
X = rng.normal(size=(60, 3))
y = (X[:, 0] + X[:, 1] > 0).astype(int)
MODELS = [
    aslant.CARTClassifier(),
    aslant.OC1Classifier(random_state=0),
    aslant.HHCARTRegressor(),
    aslant.AutoTreeClassifier(random_state=0, effort="low"),
    aslant.ObliqueRandomForestClassifier(3, random_state=0),
    aslant.ObliqueGradientBoostingClassifier(max_iter=3),
]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_prediction_does_not_read_the_tags(model, monkeypatch):
    """The tags say whether sparse rows are read, and for that the search is made."""
    model.fit(X, y)
    expected = model.predict(X)
    monkeypatch.setattr(type(model), "__sklearn_tags__", lambda self: pytest.fail("read the tags"))
    np.testing.assert_array_equal(model.predict(X), expected)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_unfitted_models_say_so(model):
    with pytest.raises(NotFittedError, match="not fitted yet"):
        type(model)().predict(X[:1])


def test_rows_are_looked_through_once(monkeypatch):
    tree = aslant.CARTClassifier().fit(X, y)
    looked = []
    valid = encoder.needs_no_change
    monkeypatch.setattr(
        encoder, "needs_no_change", lambda *given: looked.append(0) or valid(*given)
    )
    monkeypatch.setattr(encoder, "numeric_matrix", lambda *_, **__: pytest.fail("read again"))
    tree.predict(X)
    assert len(looked) == 1
