"""Speed of HHCART beside scikit-learn's axis-parallel tree, as ratios from one run.

    python benchmarks/hhcart.py [--quick] [--out benchmarks/results/hhcart.json]

Nothing is pruned on either side. Every ratio is the median over repeats in which both sides ran one
after the other; times are CPU times of one thread. Larger data are in targets.py.
"""

from __future__ import annotations

from typing import Any

from engine import ratio, run_as_program
from sklearn.datasets import make_classification
from sklearn.tree import DecisionTreeClassifier

from aslant import HHCARTClassifier

# Rows, features, classes, variant, and what the ratio should not exceed.
CASES: list[tuple[int, int, int, str, float | None]] = [
    (10_000, 10, 2, "all", 3.0),
    (10_000, 10, 2, "dominant", None),
    (10_000, 10, 5, "all", None),
    (10_000, 10, 5, "dominant", None),
]


def fits(repeats: int) -> list[dict[str, Any]]:
    rows = []
    for n, d, n_classes, variant, target in CASES:
        X, y = make_classification(n, d, n_informative=d // 2, n_classes=n_classes, random_state=0)
        ours = HHCARTClassifier(variant=variant, pruning=None)
        theirs = DecisionTreeClassifier(random_state=0)
        rows.append(
            {
                "what": f'HHCART(variant="{variant}") fit, {n:,} x {d}, {n_classes} classes',
                "ratio": ratio(lambda: ours.fit(X, y), lambda: theirs.fit(X, y), repeats),  # noqa: B023
                "target": target,
            }
        )
    return rows


def measure(quick: bool) -> list[dict[str, Any]]:
    return fits(1 if quick else 5)


if __name__ == "__main__":
    run_as_program(__doc__, "hhcart", measure)
