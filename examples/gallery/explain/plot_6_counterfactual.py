"""
What would change the decision?
===============================

A counterfactual is the smallest change of a row that changes its prediction. For a tree with hard
tests it is found exactly, as a small linear program for each leaf of the wanted class.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer

from aslant import OC1Classifier, counterfactual, plot_boundary

cancer = load_breast_cancer(as_frame=True)
X = cancer.data[["worst texture", "worst radius"]]
y = cancer.target_names[cancer.target]
tree = OC1Classifier(random_state=0).fit(X, y)
ill = X[tree.predict(X) == "malignant"]
row = ill.loc[[(ill["worst radius"] - 18).abs().idxmin()]]
allowed = {
    "anything may change": {},
    "the texture only": {"vary": ["worst texture"]},
    "a radius of 17 or more": {"ranges": {"worst radius": (17, 40)}},
}
figure, ax = plt.subplots(figsize=(8, 5), layout="constrained")
plot_boundary(tree, X, y, ax=ax)
for name, limits in allowed.items():
    found = counterfactual(tree, row, **limits)
    print(f"{name}: {'nothing allowed helps' if found is None else found.to_text()}")
    if found is not None:
        changed = row.assign(**{change.feature: change.after for change in found.changes})
        arrow = {"arrowstyle": "->", "lw": 2}
        ax.annotate("", changed.to_numpy()[0], row.to_numpy()[0], arrowprops=arrow)

# %%
# **What the output tells.** Each arrow leads from the row to the nearest point of the other class
# under its limits; the distance is the sum of the changes in standard deviations. The stricter the
# limits, the longer the arrow. A short distance means that the row is near the boundary. It does
# not mean that changing the feature of a patient would change the disease: it explains the model.
