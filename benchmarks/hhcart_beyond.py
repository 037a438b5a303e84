"""When a robust covariance, and orientations of clusters, help HHCART: a table and a figure.

    python examples/hhcart_beyond.py [--draws 20] [--out docs/figures/hhcart_beyond.png]

The paper names two weaknesses: outliers turn the eigenvectors of a class, and clusters within a
class hide their own orientations. Here both are simulated, in any amount.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table
from scipy.stats import ortho_group

from aslant import HHCARTClassifier

Rows = tuple[NDArray[np.float64], NDArray[np.intp]]

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


def show(title: str, first: str, results: dict[str, dict[str, tuple[float, float]]]) -> None:
    """Print one table, a line for each amount."""
    table = Table(title=title)
    names = list(next(iter(results.values())))
    for column in (first, *names):
        table.add_column(column, justify="right")
    for label, row in results.items():
        table.add_row(label, *(f"{row[name][0]:.1f} / {row[name][1]:.1f}" for name in names))
    Console().print(table)


def draw_figure(
    panels: list[tuple[str, dict[str, dict[str, tuple[float, float]]]]], out: Path
) -> None:
    """Accuracy above, leaves below, one column for each question."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(2, 2, figsize=(9, 6), sharex="col", layout="constrained")
    for column, (label, results) in enumerate(panels):
        for name in next(iter(results.values())):
            for which, axis in enumerate(axes[:, column]):
                values = [row[name][which] for row in results.values()]
                axis.plot(list(results), values, marker="o", label=name)
        axes[0, column].set_ylabel("accuracy, %")
        axes[1, column].set_ylabel("leaves")
        axes[1, column].set_xlabel(label)
        axes[0, column].legend()
    out.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(out, dpi=120)


def main() -> None:
    """Measure, print, draw."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--out", type=Path, default=Path("docs/figures/hhcart_beyond.png"))
    options = parser.parse_args()
    outliers = {
        f"{share:.0%}": measure(lambda seed: with_outliers(share, seed), ROBUST, options.draws)  # noqa: B023
        for share in OUTLIERS
    }
    show("Outliers: accuracy / leaves", "outliers", outliers)
    clusters = {
        str(count): measure(lambda seed: in_clusters(count, seed), PARTS, options.draws)  # noqa: B023
        for count in CLUSTERS
    }
    show("Clusters within a class: accuracy / leaves", "clusters", clusters)
    draw_figure(
        [("share of outliers", outliers), ("clusters in each class", clusters)], options.out
    )
    print(f"drawn to {options.out}")


if __name__ == "__main__":
    main()
