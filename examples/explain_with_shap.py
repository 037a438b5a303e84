"""Shapley values of a tree, ours beside those of the package shap.

Run it with ``python examples/explain_with_shap.py``; it needs ``pip install shap``, which compiles
for half a minute when it is first used. Nothing is downloaded: the rows come with scikit-learn.
"""

from __future__ import annotations

import shap
from rich.console import Console
from rich.table import Table
from sklearn.datasets import load_iris

from aslant import OC1Classifier, shapley_values


def main() -> None:
    """Explain one flower in both ways."""
    iris = load_iris(as_frame=True)
    tree = OC1Classifier(random_state=0).fit(iris.data, iris.target)
    flower, background = iris.data.iloc[[70]], iris.data.iloc[::3]
    ours = shapley_values(tree, flower, background)
    theirs = shap.Explainer(tree, shap.maskers.Independent(background))(flower)
    predicted = int(tree.predict(flower)[0])
    table = Table(title=f"What each feature adds to {iris.target_names[predicted]}")
    for column in ("feature", "value", "aslant", "shap"):
        table.add_column(column)
    for j, name in enumerate(iris.data.columns):
        values = (ours.values[0, j, predicted], theirs.values[0, j, predicted])
        table.add_row(name, f"{flower.iloc[0, j]}", *(f"{value:+.4f}" for value in values))
    Console().print(table)
    base = ours.base_values[predicted]
    print(f"On the background {base:.4f}, for this flower {tree(flower)[0, predicted]:.4f}.")


if __name__ == "__main__":
    main()
