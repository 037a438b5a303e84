"""The published systems: one thin class each, holding its paper's defaults."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from aslant.estimators import TreeClassifier
from aslant.parameters import parameters
from aslant.prune import CostComplexity, Pruner
from aslant.search import (
    C45,
    CARTLC,
    HHCART,
    OC1,
    QUEST,
    SADT,
    AxisParallel,
    CrimCoords,
    Fisher,
    PolePair,
    SplitSearch,
)


def _oc1_pruner() -> Pruner:
    """Pruning of the OC1 paper: a tenth of the rows, 0-SE rule, the root split always stays."""
    return CostComplexity(validation=0.1, se_rule=0.0, keep_root=True)


@parameters
class CARTClassifier(TreeClassifier):
    """CART's axis-parallel tree.

    L. Breiman, J. Friedman, R. Olshen and C. Stone, *Classification and Regression Trees*, 1984.
    With ``criterion="twoing", pruning=CostComplexity(validation=0.1, keep_root=True)`` it is the
    OC1-AP of the OC1 paper; with ``pruning=CostComplexity(cv=10)`` CART as published.

    Parameters
    ----------
    criterion : str, default="gini"
        Splitting criterion.
    pruning : str, Pruner or None, default=None
        Nothing is pruned by default, as in scikit-learn.

    Growth, weights, categories and the fitted attributes are those of
    `ObliqueDecisionTreeClassifier`.
    """

    criterion: str = "gini"

    def _make_search(self) -> SplitSearch:
        return AxisParallel.with_parameters_of(self)


@parameters
class C45Classifier(TreeClassifier):
    """C4.5: gain ratio, a branch per level of a category, error-based pruning.

    J. R. Quinlan, *C4.5: Programs for Machine Learning*, 1993.

    Parameters
    ----------
    min_cases, threshold_cost
        Parameters of the search, see `aslant.search.C45`.
    pruning : str, Pruner or None, default="error_based"
        C4.5's own, with confidence 0.25 and subtree raising.

    Growth, weights, categories and the fitted attributes are those of
    `ObliqueDecisionTreeClassifier`.
    """

    min_cases: float = 2
    threshold_cost: bool = True
    pruning: str | Pruner | None = "error_based"

    def _make_search(self) -> SplitSearch:
        return C45.with_parameters_of(self)


@parameters
class OC1Classifier(TreeClassifier):
    """OC1: randomised hill-climbing for oblique splits.

    S. K. Murthy, S. Kasif and S. Salzberg, *A System for Induction of Oblique Decision Trees*,
    Journal of Artificial Intelligence Research 2, 1994.

    Parameters
    ----------
    restarts, jumps, order, random_moves, stagnation, stagnation_step, min_rows, axis_bias, \
    axis_start, perturb_constant, start, origin, legacy_sweep
        Parameters of the search, see `aslant.search.OC1`.
    criterion : str, default="twoing"
        Splitting criterion.
    pruning : str, Pruner or None, default="cost_complexity"
        The paper's: a tenth of the rows is held out, the smallest tree of least error on it is
        chosen, and the root split always stays.

    Growth, weights, categories and the fitted attributes are those of
    `ObliqueDecisionTreeClassifier`.
    """

    restarts: int = 20
    jumps: int = 5
    order: Literal["sequential", "best", "random"] = "sequential"
    random_moves: int = 50
    stagnation: Literal["counter", "probability"] = "counter"
    stagnation_step: float = 0.1
    min_rows: int | None = None
    axis_bias: float = 1.0
    axis_start: bool = True
    perturb_constant: bool = False
    start: Literal["faithful", "through_point"] = "faithful"
    origin: Literal["median", "original"] = "median"
    legacy_sweep: bool = False
    criterion: str = "twoing"
    pruning: str | Pruner | None = "cost_complexity"

    def _make_search(self) -> SplitSearch:
        return OC1.with_parameters_of(self)

    def _make_pruner(self) -> Pruner | None:
        return _oc1_pruner() if self.pruning == "cost_complexity" else super()._make_pruner()


@parameters
class CARTLCClassifier(TreeClassifier):
    """CART with linear combinations.

    L. Breiman, J. Friedman, R. Olshen and C. Stone, *Classification and Regression Trees*, 1984,
    chapter 5, with the settings of the OC1 paper's experiments.

    Parameters
    ----------
    normalize, gammas, max_cycles, tolerance, beta, univariate
        Parameters of the search, see `aslant.search.CARTLC`.
    criterion : str, default="twoing"
        Splitting criterion.
    pruning : str, Pruner or None, default="cost_complexity"
        As for `OC1Classifier`.

    Growth, weights, categories and the fitted attributes are those of
    `ObliqueDecisionTreeClassifier`.
    """

    normalize: bool = False
    gammas: Sequence[float] = (-0.25, 0.0, 0.25)
    max_cycles: int = 100
    tolerance: float = 1e-4
    beta: float | None = None
    univariate: bool = True
    criterion: str = "twoing"
    pruning: str | Pruner | None = "cost_complexity"

    def _make_search(self) -> SplitSearch:
        return CARTLC.with_parameters_of(self)

    def _make_pruner(self) -> Pruner | None:
        return _oc1_pruner() if self.pruning == "cost_complexity" else super()._make_pruner()


@parameters
class SADTClassifier(TreeClassifier):
    """SADT: simulated annealing of oblique splits.

    D. Heath, S. Kasif and S. Salzberg, *Induction of Oblique Decision Trees*, IJCAI 1993.

    Parameters
    ----------
    temperature, cooling, patience, move, step
        Parameters of the search, see `aslant.search.SADT`.
    criterion : str, default="entropy"
        The energy is minus its score: ``"max_minority"``, ``"sum_minority"``,
        ``"sum_of_variances"`` or ``"entropy"`` in the papers.
    pruning : str, Pruner or None, default=None
        Nothing is pruned, as in the published experiments.

    Growth, weights, categories and the fitted attributes are those of
    `ObliqueDecisionTreeClassifier`.
    """

    temperature: float = 0.2
    cooling: float = 0.999
    patience: int = 10_000
    move: Literal["single", "all"] = "single"
    step: float | None = None
    criterion: str = "entropy"

    def _make_search(self) -> SplitSearch:
        return SADT.with_parameters_of(self)


@parameters
class FisherTreeClassifier(TreeClassifier):
    """Fisher's decision tree: the best threshold along Fisher's linear discriminant.

    A. López-Chau, J. Cervantes, L. López-García and F. García Lamont, *Fisher's Decision Tree*,
    Expert Systems with Applications 40, 2013. Categories are scored, see
    `aslant.search.CrimCoords`.

    Parameters
    ----------
    multiclass, univariate, min_cases
        Parameters of the search, see `aslant.search.Fisher`.
    criterion : str, default="entropy"
        Splitting criterion.
    pruning : str, Pruner or None, default="error_based"
        C4.5's, with confidence 0.25 and subtree raising.

    Growth, weights, categories and the fitted attributes are those of
    `ObliqueDecisionTreeClassifier`.
    """

    multiclass: Literal["superclasses", "one_vs_rest"] = "superclasses"
    univariate: bool = False
    min_cases: float = 2
    criterion: str = "entropy"
    pruning: str | Pruner | None = "error_based"

    def _make_search(self) -> SplitSearch:
        return CrimCoords(Fisher.with_parameters_of(self))


@parameters
class QUESTClassifier(TreeClassifier):
    """QUEST: variables from tests of association, splits from discriminant analysis.

    W.-Y. Loh and Y.-S. Shih, *Split Selection Methods for Classification Trees*, Statistica Sinica
    7, 1997. Priors are estimated and all errors cost the same.

    Parameters
    ----------
    split, split_point, alpha
        Parameters of the search, see `aslant.search.QUEST`.
    criterion : str, default="gini"
        Values splits, for the importances and ``min_impurity_decrease``; chooses none.
    pruning : str, Pruner or None, default="cost_complexity"
        Cost-complexity by 10-fold cross-validation with the 0-SE rule.

    Growth, weights, categories and the fitted attributes are those of
    `ObliqueDecisionTreeClassifier`.
    """

    split: Literal["linear", "univariate"] = "linear"
    split_point: Literal["lda", "qda", "exact"] = "lda"
    alpha: float = 0.05
    criterion: str = "gini"
    pruning: str | Pruner | None = "cost_complexity"

    def _make_search(self) -> SplitSearch:
        return QUEST.with_parameters_of(self)

    def _make_pruner(self) -> Pruner | None:
        if self.pruning == "cost_complexity":
            return CostComplexity(cv=10, se_rule=0.0)
        return super()._make_pruner()


@parameters
class HHCARTClassifier(TreeClassifier):
    """HHCART: thresholds on rows reflected along the orientations of the classes.

    D. C. Wickramarachchi, B. L. Robertson, M. Reale, C. J. Price and J. Brown, *HHCART: An oblique
    decision tree*, Computational Statistics and Data Analysis 96, 2016.

    Parameters
    ----------
    variant, tau, sign, depth_of_reflection, mis_rate, covariance, clusters
        Parameters of the search, see `aslant.search.HHCART`. Categories are scored at every node,
        as in the paper: see `aslant.search.CrimCoords`.
    criterion : str, default="twoing"
        Splitting criterion.
    pruning : str, Pruner or None, default="cost_complexity"
        The paper's: a tenth of the rows is held out and the smallest tree of least error on it is
        chosen (0-SE), be it a single leaf.
    min_samples_split : int or float, default=3
        Rows a node needs to be split. The paper's MinParent is one less: 2.

    Growth, weights, categories and the fitted attributes are those of
    `ObliqueDecisionTreeClassifier`.
    """

    variant: Literal["all", "dominant"] = "all"
    tau: float = 0.05
    sign: Literal["auto", "both", "positive"] = "auto"
    depth_of_reflection: int | None = None
    mis_rate: float = 0.0
    covariance: Literal["sample", "robust"] = "sample"
    clusters: int | Literal["auto"] = 1
    criterion: str = "twoing"
    pruning: str | Pruner | None = "cost_complexity"
    min_samples_split: float = 3

    def _make_search(self) -> SplitSearch:
        return CrimCoords(HHCART.with_parameters_of(self))


@parameters
class PolePairClassifier(TreeClassifier):
    """Pole pairs: splits halfway between two training rows.

    G. E. Hinton and M. Revow, *Using Pairs of Data-Points to Define Splits for Decision Trees*,
    Advances in Neural Information Processing Systems 8, 1996.

    Parameters
    ----------
    pairs, thresholds, scale, exact_rows, poles
        Parameters of the search, see `aslant.search.PolePair`.
    criterion : str, default="gini"
        Splitting criterion.
    pruning : str, Pruner or None, default="cost_complexity"
        The paper's: ten subsidiary trees, each grown on nine tenths of the rows, estimate the error
        of each tree of the main sequence by their largest trees with no more leaves; the smallest
        tree of least error is chosen.

    Growth, weights, categories and the fitted attributes are those of
    `ObliqueDecisionTreeClassifier`.
    """

    pairs: Literal["opposite", "all"] = "opposite"
    thresholds: Literal["midpoint", "all"] = "midpoint"
    scale: Literal["training", "raw", "node"] = "training"
    exact_rows: int = 2000
    poles: int = 50
    criterion: str = "gini"
    pruning: str | Pruner | None = "cost_complexity"

    def _make_search(self) -> SplitSearch:
        return PolePair.with_parameters_of(self)

    def _make_pruner(self) -> Pruner | None:
        if self.pruning == "cost_complexity":
            return CostComplexity(cv=10, leaf_matching=True)
        return super()._make_pruner()
