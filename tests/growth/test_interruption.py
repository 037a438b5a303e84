"""Ctrl-C, too few threads, a leaving interpreter, a climb without end: each in its own process.

The fits that are interrupted would take many minutes. How long anything takes is not asserted.
"""

from __future__ import annotations

import subprocess
import sys

import pytest
from processes import run_program

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="on Windows os.kill ends a process instead of interrupting it"
)

BEGINNING = """
import os, signal, sys, threading
import numpy as np
from aslant import *
from aslant.prune import CostComplexity
from aslant.refine import JointFit
from aslant.search import *

rng = np.random.default_rng(0)
X, y = rng.normal(size=(20000, 20)), rng.integers(0, 3, 20000)

class Slow(SplitSearch):
    def find(self, node, rng):
        return node.best_along(rng.normal(size=(50, node.X.shape[1])))

# A process that a shell started in the background ignores Ctrl-C, and so do its children.
signal.signal(signal.SIGINT, signal.default_int_handler)

def interrupted(model):
    try:
        threading.Timer(0.15, os.kill, (os.getpid(), signal.SIGINT)).start()
        model.fit(X, y)
    except KeyboardInterrupt:
        return not hasattr(model, "classes_") or not hasattr(model, "tree_")
    return False
"""

FITS = {
    "auto": "AutoTreeClassifier(effort='high', n_jobs={n})",
    "auto of numbers": "AutoTreeRegressor(effort='high', n_jobs={n})",
    "refined": "CARTClassifier(max_depth=4, refine=JointFit(max_iter=10**6, tol=0.0), n_jobs={n})",
    "oc1": "OC1Classifier(restarts=3000, n_jobs={n})",
    "oc1 best first": "OC1Classifier(restarts=3000, max_leaf_nodes=1000, n_jobs={n})",
    "sadt": "SADTClassifier(patience=10**9, n_jobs={n})",
    "cart_lc": "CARTLCClassifier(search=CARTLC(tolerance=0.0, max_cycles=10**6), n_jobs={n})",
    "pole_pair": "PolePairClassifier(poles=2000, n_jobs={n})",
    "pruning by cross-validation": "OC1Classifier(pruning=CostComplexity(cv=20), n_jobs={n})",
    "python": "ObliqueDecisionTreeClassifier(Slow(), n_jobs={n})",
    "kdt": "KDTClassifier(n_jobs={n})",
    "forest": "ObliqueRandomForestClassifier(10**5, n_jobs={n})",
    "forest of numbers": "ObliqueRandomForestRegressor(10**5, n_jobs={n})",
    "forest of oc1": "ObliqueRandomForestClassifier(search=OC1(restarts=3000), n_jobs={n})",
    "boosting": "ObliqueGradientBoostingClassifier(max_iter=10**5, n_jobs={n}, "
    "early_stopping=False)",
    "kdt of a python search": "KDTClassifier(Slow(), n_jobs={n})",
}


def run(script: str) -> subprocess.CompletedProcess[str]:
    return run_program(BEGINNING + script)


def test_control_c() -> None:
    names = {f"{name}, {n} jobs": fit.format(n=n) for n in (1, 2) for name, fit in FITS.items()}
    lines = [
        f"print({name!r} if interrupted({fit}) else 'not interrupted')"
        for name, fit in names.items()
    ]
    ended = run("\n".join(lines))
    assert ended.stdout.splitlines() == list(names)
    assert ended.stderr == ""
    assert ended.returncode == 0


def test_an_estimator_can_be_fitted_after_an_interrupted_fit() -> None:
    ended = run(
        """
model = OC1Classifier(restarts=3000, random_state=0)
assert interrupted(model)
model.set_params(restarts=2).fit(X[:300], y[:300])
other = OC1Classifier(restarts=2, random_state=0).fit(X[:300], y[:300])
print(model.tree_ == other.tree_)
"""
    )
    assert (ended.stdout, ended.stderr, ended.returncode) == ("True\n", "", 0)


def test_fewer_threads_than_asked_for() -> None:
    """Where the system refuses more threads, those that there are do the work."""
    ended = run(
        """
import resource
X, y = X[:2000], y[:2000]
tree = CARTClassifier(n_jobs=2).fit(X, y).tree_
if os.getuid() == 0:
    os.setuid(65534)  # no limit holds for the superuser
resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
print(CARTClassifier(n_jobs=4).fit(X, y).tree_ == tree)
"""
    )
    assert (ended.stdout, ended.returncode) == ("True\n", 0)


def test_leaving_while_a_thread_still_fits() -> None:
    ended = run(
        """
import time
threading.Thread(target=OC1Classifier().fit, args=(X, y), daemon=True).start()
time.sleep(0.5)
print("leaving")
"""
    )
    assert (ended.stdout, ended.stderr, ended.returncode) == ("leaving\n", "", 0)


def test_leaving_while_threads_ask_a_criterion_written_in_python() -> None:
    """The core takes the interpreter's lock for every score, also when there is none any more."""
    ended = run(
        """
begun = threading.Semaphore(0)

def criterion(child0, child1):
    begun.release()
    both = child0 + child1
    parts = (child @ child / child.sum() for child in (child0, child1) if child.sum() > 0)
    return sum(parts) / both.sum()

for n_jobs in (1, 2):
    model = ObliqueDecisionTreeClassifier("axis_parallel", criterion=criterion, n_jobs=n_jobs)
    threading.Thread(target=model.fit, args=(X, y), daemon=True).start()
for _ in range(100):
    begun.acquire()
print("leaving")
"""
    )
    assert (ended.stdout, ended.stderr, ended.returncode) == ("leaving\n", "", 0)


def test_leaving_while_threads_still_predict() -> None:
    """The interpreter ends a thread that asks for its lock: never one that comes from the core.

    With few rows, a thread nearly always waits for the lock or frees its table when we leave.
    """
    ended = run(
        """
import time
tree = HHCARTClassifier(max_depth=6, pruning=None).fit(X[:2000], y[:2000])
few, many = X[:50], np.repeat(X, 10, axis=0)

def predict_for_ever(rows):
    while True:
        tree.tree_.apply(rows)

for rows in (few, few, many, many):
    threading.Thread(target=predict_for_ever, args=(rows,), daemon=True).start()
time.sleep(0.3)
print("leaving")
"""
    )
    assert (ended.stdout, ended.stderr, ended.returncode) == ("leaving\n", "", 0)


def test_rows_of_next_to_no_weight_do_not_keep_oc1_climbing() -> None:
    """Their scores are all rounding, which must not be taken for progress for ever."""
    ended = run(
        """
for seed in range(40):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(100, 3))
    lighter = np.arange(100) % 2 == 0
    y = (X.sum(axis=1) > 0.0) ^ lighter
    weight = np.where(lighter, 10.0 ** -rng.choice([5, 8, 10, 12, 16, 20, 40]), 1.0)
    for criterion in ("gini", "twoing", "entropy"):
        model = OC1Classifier(restarts=4, pruning=None, criterion=criterion, random_state=seed)
        model.fit(X, y, weight)
print("done")
"""
    )
    assert (ended.stdout, ended.stderr, ended.returncode) == ("done\n", "", 0)
