"""Fitting an estimator of one tree to partitions: what `DaskTree` does, without Dask."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, clone, is_regressor

from aslant import _core
from aslant.dask import part as parts
from aslant.dask import survey
from aslant.dask.levels import LevelwiseGrowth
from aslant.dask.part import Array, FitPlan, Floats, Part
from aslant.dask.pruning import check_pruner, held_out, prune
from aslant.dask.sums import total_of
from aslant.dask.tasks import Settings
from aslant.dask.workers import Handle, Workers
from aslant.encoding.missing_indicators import informative_counts
from aslant.encoding.target_encoding import shares_of
from aslant.encoding.weights import WeightScale, check_total_weight, class_factors
from aslant.estimators import SingleTree, TreeEstimator
from aslant.estimators.access import draw_seed, encoding_options, set_tree, settings_of
from aslant.estimators.constraints import CONSTRAINTS, refuse_constraints
from aslant.estimators.published import MMLTreeClassifier
from aslant.estimators.regressor import SIDES_OF_MEAN, check_poisson
from aslant.growth import StoppingRules, with_impurities
from aslant.growth.importances import impurity_risk
from aslant.prune.sequence import prune_by_alpha
from aslant.search import HHCART, MML, PolePair, SplitSearch
from aslant.tree.regression_tree import RegressionTree
from aslant.tree.tree import Tree

#: Why partitions take no constraints.
_NO_CONSTRAINTS = "with partitions a test is finished from sums, which know nothing of constraints"


def check_constraints(estimator: Any) -> None:
    """Validate that an estimator has no constraints, which partitions cannot keep."""
    refuse_constraints(estimator, _NO_CONSTRAINTS, (*CONSTRAINTS, "max_features_per_test"))


def check_estimator(estimator: Any) -> None:
    """Validate that an estimator can be fitted to partitions; nothing is computed."""
    if not (isinstance(estimator, SingleTree) and isinstance(estimator, TreeEstimator)):
        raise TypeError(
            "estimator must be an estimator of one tree, such as HHCARTClassifier(), got "
            f"{type(estimator).__name__}."
        )
    if isinstance(estimator, MMLTreeClassifier):
        raise ValueError(
            "MMLTreeClassifier compares the messages of several trees, which needs all rows at "
            "once: with partitions use ObliqueDecisionTreeClassifier('mml')."
        )
    check_constraints(estimator)
    settings = settings_of(estimator)
    if settings.search_finish != "threshold":
        raise ValueError(
            "search_finish='coefficients' takes a pass over all rows for each coefficient: with "
            "partitions use 'threshold'."
        )
    if settings.refinement is not None:
        raise ValueError("refine fits a tree to all rows at once: with partitions use refine=None.")
    if settings.linear_leaves:
        raise ValueError("leaf='linear' fits leaves to rows: with partitions use leaf='mean'.")
    settings.search.core()
    for one in _searches_in(settings.search):
        if isinstance(one, HHCART) and one.depth_of_reflection is not None:
            raise ValueError(
                "depth_of_reflection hands the reflected space of a node down to its children, "
                "which partitions do not keep: use depth_of_reflection=None."
            )
    if not isinstance(settings.criterion, str):
        raise ValueError(
            "a custom criterion works on one machine only: with partitions use a name, such as "
            "'gini'."
        )
    encoding_options(estimator).check()
    if settings.pruner is not None:
        check_pruner(settings.pruner, estimator)


def _searches_in(search: SplitSearch) -> list[SplitSearch]:
    """Return a search and all searches inside it."""
    found: list[SplitSearch] = [search]
    values = search.get_params(deep=False).values() if isinstance(search, BaseEstimator) else []
    for value in values:
        for one in value if isinstance(value, list | tuple) else [value]:
            if isinstance(one, SplitSearch):
                found += _searches_in(one)
    return found


class Fit(ABC):
    """Base of fitting a tree or a forest to partitions.

    Parameters
    ----------
    estimator : estimator
        The estimator, which is not changed.
    workers : Workers
        The holders of the partitions.
    """

    def __init__(self, estimator: Any, workers: Workers) -> None:
        # The progress callback stays here: it may not be picklable.
        self._given = estimator
        settings = estimator.get_params(deep=False) | {"verbose": 0}
        self._estimator: Any = clone(type(estimator)(**settings))
        self._workers = workers
        self._is_regressor = is_regressor(estimator)

    def _report(self, total: int) -> Callable[[int], None] | None:
        """Return what is told how much is done, if the caller wants to know."""
        progress = settings_of(self._given).progress
        return None if progress is None else lambda done: progress(done, total)

    @abstractmethod
    def _fit(self, rows: list[Handle], encoding: survey.Encoding, seed: int) -> Any:
        """Return the estimator fitted to encoded rows."""

    def run(self, blocks: list[Handle], meta: Any) -> Any:
        """Return the fitted estimator; `meta` is an empty frame or matrix like the blocks' X."""
        estimator, workers = self._estimator, self._workers
        categories = survey.columns_to_count(meta, estimator)
        look = self._first_look(blocks, meta, categories)
        n_rows = sum(look.rows)
        if n_rows == 0:
            raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required.")
        estimator.encoder_ = survey.encoder_of(estimator, meta, look, categories)
        encoding = self._encoding(blocks, look)
        firsts = np.cumsum([0, *look.rows[:-1]]).tolist()
        rows, encoding = self._encoded(blocks, firsts, encoding, n_rows)
        workers.expect(n_rows * (8 * len(estimator.encoder_.source) + 24))
        rows = workers.kept(rows, always=False)
        fitted = self._fit(rows, encoding, draw_seed(estimator))
        fitted.verbose = self._given.verbose
        return fitted

    # ------------------------------------------------------------------ preparing

    def _one(self, values: list[Handle], merge: Callable[..., Any], **common: Any) -> Any:
        """Merge results of partitions and bring them here."""
        return self._workers.results([self._workers.reduced(values, merge, **common)])[0]

    def _first_look(
        self, blocks: list[Handle], meta: Any, categories: dict[int, str]
    ) -> survey.FirstLook:
        looks = self._workers.each(
            survey.first_look,
            blocks,
            categories=categories,
            classes=not self._is_regressor,
            meta=meta,
        )
        found: survey.FirstLook = self._one(looks, survey.merged_looks)
        return found

    def _encoding(self, blocks: list[Handle], look: survey.FirstLook) -> survey.Encoding:
        """Return how targets and weights are encoded."""
        estimator = self._estimator
        check_total_weight("sample_weight", total_of(look.sums))
        cases = look.all_whole and total_of(look.sums) <= 2.0**53
        classes, factors, largest = None, None, max(look.most.values())
        class_weight = getattr(estimator, "class_weight", None)
        if self._is_regressor:
            numbers = np.array([look.lowest]).ravel()
            if estimator.criterion == "poisson":
                check_poisson(
                    np.append(numbers, look.largest)
                    if len(numbers) == 1
                    else np.zeros((1, len(numbers)))
                )
            estimator.n_outputs_ = len(numbers)
        else:
            classes = np.array(sorted(look.labels))
            estimator.classes_, estimator.n_classes_ = classes, len(classes)
            if class_weight is not None:
                counts = np.array([look.labels[label] for label in classes.tolist()])
                factors = class_factors(class_weight, classes, counts)
                most = np.array([look.most[label] for label in classes.tolist()])
                largest = float((most * factors).max())
                check_total_weight("class_weight", largest)
        encoding = survey.Encoding(estimator, classes, 0, factors)
        if not self._is_regressor and cases and factors is None:
            return encoding
        scale = int(np.frexp(look.largest)[1]) if look.largest > 0.0 else 0
        seconds = self._workers.each(
            survey.second_look,
            blocks,
            encoding=encoding,
            largest=largest,
            scale=scale,
            lowest=look.lowest,
        )
        second: survey.SecondLook = self._one(seconds, survey.merged_second)
        if self._is_regressor:
            encoding = replace(encoding, exponent=_exponent(second, look.largest, scale))
            (_, pair), share = second.numbers, total_of(second.scaled)
            self._mean = float(np.ldexp((pair[0] + pair[1]) / share, scale - encoding.exponent))
        if cases and factors is None:
            return encoding
        total = total_of(second.kept) if cases and factors is not None else second.weighing
        return replace(encoding, scale=WeightScale(largest, total / total_of(second.scaled)))

    def _encoded(
        self, blocks: list[Handle], firsts: list[int], encoding: survey.Encoding, n_rows: int
    ) -> tuple[list[Handle], survey.Encoding]:
        """Return the encoded rows with what the encoder learns from the target."""
        rows = self._workers.each(survey.encode, blocks, firsts, encoding=encoding)
        learned = self._learn_missing_indicators(rows, encoding, n_rows)
        if self._estimator.encoder_.target_encoded:
            encoding, learned = self._learn_target_encodings(rows, encoding), True
        if learned:
            rows = self._workers.each(survey.encode, blocks, firsts, encoding=encoding)
        return rows, encoding

    def _by_target(self) -> dict[str, Any]:
        """Return the classes that the encoder learns from; of numbers, the sides of the mean."""
        if self._is_regressor:
            return {"n_classes": 2, "above": self._mean}
        return {"n_classes": self._estimator.n_classes_, "above": None}

    def _learn_target_encodings(
        self, rows: list[Handle], encoding: survey.Encoding
    ) -> survey.Encoding:
        encoder = self._estimator.encoder_
        counted = self._workers.each(
            survey.target_counts, rows, columns=encoder.target_encoded, **self._by_target()
        )
        counts = self._one(counted, survey.summed_by_column)
        names = SIDES_OF_MEAN if self._is_regressor else map(str, encoding.classes.tolist())  # type: ignore[union-attr]
        encoder.add_target_encodings(
            {j: shares_of(own.sum(axis=0)) for j, own in counts.items()}, list(names)
        )
        without = {
            j: [shares_of(own.sum(axis=0) - in_fold) for in_fold in own]
            for j, own in counts.items()
        }
        return replace(encoding, out_of_fold=without)

    def _learn_missing_indicators(
        self, rows: list[Handle], encoding: survey.Encoding, n_rows: int
    ) -> bool:
        """Add indicators where missingness is informative; return whether there are any."""
        encoder = self._estimator.encoder_
        incomplete = encoder.incomplete_columns()
        if encoding_options(self._estimator).indicator != "informative" or not incomplete:
            return False
        counted = self._workers.each(
            survey.missing_by_class, rows, columns=incomplete, **self._by_target()
        )
        counts = self._one(counted, survey.summed)
        if encoding.scale is not None:
            counts = counts * (n_rows / counts[0].sum())
        found = informative_counts(counts[1:], counts[0])
        encoder.add_missing_indicators(np.array(incomplete)[found].tolist())
        return bool(found.any())

    def _surveyed(self, rows: list[Handle]) -> tuple[survey.Survey, dict[str, Any]]:
        """Return the merged survey of all partitions, and the facts that the core needs."""
        n_classes = 0 if self._is_regressor else self._estimator.n_classes_
        found: survey.Survey = self._one(
            self._workers.each(
                survey.survey,
                rows,
                columns=self._estimator.encoder_.columns(),
                n_classes=n_classes,
                distinct=False,
            ),
            survey.merged_surveys,
        )
        self._estimator.n_samples_fit_ = found.rows
        self._estimator.column_spread_ = survey.column_deviations(found.spread)
        return found, self._known(rows, found, n_classes)

    def _known(self, rows: list[Handle], found: survey.Survey, n_classes: int) -> dict[str, Any]:
        """Return facts about all rows: see ``known`` of the core's ``Features`` and ``Target``."""
        unit = np.zeros(0)
        countable = n_classes > 0
        if n_classes and not found.ones:
            unit = np.where(found.whole, 1.0, found.smallest_weight)
            unit[~np.isfinite(unit)] = 1.0
            countable = self._one(
                self._workers.each(survey.are_countable, rows, unit=unit), survey.both
            )
        exponent = np.zeros(len(found.largest), dtype=np.int32)
        positive = found.largest > 0.0
        exponent[positive] = np.frexp(found.largest[positive])[1] - 1
        n_columns = len(self._estimator.encoder_.columns()[0])
        return {
            "has_missing": found.missing,
            "has_extreme": found.extreme,
            "exponent": exponent,
            "weighted": not found.ones,
            "countable": countable,
            "unit": unit if countable else np.zeros(0),
            "training_mean": np.zeros(n_columns),
            "deviation": np.zeros(n_columns),
            "distinct_rows": 0,
            "cases": 0.0,
        }


