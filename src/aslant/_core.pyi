"""Types of the compiled core; see src/core/bindings/."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from aslant.search.base import HyperplaneSplit, Split, SplitSearch

_Floats = npt.NDArray[np.floating[Any]]
_Vector = npt.NDArray[np.float64]
_Integers = npt.NDArray[np.integer[Any]]

class Problem:
    def __init__(
        self,
        X: _Floats,
        y: _Integers,
        n_classes: int,
        weight: _Vector | None,
        column_feature: _Integers,
        column_level: _Integers,
        criterion: str,
        min_rows: int,
        min_weight: float,
        fill_with_training_mean: bool,
    ) -> None: ...

class Node:
    def __init__(self, problem: Problem) -> None: ...
    @property
    def X(self) -> _Vector: ...  # noqa: N802
    @property
    def y(self) -> npt.NDArray[np.int32]: ...
    @property
    def weight(self) -> _Vector: ...
    @property
    def class_weight(self) -> _Vector: ...
    @property
    def n_classes(self) -> int: ...
    @property
    def min_rows(self) -> int: ...
    @property
    def groups(self) -> list[tuple[int, int]]: ...
    def best_along(self, directions: npt.ArrayLike) -> HyperplaneSplit | None: ...
    def score(self, split: Split) -> float: ...

class Search:
    @property
    def reads_indicators(self) -> bool: ...

class AxisParallel(Search):
    def __init__(self) -> None: ...

class C45(Search):
    def __init__(self, min_cases: float, threshold_cost: bool) -> None: ...

class OC1(Search):
    def __init__(
        self,
        *,
        restarts: int,
        jumps: int,
        order: str,
        random_moves: int,
        stagnation: str,
        stagnation_step: float,
        min_rows: int,
        axis_bias: float,
        axis_start: bool,
        perturb_constant: bool,
        start: str,
        origin: str,
        legacy_sweep: bool,
    ) -> None: ...

class CARTLC(Search):
    def __init__(
        self,
        *,
        normalize: bool,
        gammas: Sequence[float],
        max_cycles: int,
        tolerance: float,
        univariate: bool,
    ) -> None: ...

class MML(Search):
    def __init__(
        self,
        *,
        strategy: str,
        max_features: int,
        features_tried: int,
        restarts: int,
        rounds: int,
        alpha: float,
        direction: str,
        position: str,
        min_saving: float,
    ) -> None: ...

class SADT(Search):
    def __init__(
        self, *, temperature: float, cooling: float, patience: int, move_all: bool, step: float
    ) -> None: ...

class Learner: ...

class LeastSquares(Learner):
    def __init__(self, *, variance: float, passes: float) -> None: ...

class Pocket(Learner):
    def __init__(
        self, *, epsilon: float, ratchet: bool, passes: float, presentations: float
    ) -> None: ...

class ThermalTraining(Learner):
    def __init__(
        self, *, epsilon: float, heat: float, rate: float, step: float, calm: float
    ) -> None: ...

class LinearMachine(Search):
    def __init__(self, *, learner: Learner, superclasses: bool) -> None: ...

class SequentialSelection(Search):
    def __init__(
        self,
        search: Search,
        *,
        method: str,
        accuracy_drop: float,
        rows_per_feature: float,
        shortlist: int,
        beta: float,
    ) -> None: ...

class Fisher(Search):
    def __init__(self, *, multiclass: str, univariate: bool, min_cases: float) -> None: ...

class FisherClimb(Search):
    def __init__(self, *, max_columns: int, cycles: int, jumps: int, price: float) -> None: ...

class QUEST(Search):
    def __init__(self, *, linear: bool, split_point: str, alpha: float) -> None: ...

class HHCART(Search):
    def __init__(
        self,
        *,
        dominant: bool,
        tau: float,
        both_signs: bool,
        depth_of_reflection: int,
        mis_rate: float,
        robust: bool,
        clusters: int,
    ) -> None: ...

class PolePair(Search):
    def __init__(
        self,
        *,
        same_class: bool,
        all_thresholds: bool,
        scale: str,
        exact_rows: int,
        poles: int,
    ) -> None: ...

class BestOf(Search):
    def __init__(self, searches: Sequence[Search]) -> None: ...

class OnSample(Search):
    def __init__(self, search: Search, rows: int) -> None: ...

class Standardize(Search):
    def __init__(self, search: Search) -> None: ...
    @property
    def search(self) -> Search: ...

class CrimCoords(Search):
    def __init__(self, search: Search) -> None: ...

class PythonSearch(Search):
    def __init__(self, search: SplitSearch) -> None: ...

class Tree:
    def __init__(self, *, n_features: int, **arrays: npt.NDArray[Any]) -> None: ...
    def apply(self, X: _Floats, start: int, n_threads: int) -> npt.NDArray[np.int32]: ...

class SoftTree:
    def __init__(
        self,
        *,
        Z: _Vector,
        y: _Integers,
        weight: _Vector,
        leaf: _Integers,
        children: _Integers,
        fill: _Vector,
        n_classes: int,
        fill_with_zero: bool,
    ) -> None: ...
    @property
    def n_parameters(self) -> int: ...
    @property
    def mean(self) -> _Vector: ...
    @property
    def scale(self) -> _Vector: ...
    @property
    def fill(self) -> _Vector: ...
    @property
    def node_weight(self) -> _Vector: ...
    def mean_distance(self, plane: _Vector) -> _Vector: ...
    def evaluate(self, parameters: _Vector, strength: float) -> tuple[float, _Vector]: ...
    def minimise(
        self,
        start: _Vector,
        *,
        strength: float,
        price: _Vector,
        fixed: npt.NDArray[np.bool_],
        max_iterations: int,
        tolerance: float,
        progress: Callable[[], None] | None,
    ) -> tuple[_Vector, float, int]: ...

class SoftPrediction:
    def __init__(
        self,
        *,
        children: _Integers,
        coef_start: _Integers,
        coef_column: _Integers,
        coef_value: _Vector,
        coef_fill: _Vector,
        threshold: _Vector,
        steepness: _Vector,
        share: _Vector,
        column_feature: _Integers,
        column_level: _Integers,
        exponent: float,
    ) -> None: ...
    def predict(self, X: _Floats, n_threads: int) -> _Vector: ...

def minimise(
    function: Callable[[_Vector], tuple[float, _Vector]],
    start: _Vector,
    price: _Vector,
    max_iterations: int,
    tolerance: float,
) -> tuple[_Vector, float, int]: ...
def grow(
    problem: Problem,
    search: Search,
    seed: int,
    n_threads: int,
    max_depth: int,
    min_samples_split: int,
    min_impurity_decrease: float,
    max_leaf_nodes: int,
    progress: Callable[[int], None] | None,
) -> tuple[dict[str, Any], int]: ...
def find_split(search: Search, node: Node, seed: int) -> Split | None: ...
def find_test(
    problem: Problem,
    search: Search,
    seed: int,
    rows: npt.NDArray[np.bool_],
    columns: npt.NDArray[np.bool_],
) -> Split | None: ...
def line_search(
    V: npt.ArrayLike,
    R: npt.ArrayLike,
    y: npt.ArrayLike,
    n_classes: int,
    criterion: str,
    weight: npt.ArrayLike | None = None,
    min_rows: int = 1,
    min_weight: float = 0.0,
    tie_tolerance: float = 0.0,
    unsigned_sweep: bool = False,
) -> tuple[float, float] | None: ...
def best_threshold(
    u: npt.ArrayLike,
    y: npt.ArrayLike,
    n_classes: int,
    criterion: str,
    weight: npt.ArrayLike | None = None,
    min_rows: int = 1,
    min_weight: float = 0.0,
    tie_tolerance: float = 0.0,
) -> tuple[float, float] | None: ...
def score(child0: npt.ArrayLike, child1: npt.ArrayLike, criterion: str) -> float: ...
def log_f_tail(f: float, freedom1: float, freedom2: float) -> float: ...
def log_chi_square_tail(x: float, freedom: float) -> float: ...
def impurity(class_weights: npt.ArrayLike, criterion: str) -> float: ...
