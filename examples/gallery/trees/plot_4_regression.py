"""
Regression trees
================

A leaf predicts a mean, or a linear function of the features. ``AutoTreeRegressor`` chooses, and its
predictions are soft: near a test the predictions of both branches count.
"""

import matplotlib.pyplot as plt
import numpy as np

from aslant import AutoTreeRegressor, ObliqueDecisionTreeRegressor

rng = np.random.default_rng(0)
X = np.sort(rng.uniform(0, 6, (300, 1)), axis=0)
y = np.abs(X[:, 0] - 2.5) + np.sin(2 * X[:, 0]) / 3 + rng.normal(scale=0.1, size=300)
figure, ax = plt.subplots(figsize=(8, 4), layout="constrained")
ax.plot(X, y, ".", color="0.7")
for leaf in ("mean", "linear"):
    tree = ObliqueDecisionTreeRegressor("axis_parallel", max_leaf_nodes=6, leaf=leaf).fit(X, y)
    ax.plot(X, tree.predict(X), label=f"leaf={leaf!r}, {tree.get_n_leaves()} leaves")
auto = AutoTreeRegressor(random_state=0).fit(X, y)
ax.plot(X, auto.predict(X), label=f"auto, {auto.get_n_leaves()} leaves")
ax.legend()

# %%
# **What the figure tells.** Constant leaves are stairs and need many leaves for a slope. Linear
# leaves follow slopes and jump where two of them meet. The soft tree has no jumps; its number of
# leaves was chosen by cross-validation.
