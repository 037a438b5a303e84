"""What once killed the interpreter, lost an error or broke a search's own rules."""

from __future__ import annotations

import os
import sys
import textwrap
import threading
from typing import Any

import numpy as np
import pytest
from processes import run_program
from zoo import RandomDirections

from aslant import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    FisherTreeClassifier,
    HHCARTClassifier,
    ObliqueDecisionTreeClassifier,
    ObliqueRandomForestClassifier,
    ObliqueRandomForestRegressor,
    OC1Classifier,
    QUESTClassifier,
)
from aslant.search import (
    HHCART,
    MML,
    OC1,
    AxisParallel,
    BestOf,
    CrimCoords,
    SequentialSelection,
    SplitSearch,
    Standardize,
)
from aslant.tree.tree import Tree


def with_category(n: int = 300, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(size=(n, 3)), rng.integers(0, 4, n)])
    y = (X[:, 0] + X[:, 1] > 0.0) ^ (X[:, 3] == 2)
    return X, y.astype(int)


# ------------------------------------------------------------------ what a split leaves below


ROOT_ONLY = HHCART(depth_of_reflection=0)


@pytest.mark.parametrize(
    "search",
    [
        BestOf([ROOT_ONLY, CrimCoords(ROOT_ONLY)]),
        BestOf([CrimCoords(ROOT_ONLY), Standardize(ROOT_ONLY), OC1(restarts=2)]),
        SequentialSelection(ROOT_ONLY, method="dsbe"),
        SequentialSelection(CrimCoords(ROOT_ONLY)),
    ],
    ids=["best_of", "best_of_three", "dsbe", "sbe"],
)
def test_a_legacy_reaches_only_the_search_that_left_it(search: SplitSearch) -> None:
    X, y = with_category()
    tree = ObliqueDecisionTreeClassifier(
        search, categorical_features=[3], max_depth=4, random_state=0
    ).fit(X, y)
    assert tree.score(X, y) > 0.6


@pytest.mark.parametrize("wrapper", [CrimCoords, Standardize])
def test_nodes_below_keep_the_space_of_the_root(wrapper: type[SplitSearch]) -> None:
    """With reflection at the root only, all oblique tests are axes of one reflected space."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(600, 3)) @ np.array([[3.0, 1.0, 0.5], [0.0, 1.0, 0.3], [0.0, 0.0, 1.0]])
    y = (X @ [1.0, -2.7, 0.4] > 0) ^ (rng.random(600) < 0.15)
    category = np.where(rng.random(600) < 0.6, 2.0, y)
    tree = ObliqueDecisionTreeClassifier(
        wrapper(ROOT_ONLY), categorical_features=[3], max_depth=5, random_state=0
    ).fit(np.column_stack([X, category]), y)
    rows = tree.tree_.column_coef.toarray()[~tree.tree_.is_leaf]
    assert np.count_nonzero(rows[0]) > 1
    directions = {tuple(np.round(row / np.abs(row).max(), 6)) for row in rows}
    assert len(rows) > 6
    assert len(directions) <= {CrimCoords: 4, Standardize: 6}[wrapper]


# ------------------------------------------------------------------ the cause of a stop


class ReportError(Exception):
    """Of the caller's own."""


def test_an_exception_of_the_callback_arrives_as_it_is() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(6000, 8)), rng.integers(0, 2, 6000)

    def report(done: int, n_rows: int) -> None:
        raise ReportError

    for _ in range(10):
        with pytest.raises(ReportError):
            OC1Classifier(restarts=4, n_jobs=4, verbose=report, random_state=0).fit(X, y)


