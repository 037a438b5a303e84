"""
What an oblique test is
=======================

Four parallel lines divide the plane. A tree whose tests read one feature at a time needs a
staircase along each line; a tree of oblique tests needs one test for each.
"""

import matplotlib.pyplot as plt

from aslant import CARTClassifier, OC1Classifier, plot_boundary
from aslant.datasets import make_pol

X, y = make_pol(500, random_state=0)
figure, axes = plt.subplots(1, 2, figsize=(10, 4.5), layout="constrained")
for ax, tree in zip(axes, (CARTClassifier(), OC1Classifier(random_state=0)), strict=True):
    tree.fit(X, y)
    plot_boundary(tree, X, y, ax=ax)
    ax.set_title(f"{type(tree).__name__}: {tree.get_n_leaves()} leaves")

# %%
# **What the figure tells.** Both trees divide the training rows without an error. The staircase on
# the left has a step wherever there happened to be rows, so it is wrong between them; the lines on
# the right are close to those that made the data. With fewer leaves, each leaf also has more
# training rows.
