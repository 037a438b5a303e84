"""What cannot be fitted to partitions is refused in one sentence, before anything is computed."""

from __future__ import annotations

from typing import Any

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from dask.delayed import delayed
from local_partitions import fitted_here
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.linear_model import LogisticRegression
from sklearn.utils import get_tags

from aslant import (
    CARTClassifier,
    HHCARTClassifier,
    MMLTreeClassifier,
    ObliqueDecisionTreeClassifier,
    ObliqueDecisionTreeRegressor,
    ObliqueRandomForestClassifier,
)
from aslant.dask import DaskForest, DaskTree
from aslant.prune import CostComplexity
from aslant.search import HHCART

X = np.random.default_rng(0).normal(size=(60, 3))
Y = (X[:, 0] > 0).astype(int)
ROWS, LABELS = da.from_array(X, chunks=(20, 3)), da.from_array(Y, chunks=20)


def never(*_: Any) -> Any:
    raise AssertionError("a pass was started")


LAZY = da.from_delayed(delayed(never)(), shape=(60, 3), dtype=float)


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        (LogisticRegression(), "estimator of one tree"),
        (CARTClassifier(search_rows=5, search_finish="coefficients"), "search_finish"),
        (CARTClassifier(refine="joint"), "refine"),
        (MMLTreeClassifier(), "compares the messages"),
        (CARTClassifier(pruning="error_based"), "reads rows again"),
        (CARTClassifier(pruning=CostComplexity(cv=5)), "cv=5"),
        (ObliqueDecisionTreeClassifier(HHCART(depth_of_reflection=0)), "depth_of_reflection"),
        (ObliqueDecisionTreeRegressor("axis_parallel", leaf="linear"), "leaf='linear'"),
        (CARTClassifier(max_depth=0), "max_depth"),
        (CARTClassifier(search_rows=1), "search_rows"),
        (CARTClassifier(monotonic_cst=[1, 0, 0]), "monotonic_cst must be None"),
        (CARTClassifier(max_features_per_test=1), "max_features_per_test must be None"),
    ],
)
def test_estimators(estimator: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        DaskTree(estimator).fit(LAZY, da.from_array(Y, chunks=60))


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        (CARTClassifier(), "must be a forest"),
        (ObliqueRandomForestClassifier(), "max_samples"),
        (ObliqueRandomForestClassifier(max_samples=9, oob_score=True), "oob_score"),
        (ObliqueRandomForestClassifier(max_samples=9, calibrate=True), "calibrate=True"),
        (
            ObliqueRandomForestClassifier(max_samples=9, max_features_per_test=1),
            "max_features_per_test must be None",
        ),
        (
            ObliqueRandomForestClassifier(max_samples=9, class_weight="balanced_subsample"),
            "balanced_subsample",
        ),
    ],
)
def test_forests(estimator: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        DaskForest(estimator).fit(LAZY, da.from_array(Y, chunks=60))


def frame(**columns: Any) -> dd.DataFrame:
    table = pd.DataFrame({"a": X[:, 0]} | columns)
    return dd.from_pandas(table, npartitions=2)


@pytest.mark.parametrize(
    ("rows", "labels", "message"),
    [
        (X, LABELS, "Dask data frame or array"),
        (ROWS, Y, "y must be a Dask"),
        (ROWS, None, "y is None"),
        (ROWS.rechunk((20, 1)), LABELS, "rechunk"),
        (ROWS, LABELS.rechunk(30), "divided alike"),
        (ROWS, LABELS.rechunk(((10, 20, 30),)), "rechunk one"),
        (ROWS[:, 0], LABELS, "two dimensions"),
        (frame(text=["u", "v"] * 30), None, "is text"),
        (frame(text=pd.Categorical(["u", "v"] * 30)), None, "not known"),
    ],
)
def test_collections(rows: Any, labels: Any, message: str) -> None:
    if isinstance(rows, dd.DataFrame):
        labels = rows["a"] > 0
        if message == "not known":
            rows = rows.assign(text=rows["text"].cat.as_unknown())
    with pytest.raises((TypeError, ValueError), match=message):
        DaskTree(CARTClassifier()).fit(rows, labels)


def test_no_client() -> None:
    with pytest.raises(ValueError, match="there is no Dask client"):
        DaskTree(CARTClassifier()).fit(ROWS, LABELS)
    with pytest.raises(TypeError, match="client must be"):
        DaskTree(CARTClassifier(), client="tcp://127.0.0.1:1").fit(ROWS, LABELS)


@pytest.mark.parametrize("values", [{"local_rows": 0}, {"bins": 1}, {"bins": 2.5}])
def test_parameters(values: dict[str, Any]) -> None:
    with pytest.raises((TypeError, ValueError), match=next(iter(values))):
        DaskTree(CARTClassifier(), **values).fit(ROWS, LABELS)


def test_message_lengths_are_no_sums() -> None:
    tree = ObliqueDecisionTreeClassifier("mml", search_rows=20, random_state=0)
    with pytest.raises(ValueError, match="MML needs the distinct values"):
        fitted_here(tree, X, Y, n_parts=2, local_rows=30)
    ordinary = tree.set_params(search_rows=60).fit(X, Y)
    whole = fitted_here(clone(tree), X, Y, n_parts=2, local_rows=60)
    assert whole.tree_ == ordinary.tree_


def test_partitions_must_be_alike() -> None:
    tree = HHCARTClassifier()
    one = pd.DataFrame({"a": X[:30, 0], "b": X[:30, 1]})
    from local_partitions import WorkersHere

    from aslant.dask.fitting import TreeFit
    from aslant.dask.survey import Block

    for other, message in (
        (one.rename(columns={"b": "c"}), "has the columns"),
        (one.astype({"b": "float32"}), "column 'b' is float32"),
    ):
        blocks = [Block(one, Y[:30]), Block(other, Y[:30])]
        with pytest.raises(ValueError, match=message):
            TreeFit(tree, WorkersHere(), 10, 16).run(blocks, one.iloc[:0])


def test_many_levels_can_be_merged() -> None:
    table = pd.DataFrame({"level": pd.Categorical(np.arange(60) % 40)})
    merged = CARTClassifier(high_cardinality="merge", max_levels=5, search_rows=20, random_state=0)
    over = fitted_here(merged, table, Y, n_parts=2, local_rows=20)
    assert over.tree_ == merged.fit(table, Y).tree_


def test_tags_are_those_of_the_estimator() -> None:
    assert is_classifier(DaskTree(CARTClassifier()))
    assert is_classifier(DaskForest(ObliqueRandomForestClassifier(max_samples=9)))
    assert is_regressor(DaskTree(ObliqueDecisionTreeRegressor("axis_parallel")))
    assert get_tags(DaskTree(CARTClassifier())).input_tags.allow_nan