def test_an_exception_of_the_callback_arrives_when_all_else_ends_well() -> None:
    """It is raised while the caller only waits for another thread, which then does its work."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(6000, 4)), rng.integers(0, 2, 6000)
    begun, raised = threading.Event(), threading.Event()

    class Waiting(SplitSearch):
        def find(self, node: Any, rng: Any) -> Any:
            if len(node.y) == len(y):
                return node.best_along(np.eye(node.X.shape[1]))
            if threading.current_thread() is threading.main_thread():
                assert begun.wait(120.0)
            else:
                begun.set()
                assert raised.wait(120.0)
            return None

    def report(done: int, n_rows: int) -> None:
        if begun.is_set():
            raised.set()
            raise ReportError

    with pytest.raises(ReportError):
        ObliqueDecisionTreeClassifier(Waiting(), n_jobs=2, verbose=report).fit(X, y)
    assert raised.is_set()


def test_an_exception_of_a_search_arrives_as_it_is() -> None:
    class Failing(SplitSearch):
        def find(self, node: Any, rng: Any) -> None:
            if len(node.y) < 900:
                raise ZeroDivisionError("of the search")
            return node.best_along(np.eye(node.X.shape[1]))

    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(3000, 4)), rng.integers(0, 2, 3000)
    for _ in range(10):
        with pytest.raises(ZeroDivisionError, match="of the search"):
            ObliqueDecisionTreeClassifier(Failing(), n_jobs=4).fit(X, y)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_ctrl_c_arrives_as_keyboard_interrupt_with_several_threads() -> None:
    program = """
    import os, signal, sys, threading, time
    import numpy as np
    from aslant import OC1Classifier

    signal.signal(signal.SIGINT, signal.default_int_handler)
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20000, 10)), rng.integers(0, 2, 20000)
    for i in range(6):
        try:
            threading.Timer(0.2 + 0.02 * i, os.kill, (os.getpid(), signal.SIGINT)).start()
            OC1Classifier(n_jobs=4, random_state=i).fit(X, y)
        except KeyboardInterrupt:
            print("interrupted")
    """
    done = run_program(program)
    assert done.stdout.split() == ["interrupted"] * 6, done.stderr


# ------------------------------------------------------------------ searching on a sample


@pytest.mark.parametrize("classifier", [C45Classifier, FisherTreeClassifier])
def test_a_sample_does_not_void_the_least_number_of_cases(classifier: type) -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(4000, 3))
    y = (X[:, 0] + 2.5 * rng.normal(size=4000) > 0).astype(int)
    X[:2], y[:2] = 1000.0, 0
    settings = {"min_samples_branch": 50, "pruning": None, "random_state": 0}
    tree = classifier(search_rows=300, **settings).fit(X, y).tree_
    assert tree.n_leaves > 1
    assert tree.n_node_samples.min() >= 50


def test_c45_keeps_its_gain_rule_on_a_sample() -> None:
    """A test on all rows must gain more than its threshold costs, whatever the sample thought."""
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(5000, 30)), rng.integers(0, 2, 5000)
    settings = {"pruning": None, "max_depth": 1}
    assert C45Classifier(**settings).fit(X, y).get_n_leaves() == 1
    for seed in range(5):
        sampled = C45Classifier(search_rows=40, random_state=seed, **settings).fit(X, y)
        assert sampled.get_n_leaves() == 1


@pytest.mark.parametrize("seed", range(4))
def test_a_sampled_root_is_priced_as_a_root(seed: int) -> None:
    """The root of d features is a leaf with probability 1/d, any other node with 1/2.

    So with twelve features a test there saves log2(11) = 3.5 bits more than at another node.
    """
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(300, 12))
    y = (rng.random(300) < 0.5 + 0.3 * np.sign(X[:, 0])).astype(int)

    def is_split(least: float, search_rows: int | None) -> bool:
        search = MML(min_saving=least, max_features_per_test=1)
        tree = ObliqueDecisionTreeClassifier(search, search_rows=search_rows, max_depth=1)
        return tree.set_params(random_state=0).fit(X, y).get_n_leaves() == 2

    low, high = 0.0, 300.0  # the saving, by halving
    while high - low > 0.1:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if is_split(middle, None) else (low, middle)
    assert low > 10.0
    assert is_split(low - 1.5, 299)
    assert not is_split(high + 1.5, 299)


@pytest.mark.parametrize(
    "classifier",
    [CARTClassifier, C45Classifier, HHCARTClassifier, FisherTreeClassifier, QUESTClassifier],
)
def test_a_sample_of_one_category(classifier: type) -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 5, (100, 1)).astype(float)
    y = (X[:, 0] > 2).astype(int)
    tree = classifier(search_rows=10, categorical_features=[0], random_state=0).fit(X, y)
    assert tree.score(X, y) > 0.8


def test_a_sample_with_a_category_finds_what_all_rows_show() -> None:
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.integers(0, 4, 2000), rng.normal(size=2000)])
    y = np.isin(X[:, 0], [1, 3]).astype(int)
    tree = CARTClassifier(search_rows=50, categorical_features=[0], random_state=0).fit(X, y)
    assert tree.score(X, y) == 1.0


# ------------------------------------------------------------------ what callers construct


def stump(**changes: Any) -> dict[str, Any]:
    arrays: dict[str, Any] = {
        "n_features": 2,
        "children": [[1, 2], [-1, -1], [-1, -1]],
        "value": [[1.0, 1.0], [1.0, 0.0], [0.0, 1.0]],
        "n_node_samples": [2, 1, 1],
        "impurity": [0.5, 0.0, 0.0],
        "row_start": [0, 1, 1, 1],
        "coef_start": [0, 2],
        "coef_column": [0, 1],
        "coef_value": [1.0, 1.0],
        "coef_fill": [0.0, 0.0],
        "offset": [0.0],
        "column_feature": [0, 1],
        "column_level": [-1, -1],
    }
    return {**arrays, **changes}


@pytest.mark.parametrize(
    "changes",
    [
        {"n_features": 9},
        {"n_features": 1},
        {"n_features": 400, "column_feature": [0, 1]},
        {"column_feature": [1, 0]},
        {"column_feature": [0, 0]},
        {"column_feature": [0, 1], "column_level": [0, 2]},
        {"column_feature": [0, 1], "column_level": [-7, -1]},
        {"column_feature": [0, 1, 1], "column_level": [-1, -1, -1]},
        {"column_feature": [0, 1, 1], "column_level": [-1, 1, 0]},
    ],
    ids=str,
)
def test_columns_that_do_not_fit_the_features_are_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="not a valid tree"):
        Tree(**stump(**changes))
    assert Tree(**stump()).apply(np.zeros((3, 2))).tolist() == [1, 1, 1]


@pytest.mark.parametrize("method", ["sbe", "dsbe", "hss", "sfs"])
def test_selection_around_a_search_written_in_python(method: str) -> None:
    X, y = with_category()
    search = SequentialSelection(RandomDirections(n=20), method=method)
    tree = ObliqueDecisionTreeClassifier(
        search, categorical_features=[3], max_depth=3, random_state=0
    ).fit(X, y)
    assert tree.score(X, y) > 0.6
    used = np.diff(tree.tree_.column_coef.indptr)
    assert used[~tree.tree_.is_leaf].min() >= 1


# ------------------------------------------------------------------ costs


def test_c45_with_high_cardinality_routes_a_row_by_its_level() -> None:
    """Work grows with rows and levels, not with rows times the square of the levels."""
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3000, (6000, 1)).astype(float)
    y = (X[:, 0] % 7 < 3).astype(int)
    tree = C45Classifier(
        categorical_features=[0], max_levels=None, pruning=None, min_samples_branch=1
    ).fit(X, y)
    assert tree.score(X, y) == 1.0
    assert tree.get_n_leaves() == len(np.unique(X))


@pytest.mark.skipif(sys.platform != "linux", reason="limits the memory of a process as Linux does")
@pytest.mark.skipif(
    "libasan" in os.environ.get("LD_PRELOAD", ""), reason="a sanitizer needs all addresses"
)
def test_pole_pairs_of_many_copies_do_not_take_all_memory() -> None:
    """Few distinct rows, many copies: the table of tests and poles has a limit."""
    program = """
    import resource
    import numpy as np
    from aslant import PolePairClassifier

    resource.setrlimit(resource.RLIMIT_AS, (4 * 2**30, 4 * 2**30))
    rng = np.random.default_rng(0)
    X = rng.integers(0, 44, (400_000, 2)).astype(float)
    y = (X.sum(axis=1) > 44).astype(int)
    settings = {"min_samples_leaf": 2, "max_depth": 1, "pruning": None, "random_state": 0}
    print(PolePairClassifier(thresholds="all", **settings).fit(X, y).score(X, y) > 0.9)
    """
    done = run_program(program)
    assert done.stdout.split() == ["True"], done.stderr


# ------------------------------------------------------------------ extremes


HUGE = np.array([[1e308], [1e308], [-1e308], [-1e308]])


@pytest.mark.parametrize("missing", ["training_mean", "node_mean"])
@pytest.mark.parametrize(
    "classifier",
    [CARTClassifier(), HHCARTClassifier(variant="dominant", pruning=None), OC1Classifier()],
    ids=lambda classifier: type(classifier).__name__,
)
def test_means_of_huge_values(classifier: Any, missing: str) -> None:
    y = np.array([0, 0, 1, 1])
    tree = classifier.set_params(missing=missing).fit(HUGE, y)
    assert np.isfinite(tree.tree_.coef_fill).all()
    wide = np.column_stack([np.tile(HUGE[:, 0], 10), np.tile(HUGE[:, 0], 10) * 0.5])
    wide[::7, 0] = np.nan
    many = classifier.fit(wide, np.tile(y, 10))
    assert np.isfinite(many.tree_.coef_fill).all()
    assert many.score(wide, np.tile(y, 10)) > 0.9


def test_axis_parallel_search_is_the_same_from_any_thread() -> None:
    X, y = with_category(2000)
    found = []

    def fit() -> None:
        found.append(ObliqueDecisionTreeClassifier(AxisParallel(), n_jobs=2).fit(X, y).tree_)

    threads = [threading.Thread(target=fit) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found[0] == found[1] == found[2]


def test_weights_that_sum_to_more_than_a_counter_holds_count_as_cases() -> None:
    """Bins count rows in 32 bits; weights of a million on ten thousand rows are more."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(10_000, 3))
    y = (X @ [1.0, -1.0, 0.5] + rng.normal(size=10_000) > 0).astype(int)
    plain = CARTClassifier(max_depth=4).fit(X, y)
    heavy = CARTClassifier(max_depth=4).fit(X, y, sample_weight=np.full(10_000, 2.0**20))
    np.testing.assert_array_equal(heavy.tree_.offset, plain.tree_.offset)
    np.testing.assert_array_equal(heavy.tree_.coef_column, plain.tree_.coef_column)


