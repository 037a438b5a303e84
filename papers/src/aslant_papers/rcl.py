"""Class probabilities from the counts in leaves, and how good they are: RCL."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_consistent_length, column_or_1d

from aslant.tree.smoothing import laplace
from aslant.tree.tree import Tree


def laplace_proba(clf: Any, X: Any) -> npt.NDArray[np.float64]:
    """Return class probabilities with Laplace's +1, for a tree of any method.

    Parameters
    ----------
    clf : fitted estimator
        A classifier of this package that holds one tree.
    X : array-like or data frame of shape (n_samples, n_features)
        The rows.
    """
    if hasattr(clf, "estimators_") or not isinstance(getattr(clf, "tree_", None), Tree):
        raise TypeError(
            "laplace_proba needs a fitted classifier of aslant that holds one tree, got "
            f"{type(clf).__name__}."
        )
    return laplace(clf.tree_.value)[clf.apply(X)]


def rcl_score(y_true: Any, y_proba: Any, *, sample_weight: Any = None, labels: Any = None) -> float:
    """Return the related code length of the classes: lower is better, 1 is uniform guessing.

    RCL = -sum_i ln p_i / (n ln M), where p_i is the probability given to the class of row i and M
    the number of classes: the code length of the classes under the model, divided by that under a
    uniform guess (Tan and Dowe 2004, section 3.1).

    Parameters
    ----------
    y_true : array-like of shape (n_samples,)
        The classes.
    y_proba : array-like of shape (n_samples, n_classes) or (n_samples,)
        Probabilities of the classes in sorted order, as ``predict_proba`` gives them; for two
        classes also those of the second alone.
    sample_weight : array-like of shape (n_samples,), optional
        Weights of the rows.
    labels : array-like of shape (n_classes,), optional
        The classes, sorted; needed if some do not occur in `y_true`.

    Notes
    -----
    As a scorer it must be negated, for there higher is better: `rcl_scorer` is one, and so is
    ``make_scorer(rcl_score, response_method="predict_proba", greater_is_better=False)`` where every
    class occurs in every test fold.

    Examples
    --------
    >>> from aslant_papers.rcl import rcl_score
    >>> round(rcl_score(["a", "b"], [[0.5, 0.5], [0.5, 0.5]]), 6)
    1.0
    """
    y = column_or_1d(y_true)
    proba = np.asarray(y_proba, dtype=np.float64)
    if proba.ndim == 1:
        proba = np.column_stack([1.0 - proba, proba])
    classes = np.unique(y) if labels is None else np.asarray(labels)
    weight = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, dtype=float)
    check_consistent_length(y, proba, weight)
    if proba.ndim != 2 or proba.shape[1] != len(classes) or len(classes) < 2:
        raise ValueError(
            f"y_proba must have a column for each of at least two classes, got shape {proba.shape} "
            f"for {len(classes)} classes; give labels if some do not occur in y_true."
        )
    if not ((proba >= 0.0) & (proba <= 1.0)).all():
        raise ValueError("y_proba must hold probabilities between 0 and 1.")
    codes = np.searchsorted(classes, y).clip(max=len(classes) - 1)
    unknown = y[classes[codes] != y].tolist()
    if unknown:
        raise ValueError(f"y_true must hold only classes in labels, got {unknown[0]!r}.")
    with np.errstate(divide="ignore"):
        nats = -np.log(proba[np.arange(len(y)), codes])
    return float(np.average(nats, weights=weight) / np.log(len(classes)))


def rcl_scorer(estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
    """Return minus the RCL of an estimator: higher is better, as ``scoring=`` expects."""
    proba = estimator.predict_proba(X)
    return -rcl_score(y, proba, sample_weight=sample_weight, labels=estimator.classes_)
