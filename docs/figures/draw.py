"""Draw the figures of README, the home page and the guide that show one tree.

    python docs/figures/draw.py

A figure holds the text of its tree, so that ``tests/project/test_figures.py`` sees when it is out
of date. ``make demo`` draws pol.png, ``make figures`` those of comparisons, ``benchmarks`` the
others.
"""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("agg")
import numpy as np
from matplotlib import pyplot as plt
from sklearn.datasets import load_breast_cancer, load_wine

from aslant import AutoTreeClassifier, OC1Classifier, export_text, plot_test, plot_tree

FOLDER = Path(__file__).parent


def wine_tree() -> AutoTreeClassifier:
    """Return the tree of README and of the home page."""
    wine = load_wine(as_frame=True)
    cultivars = np.array(["Barolo", "Grignolino", "Barbera"])
    tree = AutoTreeClassifier(leaf="constant", max_features_per_test=3, random_state=0)
    return tree.fit(wine.data, cultivars[wine.target])


def cancer_tree() -> OC1Classifier:
    """Return the tree of the guide to explanations."""
    cancer = load_breast_cancer(as_frame=True)
    return OC1Classifier(random_state=6).fit(cancer.data, cancer.target_names[cancer.target])


def draw_cancer_test(tree: OC1Classifier) -> None:
    """Draw the rows along the test of the root."""
    cancer = load_breast_cancer(as_frame=True)
    plot_test(tree, 0, cancer.data, cancer.target_names[cancer.target])


FIGURES = {
    "tree.png": (wine_tree, plot_tree),
    "guide_tree.png": (cancer_tree, plot_tree),
    "guide_test.png": (cancer_tree, draw_cancer_test),
}


def main() -> None:
    """Write all figures."""
    for name, (fit, draw) in FIGURES.items():
        tree = fit()
        draw(tree)
        text = {"Description": export_text(tree), "Software": None}
        plt.savefig(FOLDER / name, dpi=120, bbox_inches="tight", metadata=text)
        plt.close("all")


if __name__ == "__main__":
    main()