# ------------------------------------------------------------------ weights that rounding loses


LIGHT: dict[str, Any] = {
    "gini": CARTClassifier(max_depth=1, pruning=None),
    "twoing": ObliqueDecisionTreeClassifier("axis_parallel", criterion="twoing", max_depth=1),
    "sum_of_variances": ObliqueDecisionTreeClassifier(
        "axis_parallel", criterion="sum_of_variances", max_depth=1
    ),
    "squared_error": CARTRegressor(max_depth=1),
    "forest": ObliqueRandomForestClassifier(
        1, search="axis_parallel", criterion="gini", max_features=None, bootstrap=False, max_depth=1
    ),
    "regression forest": ObliqueRandomForestRegressor(
        1, search="axis_parallel", max_features=None, bootstrap=False, max_depth=1
    ),
}


@pytest.mark.parametrize("label", [None, 2], ids=["same classes", "own class"])
@pytest.mark.parametrize("n", [100, 500])
@pytest.mark.parametrize("model", LIGHT.values(), ids=LIGHT.keys())
def test_two_rows_of_next_to_no_weight_do_not_choose_the_split(
    model: Any, n: int, label: int | None
) -> None:
    """They are alone at the ends of all features that are noise."""
    for seed in range(60):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(n, 4))
        y = ((X[:, 0] > 0) ^ (rng.random(n) < 0.1)).astype(int)
        weight = 0.5 + rng.random(n)
        weight[:2] = 1e-18
        X[0, 1:], X[1, 1:] = 9.0, -9.0
        if label is not None:
            X[1, 1:], y[:2] = 8.0, label
        model.set_params(random_state=0).fit(X, y, sample_weight=weight)
        tree = model.tree_ if hasattr(model, "tree_") else model.trees_[0]
        assert tree.coef_column.tolist() == [0], seed


