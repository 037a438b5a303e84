"""Types of the compiled core; see src/core/bindings/."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from aslant.search.base import SplitSearch
from aslant.tree.split import HyperplaneSplit, Split

_Floats = npt.NDArray[np.floating[Any]]
_Vector = npt.NDArray[np.float64]
_Integers = npt.NDArray[np.integer[Any]]
_Test = dict[str, npt.NDArray[Any]]

class Features:
    def __init__(
        self,
        X: _Floats,
        column_feature: _Integers,
        column_level: _Integers,
        known: dict[str, Any] | None = None,
        number: _Integers | None = None,
    ) -> None: ...

class Target:
    def __init__(
        self,
        y: npt.NDArray[Any],
        n_classes: int,
        weight: _Vector | None = None,
        known: dict[str, Any] | None = None,
    ) -> None: ...

class Problem:
    def __init__(
        self,
        features: Features,
        target: Target,
        rows: _Integers | None,
        criterion: str | Callable[..., float],
        min_rows: int,
        min_weight: float,
        fill_with_training_mean: bool,
    ) -> None: ...

class Node:
    def __init__(self, problem: Problem) -> None: ...
    @property
    def X(self) -> _Vector: ...  # noqa: N802
    @property
    def y(self) -> npt.NDArray[Any]: ...
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

class Search: ...
class Learner: ...

def search(name: str, **options: Any) -> Search: ...
def learner(name: str, **options: Any) -> Learner: ...
def python_search(search: SplitSearch) -> Search: ...

class Tree:
    def __init__(self, *, n_features: int, **arrays: npt.NDArray[Any]) -> None: ...
    def apply(self, X: _Floats, start: int, n_threads: int) -> npt.NDArray[np.int32]: ...

class SoftTree:
    def __init__(
        self,
        *,
        Z: _Vector,
        y: _Integers | _Vector,
        weight: _Vector,
        leaf: _Integers,
        children: _Integers,
        fill: _Vector,
        n_classes: int,
        linear_leaves: bool = False,
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
    def evaluate(self, parameters: _Vector, l2: float) -> tuple[float, _Vector]: ...
    def minimise(
        self,
        start: _Vector,
        *,
        l2: float,
        l1: _Vector,
        sign: _Integers,
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
    def reach(self, X: _Floats, n_threads: int) -> _Vector: ...

def leaf_shares(
    reach: _Vector, y: _Integers, weight: _Vector, start: _Vector, iterations: int
) -> _Vector: ...
def minimise(
    function: Callable[[_Vector], tuple[float, _Vector]],
    start: _Vector,
    l1: _Vector,
    max_iterations: int,
    tolerance: float,
    sign: Sequence[int] = (),
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
    key: int | None = None,
    depth: int = 0,
    total_weight: float = 0.0,
) -> dict[str, Any]: ...
def collapse_alphas(children: _Integers, risk: _Vector, keep_root: bool, tie: float) -> _Vector: ...
def least_above(children: _Integers, value: npt.NDArray[Any], at_root: float) -> _Vector: ...
def ordered_values(
    children: _Integers, order: _Integers, value: _Vector, weight: _Vector
) -> _Vector: ...

LINE_BINS: int

class LineBins:
    def __init__(
        self, n_classes: int, centre: _Vector, edges: _Vector, exact: bool = False
    ) -> None: ...
    def add(self, problem: Problem, rows: _Integers, places: _Vector) -> None: ...
    def add_numbers(self, numbers: _Vector) -> None: ...
    def numbers(self) -> _Vector: ...
    def candidates(self, criterion: str, limits: tuple[int, float]) -> npt.NDArray[np.uint8]: ...
    def wanted_rows(
        self, candidates: npt.NDArray[np.uint8], places: _Vector
    ) -> npt.NDArray[np.int64]: ...
    def best(
        self,
        criterion: str,
        limits: tuple[int, float],
        candidates: npt.NDArray[np.uint8],
        places: _Vector,
        number: _Integers,
        y: npt.NDArray[Any],
        weight: _Vector | None,
        n_classes: int,
    ) -> tuple[float, float, int] | None: ...

class Piece:
    def __init__(self, problem: Problem, facts: _Vector) -> None: ...
    @property
    def rows(self) -> int: ...
    @property
    def statistics(self) -> _Vector: ...
    @property
    def centre(self) -> _Vector: ...
    def mean(self, column: int) -> float: ...
    def may_split(self, depth: int, max_depth: int, min_samples_split: int) -> bool: ...
    def allows(self, child: _Vector) -> bool: ...
    def propose(
        self, search: Search, key: int, depth: int, second: bool
    ) -> tuple[list[dict[str, Any]], int]: ...
    def places(self, rows: _Integers, test: _Test) -> _Vector: ...
    def children(self, rows: _Integers, test: _Test) -> _Vector: ...
    def machine_score(self, parts: _Vector) -> float: ...
    def completed(self, test: _Test) -> _Test | None: ...

def line_edges(places: _Vector, n_bins: int) -> _Vector: ...
def gather_facts(problem: Problem, node: _Integers, n_nodes: int) -> _Vector: ...
def draw_samples(
    problem: Problem, node: _Integers, keys: _Integers, wanted: int, present: _Integers
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[np.uint64]]: ...
def sample_size(problem: Problem, wanted: int, present: int) -> int: ...
def own_finish(problem: Problem, search: Search, part: int) -> tuple[_Test, float] | None: ...
def send_rows(problem: Problem, test: _Test, rows: _Integers) -> npt.NDArray[np.int32]: ...
def impurity_sum(problem: Problem, means: _Vector, rows: _Integers) -> tuple[float, float]: ...
def accepts_split(
    criterion: str, score: float, share: float, decides: bool, min_impurity_decrease: float
) -> bool: ...
def squares_about(problem: Problem, means: _Vector) -> tuple[_Vector, _Vector]: ...
def deviation_of(squares: tuple[float, float], weight: tuple[float, float]) -> float: ...
def content_keys(features: Features) -> npt.NDArray[np.uint64]: ...
def reads_sparse(search: Search) -> bool: ...
def search_decides(search: Search) -> bool: ...
def finishes_on_lines(search: Search) -> bool: ...
def root_key(seed: int) -> int: ...
def child_key(key: int, child: int) -> int: ...

class Forest:
    def __init__(self, n_features: int, width: int) -> None: ...
    def add(self, **arrays: npt.NDArray[Any]) -> None: ...
    def predict(self, X: _Floats, n_threads: int) -> _Vector: ...
    def predict_out_of_bag(
        self, X: _Floats, seeds: list[int], n_drawn: int, n_threads: int
    ) -> tuple[_Vector, npt.NDArray[np.int32]]: ...
    def apply(self, X: _Floats, n_threads: int) -> npt.NDArray[np.int32]: ...

class BinnedFeatures:
    def __init__(
        self,
        X: _Floats,
        column_feature: npt.NDArray[np.int32],
        column_level: npt.NDArray[np.int32],
        weight: _Vector | None,
        max_bins: int,
        seed: int,
        n_threads: int,
    ) -> None: ...
    @property
    def bins(self) -> npt.NDArray[np.uint8]: ...
    @property
    def n_features(self) -> int: ...
    def feature(self, number: int) -> dict[str, Any]: ...

class BoostingLoss:
    def __init__(
        self, name: str, quantile: float, n_outputs: int, y: _Vector, weight: _Vector | None
    ) -> None: ...
    def baseline(self) -> list[float]: ...
    def mean(self, raw: _Vector, n_threads: int) -> float: ...
    def derivatives(self, raw: _Vector) -> tuple[_Vector, _Vector]: ...

class Boosting:
    def __init__(
        self,
        *,
        binned: BinnedFeatures,
        loss: BoostingLoss,
        raw: _Vector,
        learning_rate: float,
        max_leaf_nodes: int,
        max_depth: int,
        min_samples_leaf: int,
        l2_regularization: float,
        max_features: float,
        monotonic: list[int],
        interaction_groups: list[list[int]],
        n_drawn: int,
        max_features_per_test: int,
        oblique_min_rows: int,
    ) -> None: ...
    def grow(self, key: int, n_threads: int) -> list[dict[str, Any]]: ...
    def mean_loss(self, n_threads: int) -> float: ...
    @property
    def raw(self) -> _Vector: ...
    @property
    def n_directions(self) -> int: ...

def grow_forest(
    problem: Problem,
    search: Search,
    seeds: list[int],
    n_drawn: int,
    balanced: bool,
    n_threads: int,
    max_depth: int,
    min_samples_split: int,
    min_impurity_decrease: float,
    max_leaf_nodes: int,
    progress: Callable[[int], None] | None,
) -> tuple[list[dict[str, Any]], int]: ...
def drawn_rows(seed: int, n_rows: int, n_drawn: int) -> npt.NDArray[np.int32]: ...
def find_split(search: Search, node: Node, seed: int) -> Split | None: ...
def find_test(
    problem: Problem,
    search: Search,
    seed: int,
    rows: _Integers,
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
    few_rows: bool = False,
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
def criteria() -> list[tuple[str, str]]: ...
def impurity(class_weights: npt.ArrayLike, criterion: str) -> float: ...
