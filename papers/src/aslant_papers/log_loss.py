"""Log loss of the classes of new rows, with probabilities that are never zero."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import is_regressor

_LEAST = 1e-15  # probability of a class that a model rules out


def laplace_log_loss(
    clf: Any, X: npt.NDArray[Any], truth: npt.NDArray[np.intp], n_classes: int
) -> npt.NDArray[np.float64]:
    """Return -ln p of the true class of each row, with one more row of each class in a leaf.

    The plain frequencies of a pure leaf give the other classes no chance at all, and one such row
    would make the loss infinite. Several trees give the mean of their estimates, with the weights
    that they have. What has no leaves with classes to count, as boosting, gives its own
    probabilities.

    Parameters
    ----------
    clf : fitted estimator
        Fitted with class codes as labels, not necessarily with all of them.
    X : ndarray
        New rows.
    truth : ndarray of int
        Their class codes.
    n_classes : int
        Number of classes.
    """
    members = getattr(clf, "estimators_", [clf])
    if any(is_regressor(member) or not hasattr(member, "apply") for member in members):
        own = np.full((len(truth), n_classes), _LEAST)
        own[:, clf.classes_] = np.maximum(clf.predict_proba(X), _LEAST)
        return -np.log(own[np.arange(len(truth)), truth])
    shares = []
    for member in members:
        counts = np.ones((len(truth), n_classes))
        counts[:, clf.classes_] += member.tree_.value[member.apply(X)]
        shares.append(counts[np.arange(len(truth)), truth] / counts.sum(axis=1))
    return -np.log(np.average(shares, axis=0, weights=getattr(clf, "weights_", None)))
