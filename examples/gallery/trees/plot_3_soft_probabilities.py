"""
Hard and soft probabilities
===========================

Each leaf of a tree has one probability, so it jumps at a test. ``AutoTreeClassifier`` lets
a row near a test count in both branches, so probabilities are continuous.
"""

import matplotlib.pyplot as plt
import numpy as np

from aslant import AutoTreeClassifier

rng = np.random.default_rng(0)
X = rng.uniform(-3, 3, (600, 2))
y = rng.random(600) < 1 / (1 + np.exp(-2 * (X[:, 0] + X[:, 1])))
tree = AutoTreeClassifier(leaf="constant", random_state=0, effort="low").fit(X, y)
line = np.column_stack([np.linspace(-3, 3, 300)] * 2)
figure, ax = plt.subplots(figsize=(7, 4), layout="constrained")
for kind in ("leaf", "soft"):
    tree.set_params(probabilities=kind)
    ax.plot(line[:, 0], tree.predict_proba(line)[:, 1], label=kind)
ax.plot(line[:, 0], 1 / (1 + np.exp(-4 * line[:, 0])), "k:", label="truth")
ax.set(xlabel="both features", ylabel="probability")
ax.legend()

# %%
# **What the figure tells.** The hard tree has as many probabilities as leaves. The soft one has the
# same tests, but its gates are as steep as the data suggest, so it follows the dotted truth, which
# improves the log-loss and the order of the rows near the boundary. The predicted class changes at
# nearly the same place in both.
