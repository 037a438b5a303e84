"""What competes: trees fitted jointly, trees as they were grown, and single leaves.

Every competitor is fitted in each fold and, if it wins, on all rows. One that has penalties is
tried with several: a `Recipe` says with which.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from aslant.encoding.sample import Sample
from aslant.estimators.auto.fitting import Fitting
from aslant.estimators.auto.starts import Fold, Start
from aslant.refine.harden import settled
from aslant.refine.joint import Refined, SoftFit, hard_on
from aslant.refine.logit import LogitModel
from aslant.refine.soft import SoftModel
from aslant.tree.monotone import ordered
from aslant.tree.tree import Tree

Vector = npt.NDArray[np.float64]

#: L2 penalties of a single linear leaf, and L1 penalties with the best of them.
LINEAR_L2, LINEAR_L1 = (100.0, 10.0, 1.0, 0.1), (0.15, 0.4, 1.0)
#: A linear leaf of more columns times classes is not tried.
MOST_LINEAR_COEFFICIENTS = 1_500
# Greatest L2 penalty of trees whose tests keep their features.
_MOST_L2_OF_FEW = 1.0
_FINISHING_ITERATIONS = 10


class Recipe(NamedTuple):
    """The L2 and the L1 penalty of a fit."""

    l2: float
    l1: float = 0.0


#: Of competitors that have no penalties.
NO_PENALTIES = Recipe(0.0)


class FoldFit(NamedTuple):
    """One fit on the rows outside a fold, and what it predicts for the fold.

    Attributes
    ----------
    output : ndarray
        Class probabilities, or predictions, of the rows of the fold.
    leaves, coefficients : int
        Size of the tree.
    seconds : float
        Time of the fit.
    dense : ndarray or None
        The parameters of a fit without an L1 penalty: sparser ones start from them.
    """

    output: Vector
    leaves: int
    coefficients: int
    seconds: float
    dense: Vector | None = None


class Competitor(ABC):
    """A way to a model.

    Parameters
    ----------
    name : str
        What is fitted, in words.
    fitting : Fitting
        What all fits have in common.
    folds : sequence of (Sample, Sample)
        The rows outside each fold, and those in it.
    """

    #: Whether an exponent may sharpen its probabilities.
    sharpens: ClassVar[bool] = False
    #: Whether it is the model that knows nothing of a row.
    is_constant: bool = False

    def __init__(self, name: str, fitting: Fitting, folds: Sequence[Fold]) -> None:
        self.name = name
        self.fitting = fitting
        self.folds = folds

    def dense_recipes(self) -> list[Recipe]:
        """Return what is tried first."""
        return [NO_PENALTIES]

    def sparse_recipes(self, best: Iterable[Recipe]) -> list[Recipe]:
        """Return what is tried next, given the best of the first."""
        return []

    @abstractmethod
    def fit_fold(self, fold: int, recipes: Sequence[Recipe]) -> dict[Recipe, FoldFit]:
        """Fit on the rows outside a fold."""

    def fit_fold_sparse(
        self, fold: int, recipes: Sequence[Recipe], dense: FoldFit
    ) -> dict[Recipe, FoldFit]:
        """Fit with the L1 penalties of recipes of one L2 penalty, from the fit without one.

        One that has no `sparse_recipes` has nothing to fit.
        """
        return {}

    @abstractmethod
    def fit(self, recipe: Recipe, sample: Sample) -> Refined:
        """Fit on all rows that the choice was made on."""

    def carry_on(self, refined: Refined, recipe: Recipe, some: Sample, sample: Sample) -> Refined:
        """Go on with a fit, on more rows; the tree is counted on all rows of the sample."""
        tree, nodes = settled(refined.tree, sample)
        return Refined(tree, refined.steepness[nodes])

    def _evaluated(
        self, refined: Refined, fold: int, begin: float, dense: Vector | None = None
    ) -> FoldFit:
        others, validation = self.folds[fold]
        return FoldFit(
            self.fitting.outputs(refined, others, validation.X),
            refined.tree.n_leaves,
            self.fitting.n_coefficients(refined.tree),
            time.perf_counter() - begin,
            dense,
        )


class SingleLeaf(Competitor):
    """A tree without a test that is made from rows at once."""

    def __init__(
        self,
        name: str,
        fitting: Fitting,
        folds: Sequence[Fold],
        make: Callable[[Sample], Tree],
        *,
        is_constant: bool,
    ) -> None:
        super().__init__(name, fitting, folds)
        self._make = make
        self.is_constant = is_constant

    def fit_fold(self, fold: int, recipes: Sequence[Recipe]) -> dict[Recipe, FoldFit]:
        """Fit on the rows outside a fold."""
        begin = time.perf_counter()
        made = self.fit(NO_PENALTIES, self.folds[fold][0])
        return {NO_PENALTIES: self._evaluated(made, fold, begin)}

    def fit(self, recipe: Recipe, sample: Sample) -> Refined:
        """Return the leaf of the rows."""
        return Refined(self._make(sample), np.zeros(1))

    def carry_on(self, refined: Refined, recipe: Recipe, some: Sample, sample: Sample) -> Refined:
        """Return the leaf of all rows."""
        return self.fit(recipe, sample)


class LinearLeaf(Competitor):
    """A single leaf with linear logits: penalized multinomial logistic regression."""

    sharpens = True

    def __init__(
        self, name: str, fitting: Fitting, folds: Sequence[Fold], make: Callable[[Sample], Tree]
    ) -> None:
        super().__init__(name, fitting, folds)
        self._make = make

    def dense_recipes(self) -> list[Recipe]:
        """Return the L2 penalties."""
        return [Recipe(l2) for l2 in LINEAR_L2]

    def sparse_recipes(self, best: Iterable[Recipe]) -> list[Recipe]:
        """Return the L1 penalties with the L2 penalty of lowest log-loss, the last one given."""
        *_, last = best
        return [Recipe(last.l2, l1) for l1 in LINEAR_L1] if self.fitting.sparse else []

    def fit_fold(self, fold: int, recipes: Sequence[Recipe]) -> dict[Recipe, FoldFit]:
        """Fit on the rows outside a fold."""
        model, results = self._model(self.folds[fold][0]), {}
        for recipe in recipes:
            begin = time.perf_counter()
            dense = model.dense(recipe.l2, self.fitting.progress)
            few = self._limited(model, dense, recipe)
            results[recipe] = self._predicted(model, few, fold, begin, dense)
        return results

    def fit_fold_sparse(
        self, fold: int, recipes: Sequence[Recipe], dense: FoldFit
    ) -> dict[Recipe, FoldFit]:
        """Fit with L1 penalties."""
        assert dense.dense is not None
        model, results = self._model(self.folds[fold][0]), {}
        begin = time.perf_counter()
        for recipe, parameters in self._path(model, dense.dense, recipes):
            few = self._limited(model, parameters, recipe)
            results[recipe] = self._predicted(model, few, fold, begin)
            begin = time.perf_counter()
        return results

    def fit(self, recipe: Recipe, sample: Sample) -> Refined:
        """Fit on all rows; probabilities are not sharpened."""
        return self.sharpened(recipe, sample, sample, 1.0)

    def sharpened(self, recipe: Recipe, some: Sample, sample: Sample, exponent: float) -> Refined:
        """Fit on some rows and count all, with probabilities raised to an exponent."""
        model = self._model(some)
        parameters = model.dense(recipe.l2, self.fitting.progress)
        if recipe.l1 > 0.0:
            *_, (_, parameters) = self._path(model, parameters, [recipe])
        parameters = self._limited(model, parameters, recipe)
        return Refined(model.logit_tree(parameters, sample, exponent), np.zeros(1))

    def _model(self, sample: Sample) -> LogitModel:
        leaf = self._make(sample)
        rows = self.fitting.rows(leaf, sample)
        return LogitModel(leaf, sample, fill_with_training_mean=True, rows=rows)

    def _path(
        self, model: LogitModel, dense: Vector, recipes: Sequence[Recipe]
    ) -> Iterator[tuple[Recipe, Vector]]:
        wanted = {recipe.l1 for recipe in recipes}
        penalties = [l1 for l1 in LINEAR_L1 if l1 <= max(wanted)]
        l2 = recipes[0].l2
        for l1, found in model.path(dense, l2, penalties, wanted, self.fitting.progress):
            yield Recipe(l2, l1), found

    def _limited(self, model: LogitModel, parameters: Vector, recipe: Recipe) -> Vector:
        most = self.fitting.max_features_per_test
        return model.limited(parameters, recipe.l2, most, self.fitting.progress)

    def _predicted(
        self,
        model: LogitModel,
        parameters: Vector,
        fold: int,
        begin: float,
        dense: Vector | None = None,
    ) -> FoldFit:
        validation = self.folds[fold][1]
        logits = model.logits(parameters, model.columns.transform(validation.X))
        relative = np.exp(logits - logits.max(axis=1, keepdims=True))
        output = relative / relative.sum(axis=1, keepdims=True)
        seconds = time.perf_counter() - begin
        return FoldFit(output, 1, model.n_coefficients(parameters), seconds, dense)


class GrownTree(Competitor):
    """A pruned tree as it was grown."""

    def __init__(self, start: Start, fitting: Fitting, folds: Sequence[Fold]) -> None:
        super().__init__(f"{start.name}, as grown", fitting, folds)
        self._start = start

    def fit_fold(self, fold: int, recipes: Sequence[Recipe]) -> dict[Recipe, FoldFit]:
        """Return what the tree of a fold predicts."""
        begin = time.perf_counter()
        tree = self._start.fold_trees[fold]
        return {NO_PENALTIES: self._evaluated(_as_grown(tree), fold, begin)}

    def fit(self, recipe: Recipe, sample: Sample) -> Refined:
        """Return the tree."""
        return _as_grown(self._start.tree)


def _as_grown(tree: Tree) -> Refined:
    return Refined(ordered(tree), np.zeros(tree.n_nodes))


class JointTree(Competitor):
    """A pruned tree whose tests and leaves are fitted together."""

    sharpens = True

    def __init__(self, start: Start, fitting: Fitting, folds: Sequence[Fold]) -> None:
        super().__init__(start.name, fitting, folds)
        self._start = start

    def dense_recipes(self) -> list[Recipe]:
        """Return the L2 penalties."""
        return [Recipe(l2) for l2 in self.fitting.effort.l2_penalties]

    def sparse_recipes(self, best: Iterable[Recipe]) -> list[Recipe]:
        """Return the L1 penalties, with each of the best L2 penalties."""
        if not self.fitting.sparse:
            return []
        l1_penalties = self.fitting.effort.l1_penalties
        return [Recipe(l2, l1) for l2 in dict.fromkeys(r.l2 for r in best) for l1 in l1_penalties]

    def fit_fold(self, fold: int, recipes: Sequence[Recipe]) -> dict[Recipe, FoldFit]:
        """Fit on the rows outside a fold."""
        model = self._fold_model(fold)
        if model is None:
            return dict.fromkeys(recipes, self._unfitted(fold))
        results = {}
        for recipe in recipes:
            begin = time.perf_counter()
            dense = self._dense(model, recipe)
            refined = self.fitting.hard(self._limited(model, recipe, dense), leaves_only=True)
            results[recipe] = self._evaluated(refined, fold, begin, dense)
        return results

    def fit_fold_sparse(
        self, fold: int, recipes: Sequence[Recipe], dense: FoldFit
    ) -> dict[Recipe, FoldFit]:
        """Fit with L1 penalties."""
        model = self._fold_model(fold)
        if model is None or dense.dense is None:
            return dict.fromkeys(recipes, dense)
        results = {}
        begin = time.perf_counter()
        for recipe, fit in self._path(model, dense.dense, recipes):
            refined = self.fitting.hard(fit, leaves_only=True)
            results[recipe] = self._evaluated(refined, fold, begin)
            begin = time.perf_counter()
        return results

    def fit(self, recipe: Recipe, sample: Sample) -> Refined:
        """Fit on all rows that the choice was made on."""
        model = self.fitting.model(self._start.tree, sample)
        dense = self._dense(model, recipe)
        if recipe.l1 == 0.0:
            return self.fitting.hard(self._limited(model, recipe, dense))
        *_, (_, fit) = self._path(model, dense, [recipe])
        return self.fitting.hard(fit)

    def carry_on(self, refined: Refined, recipe: Recipe, some: Sample, sample: Sample) -> Refined:
        """Go on with the fit on more rows, and count all."""
        if refined.tree.n_leaves == 1:
            return super().carry_on(refined, recipe, some, sample)
        model = self.fitting.model(refined.tree, some)
        start = model.start(refined.steepness)
        fitted = model.minimise(
            start,
            l2=recipe.l2,
            fixed=model.without(model.weights(start) == 0.0),
            max_iter=_FINISHING_ITERATIONS,
            progress=self.fitting.progress,
        )
        least = self.fitting.min_samples_leaf
        return hard_on(model, fitted, sample, min_samples_leaf=least)

    def _fold_model(self, fold: int) -> SoftModel | None:
        tree = self._start.fold_trees[fold]
        return None if tree.n_leaves == 1 else self.fitting.model(tree, self.folds[fold][0])

    def _unfitted(self, fold: int) -> FoldFit:
        return self._evaluated(_as_grown(self._start.fold_trees[fold]), fold, time.perf_counter())

    def _dense(self, model: SoftModel, recipe: Recipe) -> Vector:
        """Return the parameters of the fit without an L1 penalty and without a limit."""
        return self.fitting.joint(recipe.l2).dense(model, self.fitting.progress)

    def _limited(self, model: SoftModel, recipe: Recipe, dense: Vector) -> SoftFit:
        """Return a fit with at most so many features in a test."""
        joint = self.fitting.joint(recipe.l2)
        return SoftFit(model, joint.limited(model, dense, self.fitting.progress))

    def _path(
        self, model: SoftModel, dense: Vector, recipes: Sequence[Recipe]
    ) -> Iterator[tuple[Recipe, SoftFit]]:
        """Yield the fits with the L1 penalties of recipes of one L2 penalty."""
        wanted, l2 = {recipe.l1 for recipe in recipes}, recipes[0].l2
        penalties = [l1 for l1 in self.fitting.effort.l1_penalties if l1 <= max(wanted)]
        path = self.fitting.joint(l2).path(model, dense, penalties, wanted, self.fitting.progress)
        return ((Recipe(l2, l1), fit) for l1, fit in path)


class SoftenedTree(JointTree):
    """A pruned tree fitted together, each test on the columns it was grown with."""

    def __init__(self, start: Start, fitting: Fitting, folds: Sequence[Fold]) -> None:
        super().__init__(start, fitting, folds)
        self.name = f"{start.name}, fitted on the features of its own tests"

    def dense_recipes(self) -> list[Recipe]:
        """Return the L2 penalties: few coefficients need little."""
        return [Recipe(l2) for l2 in self.fitting.effort.l2_penalties if l2 <= _MOST_L2_OF_FEW]

    def sparse_recipes(self, best: Iterable[Recipe]) -> list[Recipe]:
        """Return nothing: its tests are as sparse as they were grown."""
        return []

    def _dense(self, model: SoftModel, recipe: Recipe) -> Vector:
        joint = self.fitting.joint(recipe.l2)
        return joint.dense(model, self.fitting.progress, keep_features=True)
