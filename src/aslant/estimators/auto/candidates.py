"""What is compared: fits of a start with an L2 and an L1 penalty, evaluated by cross-validation."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from aslant.encoding.sample import Sample
from aslant.estimators.auto.effort import Effort
from aslant.estimators.auto.starts import Start
from aslant.refine.joint import JointFit, Refined, SoftFit
from aslant.refine.soft import SoftModel, StandardRows
from aslant.tree.tree import Tree

Vector = npt.NDArray[np.float64]

#: The name of what has no test.
SINGLE_LEAF = "none: a single leaf"

# Errors that differ by less than this, or this share of the largest, are equal but for rounding.
_SAME = 1e-12
#: Standard errors by which a candidate must be worse on some folds to be left out of the others.
CLEARLY = 1.5


@dataclass(frozen=True)
class Recipe:
    """How a start is fitted.

    Attributes
    ----------
    l2 : float
        L2 penalty.
    l1 : float
        L1 penalty.
    """

    l2: float
    l1: float


@dataclass(frozen=True)
class Fitting:
    """What all fits have in common.

    Attributes
    ----------
    effort : Effort
        Which L2 and L1 penalties are tried.
    sparse : bool
        Whether L1 penalties are tried at all.
    max_features_per_test : int or None
        Most features in a test.
    fill_with_training_mean : bool
        What a missing value is.
    progress : callable
        Called now and then; may raise.
    soft : bool
        Whether predictions will be soft.
    """

    effort: Effort
    sparse: bool
    max_features_per_test: int | None
    fill_with_training_mean: bool
    progress: Callable[[], None]
    soft: bool = True
    _rows: dict[int, tuple[Sample, StandardRows]] = field(default_factory=dict, repr=False)

    #: Standard errors by which the best fit of a start must be worse for it to be given up.
    patience: ClassVar[float] = CLEARLY

    @property
    def se_rules(self) -> tuple[float | None, ...]:
        """How starts are pruned: see `aslant.estimators.auto.starts.grow_starts`."""
        return self.effort.se_rules

    def dense_recipes(self) -> list[Recipe]:
        """Return what is tried with each start."""
        return [Recipe(l2, 0.0) for l2 in self.effort.l2_penalties]

    def sparse_recipes(self, l2: float) -> list[Recipe]:
        """Return what is tried with a start that an L2 penalty suits best."""
        return [Recipe(l2, l1) for l1 in self.effort.l1_penalties] if self.sparse else []

    def rows(self, tree: Tree, sample: Sample) -> StandardRows:
        """Return the rows of a sample on one scale: the same for all trees, so they are kept."""
        known = self._rows.get(id(sample))
        if known is None:
            known = self._rows[id(sample)] = sample, StandardRows.of(tree, sample)
        return known[1]

    def model(self, tree: Tree, sample: Sample) -> SoftModel:
        """Return a tree as a smooth function on the rows of a sample."""
        rows = self.rows(tree, sample)
        fill = self.fill_with_training_mean
        return SoftModel(tree, sample, fill_with_training_mean=fill, rows=rows)

    def fit(self, tree: Tree, sample: Sample, recipe: Recipe) -> Refined:
        """Return a start fitted in one way."""
        model, joint = self.model(tree, sample), self._joint(recipe.l2)
        dense = joint.dense(model, self.progress)
        if recipe.l1 == 0.0:
            return SoftFit(model, joint.limited(model, dense, self.progress)).hard()
        *_, (_, fit) = self._path(model, dense, [recipe])
        return fit.hard()

    def fit_dense(
        self, tree: Tree, sample: Sample, validation: Sample, recipes: Sequence[Recipe]
    ) -> dict[Recipe, FoldFit]:
        """Return the losses of dense fits of a start on validation rows."""
        if tree.n_leaves == 1:
            return dict.fromkeys(recipes, self.unfitted(tree, validation))
        model = self.model(tree, sample)
        Z = model.columns.transform(validation.X)
        results = {}
        for recipe in recipes:
            begin = time.perf_counter()
            joint = self._joint(recipe.l2)
            dense = joint.dense(model, self.progress)
            fit = SoftFit(model, joint.limited(model, dense, self.progress))
            results[recipe] = self._fold_fit(fit, validation, Z, begin, dense)
        return results

    def fit_sparse(
        self,
        tree: Tree,
        sample: Sample,
        validation: Sample,
        recipes: Sequence[Recipe],
        dense: FoldFit,
    ) -> dict[Recipe, FoldFit]:
        """Return the same for one L2 penalty and several L1 penalties, from the dense fit."""
        if dense.dense is None:
            return dict.fromkeys(recipes, dense)
        model = self.model(tree, sample)
        Z = model.columns.transform(validation.X)
        results = {}
        begin = time.perf_counter()
        for l1, fit in self._path(model, dense.dense, recipes):
            recipe = Recipe(recipes[0].l2, l1)
            results[recipe] = self._fold_fit(fit, validation, Z, begin)
            begin = time.perf_counter()
        return results

    def _fold_fit(
        self, fit: SoftFit, validation: Sample, Z: Vector, begin: float, dense: Vector | None = None
    ) -> FoldFit:
        found = self.losses(fit, validation, Z)
        seconds = time.perf_counter() - begin
        return FoldFit(fit.model.tree, fit.parameters, *found, seconds, dense)

    def losses(self, fit: SoftFit, validation: Sample, Z: Vector) -> tuple[Vector, int, int]:
        """Return what each row loses by the hard tree of a fit, its leaves and coefficients.

        `Z` holds the rows on the scale of the model.
        """
        label, leaves, coefficients = fit.model.hard_outcome(fit.parameters, Z)
        return (label != validation.y).astype(np.float64), leaves, coefficients

    def unfitted(self, tree: Tree, validation: Sample) -> FoldFit:
        """Return the losses of a single leaf."""
        wrong = tree.value.argmax(axis=1)[tree.apply(validation.X)] != validation.y
        return FoldFit(tree, None, wrong.astype(np.float64), 1, 0, 0.0)

    def single_leaves(self, leaf: Tree) -> dict[str, Callable[[Sample], Tree]]:
        """Return what there is without a test, by name; `leaf` is such a tree."""
        return {SINGLE_LEAF: lambda rows: counted_leaf(leaf, rows)}

    def error_in_words(self, error: float) -> str:
        """Return a cross-validated error as the choice states it."""
        return f"{100 * error:.1f} %"

    def hard(self, fit: FoldFit, sample: Sample) -> Refined:
        """Return the tree of a fit that was made on the rows of a sample."""
        if fit.parameters is None:
            return Refined(fit.tree, np.zeros(1))
        return SoftFit(self.model(fit.tree, sample), fit.parameters).hard()

    def _path(
        self, model: SoftModel, dense: Vector, recipes: Sequence[Recipe]
    ) -> Iterator[tuple[float, SoftFit]]:
        """Yield the fits with the L1 penalties of recipes of one L2 penalty."""
        wanted = {recipe.l1 for recipe in recipes}
        l1_penalties = [l1 for l1 in self.effort.l1_penalties if l1 <= max(wanted)]
        return self._joint(recipes[0].l2).path(model, dense, l1_penalties, wanted, self.progress)

    def _joint(self, l2: float) -> JointFit:
        return JointFit(
            l2=l2,
            max_features_per_test=self.max_features_per_test,
            max_iter=self.effort.max_iter,
        )


class FoldFit(NamedTuple):
    """One fit on the rows outside a fold, and its losses on the fold.

    Attributes
    ----------
    tree : Tree
        What was fitted.
    parameters : ndarray or None
        Its soft tests and leaves; None for a tree without a test.
    loss : ndarray
        What each row of the fold loses: 1 if its class is wrong and 0 if not, or its squared error.
    leaves, coefficients : int
        Size of the hard tree.
    seconds : float
        Time of the fit.
    dense : ndarray or None
        The parameters before features were limited, if the fit is dense: sparser ones start
        from them.
    """

    tree: Tree
    parameters: npt.NDArray[np.float64] | None
    loss: Vector
    leaves: int
    coefficients: int
    seconds: float
    dense: npt.NDArray[np.float64] | None = None


@dataclass(frozen=True)
class Candidate:
    """A start and a way to fit it, with what cross-validation says about them.

    Attributes
    ----------
    start : Start
        What was grown; a single leaf, too.
    recipe : Recipe or None
        How it is fitted; None for a single leaf, of which there is nothing to fit.
    fold_fits : list of FoldFit
        The fits in the folds.
    error, standard_error : float
        Share of the rows that the trees of the other folds get wrong, or mean squared error.
    leaves, coefficients : float
        Mean numbers of leaves and coefficients of the trees of the folds.
    seconds : float
        Time of the fits.

    A candidate that is clearly worse on the first folds is not fitted in the others.
    """

    start: Start
    recipe: Recipe | None
    fold_fits: list[FoldFit]
    error: float
    standard_error: float
    leaves: float
    coefficients: float
    seconds: float

    def record(self) -> dict[str, Any]:
        """Return the figures by name."""
        return {
            "start": self.start.name,
            "l2": None if self.recipe is None else self.recipe.l2,
            "l1": None if self.recipe is None else self.recipe.l1,
            "error": self.error,
            "standard_error": self.standard_error,
            "folds": len(self.fold_fits),
            "leaves": self.leaves,
            "coefficients": self.coefficients,
            "seconds": self.seconds,
        }


def evaluated(
    start: Start,
    recipe: Recipe | None,
    fits: Sequence[FoldFit],
    validation: Sequence[Sample],
    cases: float,
) -> Candidate:
    """Return a candidate with the figures of its fits in the first folds, or all.

    There are so many different cases, each of which may be evaluated several times.
    """
    validation = validation[: len(fits)]
    total = sum(float(fold.weight.sum()) for fold in validation)
    lost = [(fold.weight, fit.loss) for fit, fold in zip(fits, validation, strict=True)]
    error = sum(float(weight @ loss) for weight, loss in lost) / total
    squares = sum(float(weight @ loss**2) for weight, loss in lost) / total
    return Candidate(
        start,
        recipe,
        list(fits),
        error,
        float(np.sqrt(max(squares - error**2, 0.0) / min(total, cases))),
        float(np.mean([fit.leaves for fit in fits])),
        float(np.mean([fit.coefficients for fit in fits])),
        sum(fit.seconds for fit in fits),
    )


def counted_leaf(leaf: Tree, sample: Sample) -> Tree:
    """Return a tree without a test with the counts of a sample."""
    counts = np.bincount(sample.y, sample.weight, minlength=leaf.n_classes)
    return leaf.rearranged(
        np.zeros(1, dtype=np.intp),
        leaf.is_leaf,
        value=counts[np.newaxis],
        n_node_samples=np.array([len(sample)]),
    )


def clearly_worse(one: Vector, other: Vector, weight: Vector, by: float = CLEARLY) -> bool:
    """Whether the first loses so much more that chance hardly explains it.

    Of classes this is McNemar's test: only rows count on which the two differ.
    """
    more = one - other
    return bool(weight @ more > by * np.sqrt(weight @ more**2))


def best_candidate(candidates: Sequence[Candidate], sparsity: float | None) -> Candidate:
    """Return the winner.

    With a sparsity, the one with the fewest coefficients whose error is within so many standard
    errors of the lowest; without, the one of lowest error. Ties go to fewer leaves, then to the
    lower error, then to the one named first.
    """
    lowest = min(candidates, key=lambda one: one.error)
    same = _SAME * max(1.0, *(one.error for one in candidates))
    if sparsity is None:
        return min(candidates, key=lambda one: (round(one.error / same), one.leaves))
    limit = lowest.error + sparsity * lowest.standard_error + same
    close = [one for one in candidates if one.error <= limit]
    return min(close, key=lambda one: (one.coefficients, one.leaves, one.error))
