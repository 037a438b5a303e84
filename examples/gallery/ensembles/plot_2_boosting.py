"""
Boosting with and without oblique splits
========================================

Two classes on either side of a hyperplane. Axis-parallel trees approximate it by stairs, round
after round; one oblique split can represent it.
"""

import matplotlib.pyplot as plt
import numpy as np

import aslant

rng = np.random.default_rng(0)
X = rng.normal(size=(1500, 6))
y = (X[:, 0] + X[:, 1] - X[:, 2] + 0.5 * rng.normal(size=1500) > 0).astype(int)
X_train, X_test, y_train, y_test = X[:750], X[750:], y[:750], y[750:]

fig, axes = plt.subplots()
for oblique, color in ((False, "tab:gray"), (True, "tab:blue")):
    model = aslant.ObliqueGradientBoostingClassifier(
        max_iter=200, oblique=oblique, early_stopping=True, n_iter_no_change=200, random_state=0
    )
    model.fit(X_train, y_train, X_val=X_test, y_val=y_test)
    label = "oblique splits" if oblique else "single features"
    axes.plot(-model.validation_score_, color=color, label=label)
    axes.plot(model.n_iter_, -model.validation_score_[model.n_iter_], "o", color=color)
axes.set(xlabel="round", ylabel="log-loss of the validation rows", ylim=(0.2, 0.7))
axes.legend()

# %%
# **What the figure tells.** The dots are the rounds of lowest loss, which the models go back to.
# The oblique model gets there in fewer rounds and reaches a lower loss. After that both overfit,
# the more flexible one faster, so the last round is worse than the round of the dot. The validation
# rows choose the round here, so the loss at the dot is slightly optimistic.