class TreeFit(Fit):
    """The fit of one tree.

    Parameters
    ----------
    estimator : SingleTree
        The estimator, which is not changed.
    workers : Workers
        The holders of the partitions.
    local_rows, bins : int
        Nodes with no more rows are grown by one worker; bins along a line.

    Attributes
    ----------
    passes : list of int
        See `LevelwiseGrowth`.
    """

    def __init__(self, estimator: SingleTree, workers: Workers, local_rows: int, bins: int) -> None:
        super().__init__(estimator, workers)
        self._local_rows, self._bins = local_rows, bins
        self.passes: list[int] = []

    def _fit(self, rows: list[Handle], encoding: survey.Encoding, seed: int) -> Any:
        estimator = self._estimator
        growth_settings = settings_of(estimator)
        search = growth_settings.search
        distinct = any(isinstance(one, PolePair) for one in _searches_in(search))
        n_classes = 0 if self._is_regressor else estimator.n_classes_
        columns = estimator.encoder_.columns()
        _, whole = self._surveyed(rows)
        if self._is_regressor:
            growth_settings = growth_settings.for_targets_divided(encoding.exponent)
        pruner = growth_settings.pruner
        held: list[Handle] | None = None
        if pruner is not None and pruner.held_out > 0.0:
            held = held_out(self._workers, rows, n_classes, pruner.held_out, seed)
            if held is None:
                pruner = None
        plan = FitPlan(
            columns,
            n_classes,
            estimator.n_outputs_ if self._is_regressor else 0,
            str(growth_settings.criterion),
            1,
            0.0,
            growth_settings.fill_with_training_mean,
            whole,
        )
        start = self._workers.kept(self._workers.each(_start, rows, *([held] if held else [])))
        plan, n_training = self._trained(rows, start, plan, growth_settings.stopping, distinct)
        search_rows = estimator.search_rows or self._local_rows
        if n_training > self._local_rows and not _core.finishes_on_lines(search.core()):
            name = next(one for one in _searches_in(search) if isinstance(one, MML))
            raise ValueError(
                f"{type(name).__name__} needs the distinct values of all features at the "
                f"node, which are not sums over partitions: use another search, or local_rows "
                f"of at least the {n_training} rows."
            )
        settings = Settings(
            plan,
            search,
            max(2, min(int(search_rows), n_training)),
            self._local_rows,
            self._bins,
            seed,
            growth_settings.stopping.for_rows(n_training),
        )
        growth = LevelwiseGrowth(self._workers, rows, start, settings, self._report(n_training))
        arrays = growth.run()
        self.passes = growth.passes
        tree = self._adopted(arrays, rows, start)
        if pruner is not None:
            pruned = prune(self._workers, pruner, tree, rows, held, seed)
            tree = with_impurities(pruned, growth_settings.criterion)
        if growth_settings.ccp_alpha > 0.0:
            tree = prune_by_alpha(tree, impurity_risk(tree), growth_settings.ccp_alpha)
        if isinstance(tree, RegressionTree):
            tree = tree.in_units(encoding.exponent, growth_settings.impurity_power)
        set_tree(estimator, tree, growth.hyperplanes)
        estimator.search_rows = int(search_rows)
        return estimator

    def _trained(
        self,
        rows: list[Handle],
        start: list[Handle],
        plan: FitPlan,
        stopping: StoppingRules,
        distinct: bool,
    ) -> tuple[FitPlan, int]:
        """Return the plan with what the rows to grow on tell, and their number."""
        nothing = parts.Wanted(
            np.zeros(1, dtype=np.uint64), np.zeros(1, dtype=bool), 1, np.array([-1], dtype=np.int32)
        )
        gathered = self._one(
            self._workers.each(parts.gather, rows, start, n_nodes=1, wanted=nothing, plan=plan),
            parts.merged_gathered,
            wanted=nothing,
            plan=plan,
        )
        piece = _core.Piece(plan.without_rows(), gathered.facts[0])
        means = np.array([piece.mean(j) for j in range(len(plan.columns[0]))])
        whole = plan.whole | {"training_mean": means}
        if distinct:
            whole |= self._spread(rows, start, replace(plan, whole=whole), means)
        n_rows = piece.rows
        statistics = piece.statistics
        weight = float(statistics.sum() if plan.n_classes else statistics[0])
        plan = replace(
            plan,
            whole=whole | {"cases": max(weight, float(n_rows))},
            min_rows=stopping.min_leaf(n_rows),
            min_weight=stopping.min_weight_fraction_leaf * weight,
        )
        return plan, n_rows

    def _spread(
        self, rows: list[Handle], start: list[Handle], plan: FitPlan, means: Floats
    ) -> dict[str, Any]:
        training = self._workers.each(_training, rows, start)
        found: survey.Survey = self._one(
            self._workers.each(
                survey.survey,
                training,
                columns=plan.columns,
                n_classes=plan.n_classes,
                distinct=True,
            ),
            survey.merged_surveys,
        )
        squares, weight = self._one(
            self._workers.each(survey.squares, training, means=means, plan=plan),
            survey.merged_squares,
        )
        deviation = [
            _core.deviation_of(tuple(a), tuple(b)) for a, b in zip(squares, weight, strict=True)
        ]
        return {"deviation": np.array(deviation), "distinct_rows": len(found.keys)}

    def _adopted(self, arrays: dict[str, Any], rows: list[Handle], start: list[Handle]) -> Tree:
        if not self._is_regressor:
            return Tree.adopt(**arrays)
        tree = RegressionTree.from_statistics(arrays)
        if self._estimator.criterion != "poisson":
            return tree
        lost = self._one(self._workers.each(_losses, rows, start, tree=tree), survey.summed)
        error = lost[:, 1] / tree.node_weight
        return RegressionTree.adopt(n_features=tree.n_features, **tree.arrays() | {"error": error})


def _exponent(second: survey.SecondLook, largest: float, scale: int) -> int:
    """Return the power of two that brings the spread of the targets near 1."""
    if largest == 0.0:
        return 0
    n, total, squares = second.numbers[0]
    spread = float(np.sqrt(np.maximum(squares / n - (total / n) ** 2, 0.0)).max())
    return int(scale + (np.frexp(spread)[1] if spread > 1e-12 else 0))


def _start(part: Part, held: Array | None = None) -> Array:
    """Return the first node of every row: the root, or none for a row that is held out."""
    node = np.zeros(len(part), dtype=np.int16)
    if held is not None:
        node[held] = -1
    return node


def _training(part: Part, node: Array) -> Part:
    return part.take(np.flatnonzero(node >= 0))


def _losses(part: Part, node: Array, tree: RegressionTree) -> Floats:
    rows = _training(part, node)
    if len(rows) == 0:
        return np.zeros((tree.n_nodes, 3))
    return tree.losses(rows.X, rows.y, rows.weight)
