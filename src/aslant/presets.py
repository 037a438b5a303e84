"""The published systems: one thin class each, holding its paper's defaults."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

from aslant.estimators import TreeClassifier
from aslant.prune import CostComplexity, Pruner
from aslant.search import C45, CARTLC, OC1, SADT, AxisParallel, SplitSearch


def _oc1_pruner() -> Pruner:
    """Pruning of the OC1 paper: a tenth of the rows, 0-SE rule, the root split always stays."""
    return CostComplexity(validation=0.1, se_rule=0.0, keep_root=True)


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

    def __init__(
        self,
        *,
        criterion: str = "gini",
        pruning: str | Pruner | None = None,
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        class_weight: Any = None,
        ccp_alpha: float = 0.0,
        categorical_features: Any = "from_dtype",
        missing: str = "node_mean",
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int | Callable[[int, int], None] = 0,
    ) -> None:
        super().__init__(
            pruning=pruning,
            max_depth=max_depth,
            min_samples_split=min_samples_split,
            min_samples_leaf=min_samples_leaf,
            min_weight_fraction_leaf=min_weight_fraction_leaf,
            min_impurity_decrease=min_impurity_decrease,
            max_leaf_nodes=max_leaf_nodes,
            class_weight=class_weight,
            ccp_alpha=ccp_alpha,
            categorical_features=categorical_features,
            missing=missing,
            random_state=random_state,
            n_jobs=n_jobs,
            verbose=verbose,
        )
        self.criterion = criterion

    def _make_search(self) -> SplitSearch:
        return AxisParallel()


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

    def __init__(
        self,
        *,
        min_cases: float = 2,
        threshold_cost: bool = True,
        pruning: str | Pruner | None = "error_based",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        class_weight: Any = None,
        ccp_alpha: float = 0.0,
        categorical_features: Any = "from_dtype",
        missing: str = "node_mean",
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int | Callable[[int, int], None] = 0,
    ) -> None:
        super().__init__(
            pruning=pruning,
            max_depth=max_depth,
            min_samples_split=min_samples_split,
            min_samples_leaf=min_samples_leaf,
            min_weight_fraction_leaf=min_weight_fraction_leaf,
            min_impurity_decrease=min_impurity_decrease,
            max_leaf_nodes=max_leaf_nodes,
            class_weight=class_weight,
            ccp_alpha=ccp_alpha,
            categorical_features=categorical_features,
            missing=missing,
            random_state=random_state,
            n_jobs=n_jobs,
            verbose=verbose,
        )
        self.min_cases = min_cases
        self.threshold_cost = threshold_cost

    def _make_search(self) -> SplitSearch:
        return C45(
            min_cases=self.min_cases,
            threshold_cost=self.threshold_cost,
        )


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

    def __init__(
        self,
        *,
        restarts: int = 20,
        jumps: int = 5,
        order: Literal["sequential", "best", "random"] = "sequential",
        random_moves: int = 50,
        stagnation: Literal["counter", "probability"] = "counter",
        stagnation_step: float = 0.1,
        min_rows: int | None = None,
        axis_bias: float = 1.0,
        axis_start: bool = True,
        perturb_constant: bool = False,
        start: Literal["faithful", "through_point"] = "faithful",
        origin: Literal["median", "original"] = "median",
        legacy_sweep: bool = False,
        criterion: str = "twoing",
        pruning: str | Pruner | None = "cost_complexity",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        class_weight: Any = None,
        ccp_alpha: float = 0.0,
        categorical_features: Any = "from_dtype",
        missing: str = "node_mean",
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int | Callable[[int, int], None] = 0,
    ) -> None:
        super().__init__(
            pruning=pruning,
            max_depth=max_depth,
            min_samples_split=min_samples_split,
            min_samples_leaf=min_samples_leaf,
            min_weight_fraction_leaf=min_weight_fraction_leaf,
            min_impurity_decrease=min_impurity_decrease,
            max_leaf_nodes=max_leaf_nodes,
            class_weight=class_weight,
            ccp_alpha=ccp_alpha,
            categorical_features=categorical_features,
            missing=missing,
            random_state=random_state,
            n_jobs=n_jobs,
            verbose=verbose,
        )
        self.criterion = criterion
        self.restarts = restarts
        self.jumps = jumps
        self.order = order
        self.random_moves = random_moves
        self.stagnation = stagnation
        self.stagnation_step = stagnation_step
        self.min_rows = min_rows
        self.axis_bias = axis_bias
        self.axis_start = axis_start
        self.perturb_constant = perturb_constant
        self.start = start
        self.origin = origin
        self.legacy_sweep = legacy_sweep

    def _make_search(self) -> SplitSearch:
        return OC1(
            restarts=self.restarts,
            jumps=self.jumps,
            order=self.order,
            random_moves=self.random_moves,
            stagnation=self.stagnation,
            stagnation_step=self.stagnation_step,
            min_rows=self.min_rows,
            axis_bias=self.axis_bias,
            axis_start=self.axis_start,
            perturb_constant=self.perturb_constant,
            start=self.start,
            origin=self.origin,
            legacy_sweep=self.legacy_sweep,
        )

    def _make_pruner(self) -> Pruner | None:
        return _oc1_pruner() if self.pruning == "cost_complexity" else super()._make_pruner()


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

    def __init__(
        self,
        *,
        normalize: bool = False,
        gammas: Sequence[float] = (-0.25, 0.0, 0.25),
        max_cycles: int = 100,
        tolerance: float = 1e-4,
        beta: float | None = None,
        univariate: bool = True,
        criterion: str = "twoing",
        pruning: str | Pruner | None = "cost_complexity",
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        class_weight: Any = None,
        ccp_alpha: float = 0.0,
        categorical_features: Any = "from_dtype",
        missing: str = "node_mean",
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int | Callable[[int, int], None] = 0,
    ) -> None:
        super().__init__(
            pruning=pruning,
            max_depth=max_depth,
            min_samples_split=min_samples_split,
            min_samples_leaf=min_samples_leaf,
            min_weight_fraction_leaf=min_weight_fraction_leaf,
            min_impurity_decrease=min_impurity_decrease,
            max_leaf_nodes=max_leaf_nodes,
            class_weight=class_weight,
            ccp_alpha=ccp_alpha,
            categorical_features=categorical_features,
            missing=missing,
            random_state=random_state,
            n_jobs=n_jobs,
            verbose=verbose,
        )
        self.criterion = criterion
        self.normalize = normalize
        self.gammas = gammas
        self.max_cycles = max_cycles
        self.tolerance = tolerance
        self.beta = beta
        self.univariate = univariate

    def _make_search(self) -> SplitSearch:
        return CARTLC(
            normalize=self.normalize,
            gammas=self.gammas,
            max_cycles=self.max_cycles,
            tolerance=self.tolerance,
            beta=self.beta,
            univariate=self.univariate,
        )

    def _make_pruner(self) -> Pruner | None:
        return _oc1_pruner() if self.pruning == "cost_complexity" else super()._make_pruner()


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

    def __init__(
        self,
        *,
        temperature: float = 0.2,
        cooling: float = 0.999,
        patience: int = 10_000,
        move: Literal["single", "all"] = "single",
        step: float | None = None,
        criterion: str = "entropy",
        pruning: str | Pruner | None = None,
        max_depth: int | None = None,
        min_samples_split: float = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        max_leaf_nodes: int | None = None,
        class_weight: Any = None,
        ccp_alpha: float = 0.0,
        categorical_features: Any = "from_dtype",
        missing: str = "node_mean",
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int | Callable[[int, int], None] = 0,
    ) -> None:
        super().__init__(
            pruning=pruning,
            max_depth=max_depth,
            min_samples_split=min_samples_split,
            min_samples_leaf=min_samples_leaf,
            min_weight_fraction_leaf=min_weight_fraction_leaf,
            min_impurity_decrease=min_impurity_decrease,
            max_leaf_nodes=max_leaf_nodes,
            class_weight=class_weight,
            ccp_alpha=ccp_alpha,
            categorical_features=categorical_features,
            missing=missing,
            random_state=random_state,
            n_jobs=n_jobs,
            verbose=verbose,
        )
        self.criterion = criterion
        self.temperature = temperature
        self.cooling = cooling
        self.patience = patience
        self.move = move
        self.step = step

    def _make_search(self) -> SplitSearch:
        return SADT(
            temperature=self.temperature,
            cooling=self.cooling,
            patience=self.patience,
            move=self.move,
            step=self.step,
        )
