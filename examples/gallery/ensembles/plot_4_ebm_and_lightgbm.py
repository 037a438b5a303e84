"""
Beside EBM and LightGBM
=======================

Two libraries that are often chosen for tables: LightGBM for accuracy, and the explainable boosting
machine (EBM) of InterpretML for models to look at. All models have the same training rows and the
same test rows, and their defaults, except that the EBM has fewer bags and no
interactions, to be finished in seconds.
"""

import time
import warnings

import matplotlib.pyplot as plt
from interpret.glassbox import ExplainableBoostingClassifier
from lightgbm import LGBMClassifier
from sklearn.datasets import load_breast_cancer
from sklearn.inspection import partial_dependence
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split

from aslant import (
    AutoTreeClassifier,
    ObliqueGradientBoostingClassifier,
    ObliqueRandomForestClassifier,
)

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
X = X[[name for name in X if name.startswith("worst")]]
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, stratify=y, random_state=0)
quick = {"outer_bags": 4, "interactions": 0, "n_jobs": 1, "random_state": 0}
models = {
    "auto tree": AutoTreeClassifier(random_state=0),
    "oblique forest": ObliqueRandomForestClassifier(random_state=0),
    "oblique boosting": ObliqueGradientBoostingClassifier(random_state=0),
    "LightGBM": LGBMClassifier(random_state=0, n_jobs=1, verbose=-1),
    "EBM": ExplainableBoostingClassifier(**quick),
}
print(f"{'':17s} accuracy  log-loss  fit, s")
for name, model in models.items():
    start = time.perf_counter()
    with warnings.catch_warnings():  # remarks of the other libraries on their own settings
        warnings.simplefilter("ignore")
        model.fit(X_train, y_train)
        seconds = time.perf_counter() - start
        loss = log_loss(y_test, model.predict_proba(X_test))
        print(f"{name:17s} {model.score(X_test, y_test):8.3f} {loss:9.3f} {seconds:7.1f}")

# %%
# **What the table tells.** A test set of 285 rows cannot separate models whose accuracy differs by
# a point or two: one row is 0.35 points. The log-loss distinguishes them better, because it uses
# the predicted probabilities and penalizes confident errors. Times are of one run. Repeat this with
# cross-validation on your own data before you choose.

feature = "worst concave points"
figure, ax = plt.subplots(figsize=(7, 4), layout="constrained")
for name, model in models.items():
    shown = partial_dependence(
        model, X_test, [feature], kind="average", response_method="predict_proba"
    )
    ax.plot(shown["grid_values"][0], shown["average"][0], label=name)
ax.set(xlabel=feature, ylabel="mean probability of benign")
ax.legend()

# %%
# **What the figure tells.** Each line is the mean prediction if all test rows had the same value of
# one feature. All models agree on the direction. The models with oblique tests have smoother lines,
# because their tests combine this feature with others; LightGBM and the EBM test one feature at a
# time and have steps. The ranges of the lines differ, because correlated features share the effect
# in different ways.
