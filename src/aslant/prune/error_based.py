"""Error-based pruning, with subtree raising.

J. R. Quinlan, *C4.5: Programs for Machine Learning*, 1993, ch. 4.

Idea
    A leaf with N training rows, e of them misclassified, is expected to err on as many of N new
    rows as the upper confidence limit of the binomial distribution says. From the bottom up,
    replace a branch by a leaf, or by its own largest branch, where that promises no more errors.

    Raising the largest branch hands it the rows of its siblings: all rows of the node are sent
    through it and counted again (`aslant.prune.raising`), and the branch is pruned again with them.

Where the book is silent
    *Weights* count as rows: a row of weight 2 is the row twice. *Branches of the same weight*: the
    first counts as the largest. Linear machines are raised like any other test.

Where we differ
    C4.5 interpolates the normal quantile in a table (0.6925 for a confidence of 0.25); ours is
    exact (0.6745).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from aslant.prune.base import Grown, Pruner
from aslant.prune.raising import Newcomers, RaisableTree
from aslant.tree.tree import Tree
from aslant.utils.checks import check_flag, check_number

# A replacement may promise this many errors more than what it replaces.
_SLACK = 0.1


class ErrorBased(Pruner):
    """Bottom-up pruning by upper confidence limits of training errors.

    Parameters
    ----------
    confidence : float, default=0.25
        Probability left above the confidence limit, at most 0.5; the smaller, the more is pruned.
    raising : bool, default=True
        Whether a branch may also be replaced by the largest branch within it. The counts of a
        raised branch are those of all the rows it now gets; its impurities are not, they are
        refreshed by the estimator.
    """

    def __init__(self, *, confidence: float = 0.25, raising: bool = True) -> None:
        self.confidence = confidence
        self.raising = raising

    def check(self) -> None:
        """Validate the parameters."""
        check_number("confidence", self.confidence, 1e-6, 0.5)
        check_flag("raising", self.raising)

    def prune(self, grown: Grown) -> Tree:
        """Return the pruned tree: see `Pruner.prune`."""
        self.check()
        work = RaisableTree(grown.tree, grown.training)
        as_leaf = self._expected_errors(work.value)
        errors = as_leaf.copy()  # of what stands in the place of each node
        pending = list(range(grown.tree.n_nodes))
        while pending:
            node = pending.pop()  # children come after their parents, so they are done
            if work.is_leaf[node]:
                errors[node] = as_leaf[node]
                continue
            children = work.children(node)
            branch = float(errors[children].sum())
            largest = children[int(work.value[children].sum(axis=1).argmax())]
            raised, newcomers = np.inf, None
            if self.raising:
                newcomers = work.newcomers(node, largest)
                raised = float(errors[largest]) + self._errors_gained(work, newcomers)
            if as_leaf[node] <= min(branch, raised) + _SLACK:
                work.collapse(node)
                errors[node] = as_leaf[node]
            elif newcomers is not None and raised <= branch + _SLACK:
                changed = work.raise_branch(node, largest, newcomers)
                as_leaf[changed] = self._expected_errors(work.value[changed])
                pending.extend(changed)  # the others have the rows they were evaluated on
            else:
                errors[node] = branch
        return work.finished()

    def _errors_gained(self, work: RaisableTree, newcomers: Newcomers) -> float:
        """Return the errors to expect beyond the present ones if a branch gains rows."""
        before = work.value[newcomers.leaves]
        after = self._expected_errors(before + newcomers.gain)
        return float((after - self._expected_errors(before)).sum())

    def _expected_errors(self, counts: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return the upper limit of errors of leaves with the given class counts."""
        weight = counts.sum(axis=1)
        wrong = weight - counts.max(axis=1)
        return wrong + extra_errors(weight, wrong, self.confidence)


def extra_errors(
    weight: npt.NDArray[np.float64], wrong: npt.NDArray[np.float64], confidence: float
) -> npt.NDArray[np.float64]:
    """Return C4.5's U(N, e, CF): errors to expect beyond the e counted among N rows.

    Parameters
    ----------
    weight : ndarray
        Rows N at each leaf.
    wrong : ndarray
        Those that are misclassified, e.
    confidence : float
        Probability CF that the error rate lies above the limit.
    """
    rows = np.maximum(weight, 1e-100)  # an empty leaf errs on nothing
    none_wrong = rows * -np.expm1(np.log(confidence) / rows)
    one_wrong = _beyond_counted(rows, np.ones_like(rows), confidence)
    between = none_wrong + wrong * (one_wrong - none_wrong)
    return np.where(wrong < 1.0, between, _beyond_counted(rows, wrong, confidence))


def _beyond_counted(
    rows: npt.NDArray[np.float64], wrong: npt.NDArray[np.float64], confidence: float
) -> npt.NDArray[np.float64]:
    """U(N, e, CF) for e of at least 1: the normal limit of the binomial, continuity corrected."""
    z = -float(ndtri(confidence))
    corrected = np.minimum(wrong + 0.5, rows)
    spread = np.sqrt(corrected * (1.0 - corrected / rows) + z * z / 4.0)
    limit = (corrected + z * z / 2.0 + z * spread) / (rows + z * z)
    nearly_all = 0.67 * np.maximum(rows - wrong, 0.0)
    return np.where(wrong + 0.5 >= rows, nearly_all, rows * limit - wrong)
