"""
Importances
===========

A test's decrease of impurity is divided among its features by their contributions. Permutation
importance measures how much accuracy is lost on given rows when a feature is shuffled.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split

from aslant import AutoTreeClassifier, plot_importances

X, y = load_wine(return_X_y=True, as_frame=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
tree = AutoTreeClassifier(random_state=0).fit(X_train, y_train)
figure, axes = plt.subplots(1, 2, figsize=(11, 4.5), layout="constrained")
plot_importances(tree, ax=axes[0])
plot_importances(tree, X_test, y_test, kind="permutation", ax=axes[1])

# %%
# **What the figure tells.** The left panel shows how much each feature contributes to the formula
# of the model. The right panel shows how much accuracy is lost on other rows when a feature is
# shuffled; the lines are standard deviations over the shuffles. A feature that others can replace
# has a long bar on the left and a short one on the right.
