"""When a robust covariance, and orientations of clusters, help HHCART.

    python benchmarks/hhcart_beyond.py [--draws 20]

The paper names two weaknesses: outliers turn the eigenvectors of a class, and clusters within a
class hide their own orientations. Here both are simulated, in any amount.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from itertools import zip_longest
from pathlib import Path

import numpy as np
from blocks import markdown
from numpy.typing import NDArray
from page_blocks import source
from provenance import environment, read_results, write_results
from scipy.stats import ortho_group

from aslant import HHCARTClassifier

Rows = tuple[NDArray[np.float64], NDArray[np.intp]]
Results = dict[str, dict[str, tuple[float, float]]]  # amount, setting: accuracy, leaves

RESULTS = Path(__file__).parent / "results" / "hhcart_beyond.json"

N_FEATURES = 4
OUTLIERS = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2)
CLUSTERS = (1, 2, 3, 4, 6)
ROBUST = {
    "sample": {},
    "robust": {"covariance": "robust"},
}
PARTS = {
    "clusters=1": {},
    'clusters="auto"': {"clusters": "auto"},
}


def slabs(rng: np.random.Generator, n: int, axes: NDArray[np.float64]) -> Rows:
    """Return two long flat classes side by side; the first axis crosses their boundary."""
    y = rng.integers(0, 2, n)
    X = rng.normal(size=(n, N_FEATURES)) * np.r_[0.0, 6.0, np.ones(N_FEATURES - 2)]
    X[:, 0] = np.where(y == 1, 1.0, -1.0) * rng.uniform(0.0, 1.0, n)
    return X @ axes, y


def with_outliers(share: float, seed: int) -> tuple[Rows, Rows]:
    """Return training rows, a fraction of them with outliers, and clean test rows."""
    rng = np.random.default_rng(seed)
    axes = ortho_group.rvs(N_FEATURES, random_state=seed)
    X, y = slabs(rng, 500, axes)
    bad = rng.random(len(y)) < share
    X[bad] = 40.0 * rng.standard_t(2, size=(np.count_nonzero(bad), N_FEATURES))
    return (X, y), slabs(rng, 5000, axes)


def in_clusters(n_clusters: int, seed: int) -> tuple[Rows, Rows]:
    """Return classes of several clusters; each pair of clusters has its own orientation."""
    rng = np.random.default_rng(seed)
    centers = 30.0 * rng.normal(size=(n_clusters, N_FEATURES))
    turns = [ortho_group.rvs(N_FEATURES, random_state=100 * seed + c) for c in range(n_clusters)]

    def draw(n: int) -> Rows:
        parts = [slabs(rng, n // n_clusters, axes) for axes in turns]
        X = np.vstack([part + center for (part, _), center in zip(parts, centers, strict=True)])
        return X, np.concatenate([classes for _, classes in parts])

    return draw(1200), draw(6000)


def measure(
    draw: Callable[[int], tuple[Rows, Rows]], settings: dict[str, dict[str, str]], draws: int
) -> dict[str, tuple[float, float]]:
    """Mean accuracy on the test rows and mean number of leaves, by setting."""
    results = {}
    for name, parameters in settings.items():
        figures = []
        for seed in range(draws):
            training, test = draw(seed)
            model = HHCARTClassifier(random_state=seed, **parameters).fit(*training)
            figures.append((100.0 * model.score(*test), model.get_n_leaves()))
        accuracy, leaves = np.mean(figures, axis=0)
        results[name] = (float(accuracy), float(leaves))
    return results


def measured(draws: int) -> dict[str, Results]:
    """Return the figures of both questions."""
    return {
        "outliers": {
            f"{100 * share:.0f} %": measure(partial(with_outliers, share), ROBUST, draws)
            for share in OUTLIERS
        },
        "clusters": {
            str(count): measure(partial(in_clusters, count), PARTS, draws) for count in CLUSTERS
        },
    }


def table() -> str:
    """Return both questions side by side, accuracy / leaves."""
    found = read_results(RESULTS)[0]
    outliers, clusters = (
        [
            [amount, *(f"{a:.1f} / {leaves:.1f}" for a, leaves in row.values())]
            for amount, row in part
        ]
        for part in (found["outliers"].items(), found["clusters"].items())
    )
    rows = [
        [*left, "", *right]
        for left, right in zip_longest(outliers, clusters, fillvalue=[""] * (1 + len(ROBUST)))
    ]
    names = [f"`{name}`" for name in PARTS]
    header = ["outliers", *ROBUST, "", "clusters in each class", *names]
    return markdown(header, rows) + source(RESULTS.name, "python benchmarks/hhcart_beyond.py")


def draw_figure(out: Path) -> None:
    """Draw accuracy above, leaves below, one column for each question."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot as plt

    found = read_results(RESULTS)[0]
    labels = {"outliers": "share of outliers", "clusters": "clusters in each class"}
    figure, axes = plt.subplots(2, 2, figsize=(9, 6), sharex="col", layout="constrained")
    for column, (part, label) in enumerate(labels.items()):
        results = found[part]
        for name in next(iter(results.values())):
            for which, axis in enumerate(axes[:, column]):
                values = [row[name][which] for row in results.values()]
                axis.plot(list(results), values, marker="o", label=name)
        axes[0, column].set_ylabel("accuracy, %")
        axes[1, column].set_ylabel("leaves")
        axes[1, column].set_xlabel(label)
        axes[0, column].legend()
    figure.savefig(out, dpi=120)


def main() -> None:
    """Measure and write the result file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=20)
    options = parser.parse_args()
    begun = environment()
    write_results(RESULTS, measured(options.draws), begun)
    print(f"written to {RESULTS}")


if __name__ == "__main__":
    main()
