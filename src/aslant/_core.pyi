"""Types of the compiled core; see src/core/bindings/."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from aslant.search.base import SplitSearch
from aslant.split import HyperplaneSplit, Split

_Floats = npt.NDArray[np.floating[Any]]
_Vector = npt.NDArray[np.float64]
_Integers = npt.NDArray[np.integer[Any]]

class Data:
    def __init__(
        self,
        X: _Floats,
        y: npt.NDArray[Any],
        n_classes: int,
        weight: _Vector | None,
        column_feature: _Integers,
        column_level: _Integers,
        whole: dict[str, Any] | None = None,
        number: _Integers | None = None,
    ) -> None: ...

class Problem:
    def __init__(
        self,
        data: Data,
        rows: _Integers | None,
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
    def hard_outcome(self, parameters: _Vector, Z: _Vector) -> tuple[_Integers, int, int]: ...
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
    key: int | None = None,
    depth: int = 0,
    total_weight: float = 0.0,
) -> dict[str, Any]: ...

LINE_BINS: int

class LineBins:
    def __init__(self, n_classes: int, centre: _Vector, edges: _Vector) -> None: ...
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
    def may_be_divided(self, depth: int, max_depth: int, min_samples_split: int) -> bool: ...
    def allows(self, child: _Vector) -> bool: ...
    def propose(
        self, search: Search, key: int, depth: int, second: bool
    ) -> tuple[list[dict[str, Any]], int]: ...
    def places(self, rows: _Integers, coef: _Vector) -> _Vector: ...
    def children(self, rows: _Integers, vectors: _Vector, offsets: _Vector) -> _Vector: ...
    def machine_score(self, parts: _Vector) -> float: ...
    def settle(self, vectors: _Vector, offsets: _Vector) -> dict[str, npt.NDArray[Any]] | None: ...

def line_edges(places: _Vector, n_bins: int) -> _Vector: ...
def gather_facts(problem: Problem, node: _Integers, n_nodes: int) -> _Vector: ...
def draw_lots(
    problem: Problem, node: _Integers, keys: _Integers, wanted: int, present: _Integers
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[np.uint64]]: ...
def lots_wanted(problem: Problem, wanted: int, present: int) -> int: ...
def own_finish(
    problem: Problem, search: Search, part: int
) -> tuple[_Vector, _Vector, float] | None: ...
def send_rows(
    problem: Problem, test: dict[str, npt.NDArray[Any]], rows: _Integers
) -> npt.NDArray[np.int32]: ...
def impurity_sum(problem: Problem, means: _Vector, rows: _Integers) -> tuple[float, float]: ...
def worth_making(
    criterion: str, score: float, share: float, decides: bool, min_impurity_decrease: float
) -> bool: ...
def squares_about(problem: Problem, means: _Vector) -> tuple[_Vector, _Vector]: ...
def deviation_of(squares: tuple[float, float], weight: tuple[float, float]) -> float: ...
def content_keys(problem: Problem) -> npt.NDArray[np.uint64]: ...
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

def grow_forest(
    data: Data,
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