# ------------------------------------------------------------------ memory


RESIDENT = """
import ctypes, gc, resource
import numpy as np
from aslant import *

def resident():
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)  # what the allocator keeps for later is no leak
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
"""

memory_is_measured = pytest.mark.skipif(
    sys.platform != "linux" or "san.so" in os.environ.get("LD_PRELOAD", ""),
    reason="reads what Linux says of the process; a sanitizer keeps memory of its own",
)


@memory_is_measured
def test_scratch_memory_is_released_after_a_fit() -> None:
    """It belongs to the fit, not to the thread."""
    program = """
    models = [
        CARTClassifier(max_depth=2),
        CARTRegressor(max_depth=2),
        C45Classifier(max_depth=2, pruning=None),
        ObliqueRandomForestClassifier(2, max_depth=2),
    ]
    X = np.random.default_rng(0).normal(size=(1_000_000, 8))
    y = (X[:, 0] > 0).astype(int)
    for model in models:
        model.fit(X[:1000], y[:1000]).predict(X[:1000])
    before = resident()
    for model in models:
        model.fit(X, y).predict(X)
    print(resident() - before)
    """
    ended = run_program(RESIDENT + textwrap.dedent(program))
    assert ended.returncode == 0, ended.stderr
    assert float(ended.stdout) < 16.0  # MB, of 64 that the rows take


