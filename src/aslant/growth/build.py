"""One tree from beginning to end: hold out, grow, prune, refine."""

from __future__ import annotations

from typing import cast

import numpy as np
import numpy.typing as npt
from sklearn.base import clone

from aslant import _core
from aslant.encoding.sample import Sample
from aslant.growth.constraints import Constraints
from aslant.growth.grow import GrowAgain, Growth, grow_tree
from aslant.growth.importances import impurity_risk
from aslant.growth.settings import TreeSettings
from aslant.prune.base import Grown
from aslant.prune.sequence import prune_by_alpha
from aslant.refine import JointFit
from aslant.search.base import Criterion
from aslant.tree.monotone import merged, ordered
from aslant.tree.regression_tree import RegressionTree
from aslant.tree.tree import Tree


def build_tree(sample: Sample, settings: TreeSettings, seed: int) -> Growth:
    """Grow a tree, prune it, refine it on all rows, and prune it by `ccp_alpha`.

    Targets of regression are divided by a power of two meanwhile: see `exponent_of`.
    """
    exponent = 0 if sample.n_classes > 0 else exponent_of(sample.y)
    if exponent == 0:
        return _build(sample, settings, seed)
    divided = sample.with_target(np.ldexp(sample.shared_y, -exponent))
    tree, n_hyperplanes = _build(divided, settings.for_targets_divided(exponent), seed)
    tree = cast(RegressionTree, tree).in_units(exponent, settings.impurity_power)
    return Growth(tree, n_hyperplanes)


def _build(sample: Sample, settings: TreeSettings, seed: int) -> Growth:
    pruner, refinement = settings.pruner, settings.refinement
    training, held_out = sample, None
    if pruner is not None and pruner.held_out > 0.0:
        training, held_out = sample.hold_out(pruner.held_out, seed)
        if len(training) == 0 or len(held_out) == 0:  # too few rows to spare any
            training, held_out, pruner = sample, None, None
    tree, n_hyperplanes = grow_tree(training, settings, seed)
    if pruner is not None:
        again = GrowAgain(training, settings, seed)
        grown = Grown(tree, training, held_out, again.tree, again.test, seed)
        tree = with_impurities(pruner.prune(grown), settings.criterion)
    if refinement is not None:
        refined = _limited(refinement, settings.constraints).refine(
            tree,
            sample,
            fill_with_training_mean=settings.fill_with_training_mean,
            keep_features=bool(settings.constraints.groups),
        )
        tree = with_impurities(refined, settings.criterion)
    if settings.ccp_alpha > 0.0:
        tree = prune_by_alpha(tree, impurity_risk(tree), settings.ccp_alpha)
    return Growth(_lawful(tree, settings), n_hyperplanes)


def _limited(refinement: JointFit, constraints: Constraints) -> JointFit:
    """Return the refinement with the limit of features in a test, if there is one."""
    most, own = constraints.max_features_per_test, refinement.max_features_per_test
    if most is None:
        return refinement
    return clone(refinement).set_params(max_features_per_test=min(most, own or most))


def _lawful(tree: Tree, settings: TreeSettings) -> Tree:
    """Return the tree whose leaves keep the monotonic constraints, if there are any."""
    if not settings.constraints.is_monotone:
        return tree
    return with_impurities(merged(ordered(tree)), settings.criterion)


def with_impurities(tree: Tree, criterion: Criterion) -> Tree:
    """Return a tree with the impurities of its present class counts: pruning may have changed them.

    No pruner changes what the nodes of a regression tree hold.
    """
    if isinstance(tree, RegressionTree):
        return tree
    if callable(criterion):  # it scores two children, not one node
        criterion = "gini"
    impurity = [_core.impurity(counts, criterion) for counts in tree.value]
    return tree.rearranged(np.arange(tree.n_nodes), tree.is_leaf, impurity=np.array(impurity))


def exponent_of(y: npt.NDArray[np.float64]) -> int:
    """Return the power of two that brings the spread of the targets near 1.

    Dividing by it is exact. Squares then neither overflow nor underflow, and "small" has one
    meaning, whatever the unit of the targets.
    """
    largest = float(np.abs(y).max())
    if largest == 0.0:
        return 0
    _, size = np.frexp(largest)
    spread = float(np.std(np.ldexp(y, -size), axis=0).max())
    return int(size + (np.frexp(spread)[1] if spread > 1e-12 else 0))
