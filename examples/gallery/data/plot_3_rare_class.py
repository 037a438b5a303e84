"""
A rare class
============

Three rows in a hundred are fraud. A model that never predicts fraud is right in 97 % of the rows,
so accuracy is the wrong measure. The probabilities of one model are used in three ways: with the
usual cutoff, with weighted classes, and with a cutoff chosen by what errors cost.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_classification
from sklearn.metrics import confusion_matrix, make_scorer, roc_auc_score
from sklearn.model_selection import TunedThresholdClassifierCV, train_test_split

from aslant import AutoTreeClassifier

X, y = make_classification(
    6000, 8, n_informative=5, weights=[0.97], flip_y=0.01, class_sep=0.9, random_state=3
)
X_train, X_test, y_train, y_test = train_test_split(X, y, stratify=y, random_state=0)


def cost(truth, predicted):
    """Return the cost of the errors: a missed fraud costs as much as twenty false alarms."""
    return 20 * np.sum((truth == 1) & (predicted == 0)) + np.sum((truth == 0) & (predicted == 1))


plain = AutoTreeClassifier(random_state=0)
models = {
    "cutoff 0.5": plain,
    'class_weight="balanced"': AutoTreeClassifier(class_weight="balanced", random_state=0),
    "cutoff by cost": TunedThresholdClassifierCV(
        plain, scoring=make_scorer(cost, greater_is_better=False), cv=3
    ),
}
print(f"{'':24s}   found  missed  false alarms   cost   AUC")
for name, model in models.items():
    predicted = model.fit(X_train, y_train).predict(X_test)
    (_, false_alarms), (missed, found) = confusion_matrix(y_test, predicted)
    auc = roc_auc_score(y_test, model.predict_proba(X_test)[:, 1])
    paid = cost(y_test, predicted)
    print(f"{name:24s} {found:7d} {missed:7d} {false_alarms:13d} {paid:6d} {auc:.3f}")

# %%
# **What the table tells.** The first and the last line are the same tree, so they have the same
# AUC, which depends on the order of the probabilities only. They differ in the cutoff. The usual
# cutoff misses many rare rows, because few have a probability above one half; a lower cutoff finds
# more of them at the cost of false alarms, which are cheap here. Weighted classes also find more
# rows, but do not use the costs, and the probabilities of that tree are those of another
# population, in which both classes are equally frequent. So choose the cutoff if you know the
# costs, and use weights if you do not and need decisions from ``predict``.

cutoffs = np.linspace(0.005, 0.6, 120)
probabilities = plain.fit(X_train, y_train).predict_proba(X_test)[:, 1]
figure, ax = plt.subplots(figsize=(7, 4), layout="constrained")
ax.plot(cutoffs, [cost(y_test, probabilities > cutoff) for cutoff in cutoffs])
ax.axvline(models["cutoff by cost"].best_threshold_, color="black", ls=":", label="chosen cutoff")
ax.axvline(1 / 21, color="tab:orange", ls="--", label="1 / (1 + 20)")
ax.set(xlabel="cutoff", ylabel="cost on other rows")
ax.legend()

# %%
# **What the figure tells.** The cost is low over a range of cutoffs and rises toward one half. If
# the probabilities are right, the best cutoff is where a false alarm and a missed row have the same
# expected cost, at 1 / (1 + 20). A chosen cutoff near that line indicates that the probabilities
# are well calibrated.
