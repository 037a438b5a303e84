"""
How far to prune
================

Minimal cost-complexity pruning gives a sequence of smaller and smaller trees; test rows show which
is best.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from aslant import OC1Classifier

X, y = load_breast_cancer(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
settings = {"pruning": None, "restarts": 2, "random_state": 0}
path = OC1Classifier(**settings).cost_complexity_pruning_path(X_train, y_train)
alphas = np.unique(np.abs(path.ccp_alphas))[:-1]
trees = [OC1Classifier(**settings, ccp_alpha=a).fit(X_train, y_train) for a in alphas]
leaves = [tree.get_n_leaves() for tree in trees]
figure, ax = plt.subplots(figsize=(7, 4), layout="constrained")
for name, rows, labels in (("training", X_train, y_train), ("other", X_test, y_test)):
    ax.plot(leaves, [tree.score(rows, labels) for tree in trees], "o-", label=f"{name} rows")
ax.set(xlabel="leaves", ylabel="accuracy")
ax.legend()

# %%
# **What the figure tells.** On the training rows every split helps. On other rows the smallest tree
# is as good as any, so the further splits fit noise. With 143 test rows one row is 0.7 points, so
# small differences are not significant. ``pruning="cost_complexity"`` chooses by cross-validation
# instead.
