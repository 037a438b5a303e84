"""The same seed gives the same tree: on any number of threads, in any order of growth, anywhere."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pytest
from processes import run_program

from aslant import (
    C45Classifier,
    CARTClassifier,
    CARTLCClassifier,
    FisherTreeClassifier,
    HHCARTClassifier,
    KDTClassifier,
    LMDTClassifier,
    LTUTreeClassifier,
    ObliqueDecisionTreeClassifier,
    ObliqueExtraTreesClassifier,
    ObliqueRandomForestClassifier,
    OC1Classifier,
    PolePairClassifier,
    QUESTClassifier,
    SADTClassifier,
)
from aslant.search import OC1, SADT, Standardize
from aslant.tree.tree import Tree

N_ROWS, N_FEATURES = 3000, 8


def rows() -> tuple[np.ndarray, np.ndarray]:
    """Return enough rows that the root's search and its subtrees are shared among threads."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N_ROWS, N_FEATURES))
    y = np.digitize(X[:, 0] + X[:, 1] - X[:, 2] + 0.5 * rng.normal(size=N_ROWS), [-1.0, 1.0])
    return X, y


LIMITED: dict[str, Any] = {"pruning": None, "max_depth": 5, "random_state": 3}
MODELS: dict[str, Any] = {
    "cart": CARTClassifier(random_state=3),
    "c45": C45Classifier(pruning=None, random_state=3),
    "oc1": OC1Classifier(restarts=4, jumps=2, **LIMITED),
    "oc1 through points": OC1Classifier(search=OC1(restarts=3, start="through_point"), **LIMITED),
    "cart_lc": CARTLCClassifier(max_cycles=5, **LIMITED),
    "sadt": SADTClassifier(patience=1000, **LIMITED),
    "fisher": FisherTreeClassifier(**LIMITED),
    "quest": QUESTClassifier(**LIMITED),
    "hhcart": HHCARTClassifier(clusters="auto", **LIMITED),
    "lmdt": LMDTClassifier(**LIMITED),
    "ltu": LTUTreeClassifier(univariate=True, **LIMITED),
    "pole_pair": PolePairClassifier(**LIMITED),
    "standardize": ObliqueDecisionTreeClassifier(Standardize(OC1(restarts=2, jumps=1)), **LIMITED),
    "forest": ObliqueRandomForestClassifier(2, max_depth=5, random_state=3),
    "extra trees": ObliqueExtraTreesClassifier(2, max_depth=5, random_state=3),
}
every_model = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS.keys())


def fingerprint(tree: Tree) -> str:
    digest = hashlib.sha256()
    for name, array in sorted(tree.arrays().items()):
        digest.update(name.encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def grown(model: Any, **changed: Any) -> Tree:
    fitted = model.set_params(n_jobs=1, max_leaf_nodes=None).set_params(**changed).fit(*rows())
    tree: Tree = fitted.trees_[1] if hasattr(fitted, "trees_") else fitted.tree_
    return tree


@every_model
def test_threads_do_not_matter(model: Any) -> None:
    one = grown(model)
    assert one.n_leaves > 8
    for n_jobs in (2, 4):
        assert grown(model, n_jobs=n_jobs) == one


@every_model
def test_threads_do_not_matter_when_growing_best_first(model: Any) -> None:
    one = grown(model, max_leaf_nodes=14)
    assert one.n_leaves <= 14
    for n_jobs in (2, 4):
        assert grown(model, n_jobs=n_jobs, max_leaf_nodes=14) == one


@every_model
def test_the_order_of_growth_does_not_matter(model: Any) -> None:
    depth_first = grown(model)
    assert grown(model, max_leaf_nodes=depth_first.n_leaves) == depth_first
    assert grown(model, max_leaf_nodes=N_ROWS, n_jobs=2) == depth_first


SCRIPT = """
import sys
sys.path.insert(0, {tests!r})
from growth.test_determinism import MODELS, fingerprint, grown
for name in MODELS:
    print(name, fingerprint(grown(MODELS[name], n_jobs={n_jobs})), sep=":")
"""


def test_the_process_does_not_matter() -> None:
    script = SCRIPT.format(tests=str(__file__).rsplit("/", 2)[0], n_jobs=2)
    ended = run_program(script)
    assert ended.returncode == 0, ended.stderr
    there = dict(line.split(":") for line in ended.stdout.splitlines())
    assert there == {name: fingerprint(grown(model)) for name, model in MODELS.items()}


@pytest.mark.parametrize("pruning", ["cost_complexity", "reduced_error"])
def test_rows_held_out_for_pruning_follow_the_seed(pruning: str) -> None:
    X, y = rows()
    model = CARTClassifier(pruning=pruning, random_state=0)
    first = model.fit(X, y).tree_
    assert model.set_params(n_jobs=2).fit(X, y).tree_ == first
    assert model.set_params(random_state=1).fit(X, y).tree_ != first


@pytest.mark.parametrize("name", ["oc1", "oc1 through points", "sadt", "standardize"])
def test_seeds_matter_to_randomised_searches(name: str) -> None:
    trees = [grown(MODELS[name], random_state=seed) for seed in (1, 2)]
    assert trees[0] != trees[1]


@pytest.mark.parametrize("name", ["cart", "c45", "cart_lc"])
def test_seeds_do_not_matter_to_the_others(name: str) -> None:
    trees = [grown(MODELS[name], random_state=seed) for seed in (1, 2)]
    assert trees[0] == trees[1]


def test_a_generator_as_random_state() -> None:
    """It is drawn from once a fit, as in scikit-learn."""
    model = MODELS["oc1"]
    first, second = (grown(model, random_state=np.random.RandomState(7)) for _ in range(2))
    assert first == second
    shared = np.random.RandomState(7)
    assert grown(model, random_state=shared) == first
    assert grown(model, random_state=shared) != first
    model.set_params(random_state=3)


def test_ensembles() -> None:
    X, y = rows()
    model = KDTClassifier(SADT(patience=50), n_estimators=3, max_depth=4, random_state=0)
    trees = [member.tree_ for member in model.fit(X, y).estimators_]
    again = [member.tree_ for member in model.set_params(n_jobs=2).fit(X, y).estimators_]
    assert trees == again


def test_the_layout_of_the_data_does_not_matter() -> None:
    X, y = rows()
    model = MODELS["oc1"]
    one = grown(model)
    for same in (np.asfortranarray(X), X[::-1].copy()[::-1], np.repeat(X, 2, axis=1)[:, ::2]):
        assert model.fit(same, y).tree_ == one
    single = X.astype(np.float32)
    one = model.fit(single, y).tree_
    assert model.fit(single.astype(np.float64), y).tree_ == one