@memory_is_measured
def test_c45_with_high_cardinality_needs_no_table_of_levels_by_levels() -> None:
    program = """
    X = np.random.default_rng(0).integers(0, 4000, (20_000, 1)).astype(float)
    X[:4000, 0] = np.arange(4000)
    y = (X[:, 0] % 7 < 3).astype(int)
    model = C45Classifier(categorical_features=[0], max_levels=None, pruning=None)
    model.fit(X[:100] % 20, y[:100])
    before = peak()
    assert model.fit(X, y).get_n_leaves() == 4000
    print(peak() - before)
    """
    ended = run_program(RESIDENT + textwrap.dedent(program))
    assert ended.returncode == 0, ended.stderr
    assert float(ended.stdout) < 40.0  # MB; the square of the levels takes 122


# ------------------------------------------------------------------ arrays and libraries


def unaligned(array: np.ndarray) -> np.ndarray:
    """Return a copy that begins at an odd address."""
    memory = np.empty(array.nbytes + 1, dtype=np.uint8)
    copy = memory[1 - memory.ctypes.data % 2 :][: array.nbytes].view(array.dtype)
    copy = copy.reshape(array.shape)
    copy[...] = array
    assert not copy.flags.aligned
    return copy


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    "model",
    [
        CARTClassifier(),
        OC1Classifier(restarts=2, max_depth=3),
        CARTRegressor(),
        ObliqueRandomForestClassifier(3),
    ],
    ids=lambda model: type(model).__name__,
)
def test_unaligned_arrays_give_what_aligned_ones_give(model: Any, dtype: type) -> None:
    X, y = with_category()
    X = X.astype(dtype)
    weight = 0.5 + np.random.default_rng(0).random(len(y))
    model.set_params(random_state=0)
    expected = model.fit(X, y, sample_weight=weight).predict(X)
    leaves = model.apply(X)
    model.fit(unaligned(X), unaligned(y), sample_weight=unaligned(weight))
    np.testing.assert_array_equal(model.predict(unaligned(X)), expected)
    np.testing.assert_array_equal(model.apply(unaligned(X)), leaves)


def test_a_lapack_of_other_integers_is_refused() -> None:
    """As SciPy has with 64-bit integers: the core would write beyond what it reserved."""
    ended = run_program(
        """
    import ctypes
    from scipy.linalg import cython_lapack

    def function(name, result, *arguments):
        found = getattr(ctypes.pythonapi, name)
        found.restype, found.argtypes = result, arguments
        return found

    text, pointer, thing = ctypes.c_char_p, ctypes.c_void_p, ctypes.py_object
    name_of = function("PyCapsule_GetName", text, thing)
    pointer_of = function("PyCapsule_GetPointer", pointer, thing, text)
    capsule = function("PyCapsule_New", thing, pointer, text, pointer)

    exported = cython_lapack.__pyx_capi__
    name = name_of(exported["dsyevr"])
    wide = name.replace(b"int *", b"long *")
    exported["dsyevr"] = capsule(pointer_of(exported["dsyevr"], name), wide, None)
    try:
        import aslant._core
    except ImportError as error:
        print(error)
    """
    )
    assert ended.returncode == 0, ended.stderr
    assert "SciPy's LAPACK function dsyevr has the signature" in ended.stdout
