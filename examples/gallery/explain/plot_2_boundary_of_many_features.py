"""
Regions over two of many features
=================================

With more than two features the plot is a section: two features vary, the others have the
values of a row.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_iris

from aslant import AutoTreeClassifier, plot_boundary

iris = load_iris(as_frame=True)
y = iris.target_names[iris.target]
tree = AutoTreeClassifier(random_state=0).fit(iris.data, y)
figure, axes = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
for ax, row in zip(axes, (60, 130), strict=True):
    features = ("petal length (cm)", "petal width (cm)")
    plot_boundary(tree, iris.data, y, features=features, at=row, ax=ax)
    ax.set_title(f"the other features as in flower {row}")

# %%
# **What the figure tells.** Both panels show the same tree. A line moves between the panels if its
# test also reads one of the other two features; a line that stays does not. Training rows may lie
# in a region of another color, because their other features have other values.
