"""One measurement of one contestant, in a process of its own, beside scikit-learn's CART.

    python benchmarks/peer_worker.py '{"kind": "fit", "contestant": "STree", "task": "LS10", ...}'

peers.py starts it. Whatever is finished is printed at once, a line of JSON each, so that it counts
even if the contestant then takes down the interpreter. A fit that needs more CPU time than its
limit is ended by the kernel, which works inside compiled code too.
"""

from __future__ import annotations

import json
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator
from itertools import repeat
from typing import Any

import numpy as np
from contestants import CONTESTANTS, Tree, scikit_learn
from problems import Rows, Split, folds, made
from sklearn.datasets import load_iris

PREDICTION_TRAINING_ROWS = 5_000
ONE_ROW_CALLS = 300
NO_LIMIT = 0.0  # a timer of zero seconds is none


def report(**finished: Any) -> None:
    print(json.dumps(finished), flush=True)


def cpu_clock() -> float:
    """Return the CPU time of this process; time.process_time is coarse while a timer runs."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def timed(work: Callable[[], Any]) -> dict[str, float]:
    wall, cpu = time.perf_counter(), cpu_clock()
    work()
    return {"cpu": cpu_clock() - cpu, "wall": time.perf_counter() - wall}


def limited(work: Callable[[], Any], limit: float) -> dict[str, float]:
    """Time the work; the process dies of SIGPROF if it uses more CPU time than the limit."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, limit)
    times = timed(work)
    signal.setitimer(signal.ITIMER_PROF, 0)
    return times


def warmed(contestant: str, depth: int | None) -> tuple[Tree, Tree]:
    """Build the contestant and the tree beside it; a first fit loads what they load late."""
    iris = load_iris(return_X_y=True)
    pair = CONTESTANTS[contestant].build(depth), scikit_learn(depth)
    for tree in pair:
        tree.fit(*iris)
        tree.predict(iris[0])
    return pair


def splits(task: str | tuple[int, int], repeats: int) -> Iterator[Split]:
    """Yield the folds of a named data set, or the same made rows again and again."""
    if isinstance(task, str):
        yield from folds(task, repeats)
    else:
        yield from repeat(made(*task), repeats)


def measure_fit(
    contestant: str, task: str | tuple[int, int], repeats: int, limit: float, budget: float
) -> None:
    """Fit both on every split until the repeats or the budget of CPU seconds are used up."""
    theirs, cart = warmed(contestant, None)
    spent = 0.0
    for training, held_out in splits(task, repeats):
        for role, tree, allowed in (("cart", cart, NO_LIMIT), ("contestant", theirs, limit)):
            times = limited(lambda: tree.fit(*training), allowed)  # noqa: B023
            report(role=role, **times, **quality(tree, held_out))
            spent += times["cpu"]
        if spent > budget:
            return


def quality(tree: Tree, held_out: Rows) -> dict[str, float]:
    X, y = held_out
    return {"accuracy": float(np.mean(tree.predict(X) == y)), "leaves": int(tree.get_n_leaves())}


def measure_prediction(
    contestant: str, task: tuple[int, int], depth: int, repeats: int, limit: float, budget: float
) -> None:
    """Predict many rows, then one row many times, with trees of the same depth."""
    n, d = task
    (X, y), _ = made(max(n, PREDICTION_TRAINING_ROWS), d)
    some = slice(0, PREDICTION_TRAINING_ROWS)
    theirs, cart = warmed(contestant, depth)
    cart.fit(X[some], y[some])
    limited(lambda: theirs.fit(X[some], y[some]), limit)
    spent = 0.0
    for _ in range(repeats):
        for role, tree, allowed in (("cart", cart, NO_LIMIT), ("contestant", theirs, limit)):
            times = limited(lambda: tree.predict(X[:n]), allowed)  # noqa: B023
            one = [timed(lambda: tree.predict(X[:1]))["wall"] for _ in range(ONE_ROW_CALLS)]  # noqa: B023
            report(role=role, one_row=float(np.median(one)), **times)
            spent += times["cpu"]
        if spent > budget:
            return


def main() -> None:
    order = json.loads(sys.argv[1])
    kind = order.pop("kind")
    try:
        if kind == "fit":
            measure_fit(**order)
        else:
            measure_prediction(**order)
    except Exception as error:
        first_line = (str(error).splitlines() or [""])[0]
        report(role="failure", reason=f"{type(error).__name__}: {first_line}"[:200])


if __name__ == "__main__":
    main()
