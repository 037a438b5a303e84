"""
Shapley values, and the package shap
====================================

``shapley_values`` is exact where that is affordable. The package shap accepts our estimators
directly, because they are callable.
"""

import matplotlib.pyplot as plt
import numpy as np
import shap
from sklearn.datasets import load_iris

from aslant import OC1Classifier, shapley_values

iris = load_iris(as_frame=True)
tree = OC1Classifier(random_state=0).fit(iris.data, iris.target)
flower, background = iris.data.iloc[[70]], iris.data.iloc[::10]
ours = shapley_values(tree, flower, background)
theirs = shap.Explainer(tree, shap.maskers.Independent(background))(flower)
figure, ax = plt.subplots(figsize=(7, 3.5), layout="constrained")
place = np.arange(4)
ax.barh(place - 0.2, ours.values[0, :, 1], 0.4, label="aslant")
ax.barh(place + 0.2, theirs.values[0, :, 1], 0.4, label="shap")
ax.set_yticks(place, iris.data.columns)
ax.set_xlabel(f"contribution to {iris.target_names[1]}")
ax.legend()

# %%
# **What the figure tells.** Both libraries compute the same quantity, so the bars are equal. They
# sum up to the probability of the class for this flower minus its mean over the background flowers.
