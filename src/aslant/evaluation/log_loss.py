"""Log loss of the classes of new rows, with probabilities that are never zero."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


def laplace_log_loss(
    clf: Any, X: npt.NDArray[Any], truth: npt.NDArray[np.intp], n_classes: int
) -> npt.NDArray[np.float64]:
    """Return -ln p of the true class of each row, with one more row of each class in a leaf.

    The plain frequencies of a pure leaf give the other classes no chance at all, and one such row
    would make the loss infinite. Several trees give the mean of their estimates, with the weights
    that they have.

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
    shares = []
    for member in getattr(clf, "estimators_", [clf]):
        counts = np.ones((len(truth), n_classes))
        counts[:, clf.classes_] += member.tree_.value[member.apply(X)]
        shares.append(counts[np.arange(len(truth)), truth] / counts.sum(axis=1))
    return -np.log(np.average(shares, axis=0, weights=getattr(clf, "weights_", None)))
