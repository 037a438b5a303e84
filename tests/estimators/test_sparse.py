"""Sparse matrices: the trees of the dense matrix, without making one."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.base import clone
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.pipeline import make_pipeline

import aslant
from aslant import (
    AutoTreeClassifier,
    C45Classifier,
    CARTClassifier,
    CARTLCClassifier,
    CARTRegressor,
    HHCARTClassifier,
    ObliqueDecisionTreeClassifier,
    ObliqueDecisionTreeRegressor,
    ObliqueExtraTreesClassifier,
    ObliqueExtraTreesRegressor,
    ObliqueRandomForestClassifier,
    ObliqueRandomForestRegressor,
    OC1Classifier,
    OC1Regressor,
    _core,
)

CLASSIFIERS = [
    CARTClassifier(pruning=None),
    ObliqueDecisionTreeClassifier("axis_parallel", criterion="entropy", max_leaf_nodes=7),
    ObliqueDecisionTreeClassifier("axis_parallel", criterion="twoing", min_samples_leaf=7),
    ObliqueDecisionTreeClassifier("axis_parallel", pruning="pessimistic", n_jobs=2),
    C45Classifier(pruning=None),
    C45Classifier(),
    OC1Classifier(pruning=None, random_state=0),
    ObliqueRandomForestClassifier(5, random_state=0),
    ObliqueRandomForestClassifier(5, search="axis_parallel", random_state=0),
    ObliqueRandomForestClassifier(5, search="random_projection", random_state=0),
    ObliqueRandomForestClassifier(3, search="oc1", max_features=4, random_state=0),
    ObliqueExtraTreesClassifier(5, random_state=0),
]
REGRESSORS = [
    CARTRegressor(pruning=None, max_depth=4),
    ObliqueDecisionTreeRegressor("axis_parallel", max_depth=4),
    ObliqueRandomForestRegressor(5, max_depth=4, random_state=0),
    ObliqueExtraTreesRegressor(5, max_depth=4, random_state=0),
]


def table(n: int = 300, d: int = 20, seed: int = 0) -> tuple[sp.csr_array, np.ndarray, np.ndarray]:
    """Return a sparse matrix with few digits, three classes and a regression target."""
    rng = np.random.default_rng(seed)
    dense = np.where(rng.random((n, d)) < 0.2, np.round(rng.normal(size=(n, d)), 2), 0.0)
    y = (dense[:, 0] + dense[:, 1] - dense[:, 2] > 0.05).astype(int) + (dense[:, 3] > 0)
    return sp.csr_array(dense), y, np.round(2.0 * dense[:, 0] + dense[:, 1], 3)


def arrays(model: Any) -> list[np.ndarray]:
    """Return what makes the trees of a model."""
    trees = [model.tree_] if hasattr(model, "tree_") else model.trees_
    names = ("children", "coef_column", "coef_value", "coef_fill", "offset")
    return [np.asarray(getattr(tree, name)) for tree in trees for name in names]


def assert_same_trees(one: Any, other: Any) -> None:
    for a, b in zip(arrays(one), arrays(other), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12)


@pytest.mark.parametrize("model", CLASSIFIERS, ids=repr)
@pytest.mark.parametrize("weights", [None, "integers"])
def test_classification_trees_are_those_of_the_dense_matrix(model: Any, weights: Any) -> None:
    X, y, _ = table()
    weight = None if weights is None else np.random.default_rng(1).integers(1, 4, len(y))
    dense = clone(model).fit(X.toarray(), y, sample_weight=weight)
    sparse = clone(model).fit(X, y, sample_weight=weight)
    assert_same_trees(dense, sparse)
    np.testing.assert_array_equal(sparse.predict_proba(X), sparse.predict_proba(X.toarray()))
    np.testing.assert_array_equal(sparse.apply(X), sparse.apply(X.toarray()))
    paths = (sparse.decision_path(M) for M in (X, X.toarray()))
    of_sparse, of_dense = (path[0] if isinstance(path, tuple) else path for path in paths)
    np.testing.assert_array_equal(of_sparse.toarray(), of_dense.toarray())


@pytest.mark.parametrize("model", REGRESSORS, ids=repr)
def test_regression_trees_are_those_of_the_dense_matrix(model: Any) -> None:
    X, _, y = table()
    dense, sparse = clone(model).fit(X.toarray(), y), clone(model).fit(X, y)
    assert_same_trees(dense, sparse)
    np.testing.assert_array_equal(sparse.predict(X), sparse.predict(X.toarray()))


def test_real_weights_and_a_criterion_of_ones_own() -> None:
    X, y, _ = table()
    weight = np.random.default_rng(1).random(len(y)) + 0.1
    for model in (
        CARTClassifier(pruning=None, max_depth=3),  # deeper nodes have ties, which rounding decides
        ObliqueDecisionTreeClassifier(
            "axis_parallel",
            criterion=lambda a, b: (
                -float((1 - (a / a.sum()) ** 2).sum() + (1 - (b / b.sum()) ** 2).sum())
            ),
            max_depth=2,
        ),
    ):
        dense = clone(model).fit(X.toarray(), y, sample_weight=weight)
        assert_same_trees(dense, clone(model).fit(X, y, sample_weight=weight))


@pytest.mark.parametrize("missing", ["node_mean", "training_mean"])
@pytest.mark.parametrize("model", [CARTClassifier(pruning=None), C45Classifier(pruning=None)])
def test_missing_values(model: Any, missing: str) -> None:
    X, y, _ = table()
    X.data[::9] = np.nan
    model = clone(model).set_params(missing=missing)
    dense, sparse = clone(model).fit(X.toarray(), y), clone(model).fit(X, y)
    assert_same_trees(dense, sparse)
    np.testing.assert_array_equal(dense.predict(X.toarray()), sparse.predict(X))
    forest = ObliqueRandomForestClassifier(3, random_state=0, missing=missing)
    assert_same_trees(clone(forest).fit(X.toarray(), y), clone(forest).fit(X, y))


def test_extreme_values() -> None:
    X, y, _ = table()
    X = sp.csr_array(X.multiply(np.where(np.arange(20) == 0, 1e150, 1.0)))
    dense = CARTClassifier(pruning=None).fit(X.toarray(), y)
    assert_same_trees(dense, CARTClassifier(pruning=None).fit(X, y))


FORMS = {
    "csc": lambda X: sp.csc_matrix(X),
    "coo": lambda X: sp.coo_array(X),
    "lil": lambda X: sp.lil_array(X),
    "float32": lambda X: X.astype(np.float32),
    "integers": lambda X: sp.csr_array((X * 100).astype(np.int64)),
    "64-bit indices": lambda X: sp.csr_array(
        (X.data, X.indices.astype(np.int64), X.indptr.astype(np.int64)), shape=X.shape
    ),
    "explicit zeros": lambda X: sp.csr_array(
        (np.where(np.arange(X.nnz) % 3, X.data, 0.0), X.indices, X.indptr), shape=X.shape
    ),
    "unsorted": lambda X: sp.csr_array(
        (X.data[::-1].copy(), X.indices[::-1].copy(), X.nnz - X.indptr[::-1]), shape=X.shape
    ),
    "duplicates": lambda X: sp.csr_array(
        (np.repeat(X.data / 2, 2), np.repeat(X.indices, 2), X.indptr * 2), shape=X.shape
    ),
    "empty": lambda X: sp.csr_array(X.shape),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS.keys())
def test_every_form_of_a_sparse_matrix(form: Any) -> None:
    X, y, _ = table()
    X = form(X)
    before = [part.copy() for part in (X.data, X.indices)] if X.format == "csr" else []
    y = np.arange(len(y)) % 2 if X.nnz == 0 else y
    for model in (CARTClassifier(pruning=None), ObliqueRandomForestClassifier(3, random_state=0)):
        sparse = clone(model).fit(X, y)
        assert_same_trees(clone(model).fit(X.toarray(), y), sparse)
        np.testing.assert_array_equal(sparse.predict(X), sparse.predict(X.toarray()))
    for part, kept in zip((X.data, X.indices) if before else (), before, strict=True):
        np.testing.assert_array_equal(part, kept)  # the caller's matrix is untouched


def test_pruning_holds_rows_out_by_content() -> None:
    """The rows are chosen by another key than in a dense matrix, but by their content too."""
    X, y, _ = table()
    order = np.random.default_rng(0).permutation(len(y))
    model = ObliqueDecisionTreeClassifier("axis_parallel", pruning="reduced_error", random_state=0)
    assert_same_trees(clone(model).fit(X, y), clone(model).fit(X[order], y[order]))
    stored = X.copy()
    stored.data[::5] = 0.0
    bare = stored.copy()
    bare.eliminate_zeros()
    assert_same_trees(clone(model).fit(stored, y), clone(model).fit(bare, y))


def test_rows_of_weight_zero_out_of_bag_and_warm_start() -> None:
    X, y, _ = table()
    weight = (np.arange(len(y)) % 4 > 0).astype(float)
    dense, sparse = (
        ObliqueRandomForestClassifier(40, random_state=0, oob_score=True).fit(
            M, y, sample_weight=weight
        )
        for M in (X.toarray(), X)
    )
    np.testing.assert_array_equal(dense.oob_decision_function_, sparse.oob_decision_function_)
    np.testing.assert_allclose(dense.feature_importances_, sparse.feature_importances_)
    sparse.set_params(warm_start=True, n_estimators=42).fit(X, y, sample_weight=weight)
    assert len(sparse.trees_) == 42


def test_text_in_a_pipeline_saved_and_loaded(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    words = [f"word{i}" for i in range(300)]
    texts = [" ".join(rng.choice(words, 30)) for _ in range(200)]
    y = np.array([("word7" in text.split()) + 0 for text in texts])
    for model in (CARTClassifier(pruning=None), ObliqueRandomForestClassifier(5, random_state=0)):
        pipeline = make_pipeline(TfidfVectorizer(), model).fit(texts, y)
        assert (
            pickle.loads(pickle.dumps(pipeline)).predict(texts) == pipeline.predict(texts)
        ).all()
        X = pipeline[0].transform(texts)
        aslant.save(pipeline[1], tmp_path / "model.aslant")
        loaded = aslant.load(tmp_path / "model.aslant")
        np.testing.assert_array_equal(loaded.predict_proba(X), pipeline.predict_proba(texts))
    tree = CARTClassifier(pruning=None).fit(X, y)
    assert tree.score(X, y) == 1.0
    assert "x" in aslant.export_text(tree, X=X)
    assert "x" in str(aslant.explain(tree, X[:2]))


@pytest.mark.parametrize(
    "model",
    [
        HHCARTClassifier(),
        CARTLCClassifier(),
        AutoTreeClassifier(),
        OC1Regressor(),
        ObliqueDecisionTreeClassifier("oc1", search_rows=50),
        CARTClassifier(refine="joint"),
        ObliqueDecisionTreeRegressor("axis_parallel", leaf="linear"),
    ],
    ids=repr,
)
def test_what_cannot_read_sparse_data_says_so(model: Any) -> None:
    X, y, _ = table()
    with pytest.raises(TypeError, match=r"Sparse data was passed .* needs dense data"):
        model.fit(X, y)


def test_parts_that_need_dense_data_say_so() -> None:
    X, y, _ = table()
    with pytest.raises(ValueError, match="only for classes whose sample weights are equal"):
        OC1Classifier().fit(X, y, sample_weight=np.linspace(0.1, 1.0, len(y)))
    X.data[0] = np.nan
    with pytest.raises(ValueError, match="missing='indicator' needs dense data"):
        CARTClassifier(missing="indicator").fit(X, y)
    X.data[0] = np.inf
    with pytest.raises(ValueError, match="infinity"):
        CARTClassifier().fit(X, y)


class Broken:
    """Arrays that are no sparse matrix."""

    def __init__(self, data: Any, indices: Any, indptr: Any, shape: tuple[int, int]) -> None:
        self.data, self.indices, self.indptr = np.array(data), np.array(indices), np.array(indptr)
        self.shape = shape


@pytest.mark.parametrize(
    "broken",
    [
        Broken([1.0], [0], [0, 1], (3, 2)),
        Broken([1.0], [2], [0, 1], (1, 2)),
        Broken([1.0], [-1], [0, 1], (1, 2)),
        Broken([1.0, 1.0], [1, 0], [0, 2], (1, 2)),
        Broken([1.0, 1.0], [0, 0], [0, 2], (1, 2)),
        Broken([1.0], [0], [0, 5], (1, 2)),
        Broken([1.0], [0], [0, 2, 1], (2, 2)),
        Broken([1.0, 2.0], [0], [0, 1], (1, 2)),
        Broken([1], [0], [0, 1], (1, 2)),
    ],
)
def test_the_core_checks_the_arrays(broken: Any) -> None:
    columns = np.arange(2, dtype=np.int32), np.full(2, -1, dtype=np.int32)
    with pytest.raises(ValueError, match=r"sparse|float32"):
        _core.Features(broken, *columns)


FORESTS = [
    ObliqueRandomForestClassifier(2, random_state=0),
    ObliqueRandomForestClassifier(2, search="axis_parallel", random_state=0),
    ObliqueRandomForestClassifier(2, search="random_projection", max_features=5, random_state=0),
    ObliqueRandomForestClassifier(2, search="c45", max_depth=3, random_state=0),
    ObliqueExtraTreesClassifier(2, random_state=0),
]


@pytest.mark.parametrize("model", FORESTS, ids=repr)
def test_forests_on_wide_tables_are_those_of_the_dense_matrix(model: Any) -> None:
    """Large and small nodes, short and long columns, explicit zeros and negative values."""
    rng = np.random.default_rng(1)
    dense = np.where(rng.random((1500, 800)) < 0.01, np.round(rng.normal(size=(1500, 800)), 1), 0.0)
    dense[:, :3] = np.round(rng.normal(size=(1500, 3)), 1)
    X = sp.csr_array(dense)
    X.data[::7] = 0.0
    dense = X.toarray()
    y = (dense[:, :40].sum(axis=1) > rng.normal(size=1500)).astype(int)
    assert_same_trees(clone(model).fit(X, y), clone(model).fit(dense, y))
