"""Cost-complexity pruning with held-out rows or cross-validation.

L. Breiman, J. Friedman, R. Olshen and C. Stone, *Classification and Regression Trees*, 1984, ch. 3
and 8. With held-out rows it is also the pruning of OC1 (Murthy, Kasif and Salzberg 1994) and HHCART
(Wickramarachchi et al. 2016); ``leaf_matching`` is that of G. Hinton and M. Revow, *Using Pairs of
Data-Points to Define Splits for Decision Trees*, 1996.

Idea
    Weakest-link pruning by training error gives a nested sequence of trees: see
    `aslant.prune.sequence`. Estimate the error of each, and take the smallest whose error is within
    ``se_rule`` standard errors of the least.

    Held-out rows estimate the error directly. In cross-validation each of ``cv`` parts of the rows
    validation a tree grown on the other parts, pruned with the same alpha: a tree of the
    main sequence is best for values in [alpha_k, alpha_k+1), of which the geometric mean is taken,
    and infinity for the last.

Where the papers are silent
    *Ties* go to the smaller tree. *Weights*: errors are weighted; the standard error counts rows,
    each once whatever it weighs. *Fewer than two parts*, or no held-out rows at all, leave the tree
    as it is.

Regression trees
    Errors are squared errors, and the standard error is that of their mean (Breiman et al., section
    8.5). Where leaves are linear, training errors are leave-one-out errors.

Where we differ
    The full tree is a candidate even where a smaller one has the same training error; the two can
    differ on other rows. With ``leaf_matching`` Hinton and Revow average the error rates of the
    parts; ours is the error rate over all rows, which is the same for parts of the same size.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from aslant.encoding.sample import Sample
from aslant.prune.base import (
    TOLERANCE,
    Grown,
    Pruner,
    check_fraction,
    losses,
    require_held_out,
    training_errors,
    unit_of_loss,
)
from aslant.prune.sequence import PruningSequence, weakest_links
from aslant.tree.tree import Tree
from aslant.utils.checks import check_flag, check_number

_DEFAULT_VALIDATION = 0.1


class CostComplexity(Pruner):
    """The best tree of the weakest-link sequence, for classification and regression.

    Parameters
    ----------
    validation : float or None, default=None
        Fraction of the rows held out as validation rows; None is 0.1 unless ``cv`` is given.
    cv : int or None, default=None
        Parts of a cross-validation, instead of held-out rows; at most one part a row.
    se_rule : float, default=0.0
        The smallest tree within this many standard errors of the best; 1 is CART's 1-SE rule.
    keep_root : bool, default=False
        Whether the split of the root always stays, as in OC1.
    leaf_matching : bool, default=False
        With ``cv``: evaluate each tree by the largest ones with no more leaves, not by alpha.
    """

    prunes_regression = True

    def __init__(
        self,
        *,
        validation: float | None = None,
        cv: int | None = None,
        se_rule: float = 0.0,
        keep_root: bool = False,
        leaf_matching: bool = False,
    ) -> None:
        self.validation = validation
        self.cv = cv
        self.se_rule = se_rule
        self.keep_root = keep_root
        self.leaf_matching = leaf_matching

    @property
    def held_out(self) -> float:
        """Share of the training rows to keep out of growing, 0 with ``cv``."""
        if self.cv is not None:
            return 0.0
        return _DEFAULT_VALIDATION if self.validation is None else self.validation

    def check(self) -> None:
        """Validate the parameters."""
        if self.validation is not None and self.cv is not None:
            raise ValueError(
                "validation and cv cannot both be given: hold rows out or cross-validate, got "
                f"validation={self.validation!r} and cv={self.cv!r}."
            )
        if self.validation is not None:
            check_fraction("validation", self.validation)
        if self.cv is not None:
            check_number("cv", self.cv, 2, integer=True)
        check_number("se_rule", self.se_rule, 0.0, 100.0)
        check_flag("keep_root", self.keep_root)
        check_flag("leaf_matching", self.leaf_matching)
        if self.leaf_matching and self.cv is None:
            raise ValueError("leaf_matching=True needs cv, the number of parts, got cv=None.")

    def prune(self, grown: Grown) -> Tree:
        """Return the pruned tree: see `Pruner.prune`."""
        self.check()
        sequence = self._sequence(grown.tree)
        if self.cv is None:
            validation = require_held_out(self, grown)
            errors = losses_of(sequence, validation)
        else:
            validation = grown.training
            n_folds = min(self.cv, len(validation))
            if n_folds < 2:
                return grown.tree
            errors = self._cross_validated(sequence, grown, n_folds)
        total = validation.weight.sum()
        if total == 0.0:
            return grown.tree
        n_rows = validation.n_weighing()
        rounding = TOLERANCE * unit_of_loss(grown.tree)
        return sequence.tree_number(self._choice(errors / total, n_rows, rounding))

    def _sequence(self, tree: Tree) -> PruningSequence:
        # Weights are left undivided, because sums of integers are exact and so are their ties.
        return weakest_links(tree, training_errors(tree), keep_root=self.keep_root)

    def _choice(self, error: npt.NDArray[np.float64], n_rows: int, rounding: float) -> int:
        """Return the number of the smallest tree within the k-SE rule.

        Mean loss and mean squared loss of every tree are the rows of ``error``; for errors, which
        are 0 or 1, they are the same, and the variance is that of a share.
        """
        loss, squares = error
        best = int(loss.argmin())
        variance = max(float(squares[best] - loss[best] ** 2), 0.0)
        margin = self.se_rule * np.sqrt(variance / n_rows)
        return int(np.flatnonzero(loss <= loss[best] + margin + rounding)[-1])

    def _cross_validated(
        self, main: PruningSequence, grown: Grown, n_folds: int
    ) -> npt.NDArray[np.float64]:
        """Return the losses of every main tree, each fold evaluating a tree of the others."""
        errors = np.zeros((2, len(main)))
        for others, fold in grown.training.folds(n_folds, grown.seed):
            other = self._sequence(grown.grow(others))
            counterpart = (
                _same_leaves(main, other) if self.leaf_matching else same_alpha(main, other)
            )
            errors += losses_of(other, fold)[:, counterpart]
        return errors


def losses_of(sequence: PruningSequence, validation: Sample) -> npt.NDArray[np.float64]:
    """Return the losses of every tree of a sequence, and the squares of losses, summed."""
    lost = losses(sequence.tree, validation)
    return np.array([sequence.totals(lost.total), sequence.totals(lost.squares)])


def same_alpha(main: PruningSequence, other: PruningSequence) -> npt.NDArray[np.intp]:
    """Tree of the other sequence that is best at the alpha typical of each main tree."""
    typical = np.append(np.sqrt(main.alphas[:-1] * main.alphas[1:]), np.inf)
    # Alphas are weights here; divided by the total weight, those of two samples compare.
    share = other.tree.weighted_n_node_samples[0] / main.tree.weighted_n_node_samples[0]
    return other.number_at(typical * share)


def _same_leaves(main: PruningSequence, other: PruningSequence) -> npt.NDArray[np.intp]:
    """Largest tree of the other sequence with no more leaves than each main tree."""
    first = np.searchsorted(-other.n_leaves, -main.n_leaves, side="left")
    # A root split that stays may have more leaves than the main tree: then the smallest tree.
    return np.minimum(first, len(other) - 1)
