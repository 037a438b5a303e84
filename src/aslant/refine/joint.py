"""The joint fit: all tests and leaves of a grown tree moved at once, then made hard again.

I. K. Sethi and J. H. Yoo, *Structure-Driven Induction of Decision Tree Classifiers through Neural
Learning*, Pattern Recognition 30, 1997; A. Suárez and J. F. Lutsko, *Globally Optimal Fuzzy
Decision Trees for Classification and Regression*, IEEE PAMI 21, 1999; the likelihood is that of
M. I. Jordan and R. A. Jacobs, *Hierarchical Mixtures of Experts and the EM Algorithm*, Neural
Computation 6, 1994.

Idea
    A test becomes a gate: a row goes to child 1 with the probability that a sigmoid of its distance
    from the hyperplane gives. The likelihood of the classes is then a smooth function of all tests
    and leaves, and L-BFGS moves them all together, downhill from the grown tree. A penalty keeps
    the coefficients small, so it also decides how soft the gates stay. Then every gate becomes the
    test "more than one half" again: the result is an ordinary tree, often a smaller one.

Sparse tests
    An L1 penalty (orthant-wise L-BFGS) makes many coefficients zero; it grows with the square root
    of the rows at a node, because the same penalty everywhere empties the deep nodes. It falls with
    the root of the coefficient in the fit without the penalty, as in the adaptive lasso (H. Zou,
    JASA 101, 2006). What is left is fitted once more without the penalty.

Linear machines
    have several branches, which one gate cannot describe; trees with such tests are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator

from aslant.encoding.sample import Sample
from aslant.refine.harden import settled, shortened, with_node_means, with_planes
from aslant.refine.regression import RegressionModel
from aslant.refine.soft import SoftModel
from aslant.tree.monotone import ordered
from aslant.tree.regression_tree import RegressionTree
from aslant.tree.tree import Tree
from aslant.utils.checks import check_number
from aslant.utils.parameters import parameters

Vector = npt.NDArray[np.float64]
Progress = Callable[[], None] | None

# Shares of `max_iter`: a fit that starts from another one needs fewer steps.
_SPARSE, _REFIT = 0.6, 0.5


class Refined(NamedTuple):
    """A tree after the fit, and how steep its gates were (0 at leaves)."""

    tree: Tree
    steepness: Vector


class SoftFit(NamedTuple):
    """A soft tree and the parameters that were fitted."""

    model: SoftModel
    parameters: Vector

    def hard(self, *, leaves_only: bool = False, min_samples_leaf: int = 1) -> Refined:
        """Return the fitted gates as an ordinary tree with the counts of the model's rows.

        Where leaves predict linear functions, inner nodes have them too, unless told otherwise.
        """
        return hard_on(
            self.model,
            self.parameters,
            self.model.sample,
            leaves_only=leaves_only,
            min_samples_leaf=min_samples_leaf,
        )


@parameters
class JointFit(BaseEstimator):
    """Fits all tests and leaves of a tree together, after it was grown.

    Parameters
    ----------
    l2 : float, default=1.0
        L2 penalty. Small suits data without noise and many classes, large
        noisy data: 0.01 to 10 is a good range to choose from.
    l1 : float, default=0.0
        L1 penalty, times the square root of the rows at the node: 0.05 to 1
        makes tests that read fewer features.
    max_features_per_test : int or None, default=None
        Most features in a test: those of largest weight are kept and fitted again.
    max_iter : int, default=40
        Most steps of the fit; a fit with an L1 penalty takes at most 0.6 times as many, and that of
        the coefficients that are left 0.5 times.
    tol : float, default=1e-5
        A step that decreases the objective by less than this share is the last.
    """

    l2: float = 1.0
    l1: float = 0.0
    max_features_per_test: int | None = None
    max_iter: int = 40
    tol: float = 1e-5

    def check(self) -> None:
        """Validate the parameters."""
        check_number("l2", self.l2, 0.0, 1e100)
        check_number("l1", self.l1, 0.0, 1e100)
        if self.max_features_per_test is not None:
            check_number("max_features_per_test", self.max_features_per_test, 1, integer=True)
        check_number("max_iter", self.max_iter, 0, 10**9, integer=True)
        check_number("tol", self.tol, 0.0, 1.0)

    def refine(
        self,
        tree: Tree,
        sample: Sample,
        *,
        fill_with_training_mean: bool = False,
        keep_features: bool = False,
        progress: Progress = None,
    ) -> Tree:
        """Return the fitted tree; coefficients have as few digits as leave all rows in place.

        Parameters
        ----------
        tree : Tree
            A tree of hyperplanes.
        sample : Sample
            The rows to fit it to; the counts of the new tree are theirs.
        fill_with_training_mean : bool, default=False
            Whether a missing value is the mean over all rows, else that of the node.
        keep_features : bool, default=False
            Whether each test reads only the columns that it was grown with.
        progress : callable, optional
            Called now and then; what it raises ends the fit.
        """
        self.check()
        if tree.n_leaves == 1:
            return tree if isinstance(tree, RegressionTree) else settled(tree, sample)[0]
        kind = RegressionModel if isinstance(tree, RegressionTree) else SoftModel
        model = kind(tree, sample, fill_with_training_mean=fill_with_training_mean)
        dense = self.dense(model, progress, keep_features=keep_features)
        if self.l1 > 0.0:
            l1 = (float(self.l1),)
            *_, (_, fit) = self.path(
                model, dense, l1, keep_features=keep_features, progress=progress
            )
        else:
            fit = SoftFit(model, self.limited(model, dense, progress))
        refined = fit.hard()
        return shortened(refined.tree, sample, refined.steepness)

    def dense(
        self, model: SoftModel, progress: Progress = None, *, keep_features: bool = False
    ) -> Vector:
        """Return the parameters of the fit without an L1 penalty and without a limit."""
        start = model.start(l2=self.l2)
        return model.minimise(
            start,
            l2=self.l2,
            fixed=model.unread(start) if keep_features else None,
            max_iter=self.max_iter,
            tol=self.tol,
            progress=progress,
        )

    def path(
        self,
        model: SoftModel,
        dense: Vector,
        l1_penalties: Sequence[float],
        wanted: Container[float] | None = None,
        progress: Progress = None,
        *,
        keep_features: bool = False,
    ) -> Iterator[tuple[float, SoftFit]]:
        """Yield fits under each L1 penalty, sparser and sparser, or only the wanted ones.

        Each penalized fit starts from the one before, the first from the dense one; what is
        yielded is fitted once more without the penalty, on the coefficients that are left.
        Penalties are
        put on the tree that the dense fit leaves, which may be much smaller than the one that was
        grown.
        """
        wanted = l1_penalties if wanted is None else wanted
        smaller = SoftFit(model, dense).hard(leaves_only=True)
        if smaller.tree.n_leaves == 1:
            yield from ((l1, SoftFit(model, dense)) for l1 in l1_penalties if l1 in wanted)
            return
        model = model.on(smaller.tree)
        sparse = model.start(smaller.steepness)
        relative = model.relative_penalties(sparse)
        fixed = model.unread(sparse) if keep_features else None
        for l1 in l1_penalties:
            sparse = model.minimise(
                sparse,
                l2=self.l2,
                l1=l1,
                relative=relative,
                fixed=fixed,
                max_iter=round(_SPARSE * self.max_iter),
                tol=self.tol,
                progress=progress,
            )
            if l1 in wanted:
                fitted = self._refitted(model, sparse, model.weights(sparse) == 0.0, progress)
                yield l1, SoftFit(model, self.limited(model, fitted, progress))

    def limited(self, model: SoftModel, fitted: Vector, progress: Progress = None) -> Vector:
        """Keep the features of largest weight in every test, if there is a limit."""
        most = self.max_features_per_test
        if most is None:
            return fitted
        removed = least_features(model, model.weights(fitted), int(most))
        if not removed.any():
            return fitted
        return self._refitted(model, fitted, removed, progress)

    def _refitted(
        self, model: SoftModel, fitted: Vector, removed: npt.NDArray[np.bool_], progress: Progress
    ) -> Vector:
        start = fitted.copy()
        model.weights(start)[removed] = 0.0
        return model.minimise(
            start,
            l2=self.l2,
            fixed=model.without(removed),
            max_iter=round(_REFIT * self.max_iter),
            tol=self.tol,
            progress=progress,
        )


def least_features(model: SoftModel, weights: Vector, most: int) -> npt.NDArray[np.bool_]:
    """Return the coefficients to remove so that every test reads at most so many features.

    A category counts as one feature, with the length of its coefficients as its weight.
    """
    feature = model.tree.column_feature
    tests = weights[: len(model.inner)]
    squares = np.zeros((len(tests), model.tree.n_features))
    with np.errstate(over="ignore"):  # what is infinite is the largest, too
        for column, own in enumerate(feature.tolist()):
            squares[:, own] += tests[:, column] ** 2
    order = np.argsort(-squares, axis=1, kind="stable")
    least = np.ones(squares.shape, dtype=bool)
    np.put_along_axis(least, order[:, :most], False, axis=1)
    removed = weights == 0.0
    removed[: len(tests)] |= least[:, feature]
    return removed


def hard_on(
    model: SoftModel,
    fitted: Vector,
    sample: Sample,
    *,
    leaves_only: bool = False,
    min_samples_leaf: int = 1,
) -> Refined:
    """Return the fitted gates as an ordinary tree with the counts of a sample."""
    planes = model.planes(fitted)
    steepness = np.zeros(model.tree.n_nodes)
    steepness[model.inner] = planes.steepness
    tree = with_planes(model.tree, planes)
    # Without missing values among its rows, a tree that only has to predict them needs no means.
    if not (model.fill_with_training_mean or (leaves_only and not model.has_missing)):
        tree = with_node_means(tree, sample)
    tree, nodes = settled(tree, sample, min_samples_leaf=min_samples_leaf)
    tree = ordered(model.with_leaves(tree, nodes, fitted, sample, leaves_only))
    return Refined(tree, np.where(tree.is_leaf, 0.0, steepness[nodes]))
