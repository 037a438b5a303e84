"""
A forest, and one tree distilled from it
========================================

An oblique random forest of many trees cannot be read. ``distil`` grows one small tree that
approximates its predictions.
"""

from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from aslant import ObliqueRandomForestClassifier, plot_tree

cancer = load_breast_cancer(as_frame=True)
X, y = cancer.data, cancer.target_names[cancer.target]
X_train, X_test, y_train, y_test = train_test_split(X, y, random_state=0)
forest = ObliqueRandomForestClassifier(n_estimators=50, random_state=0).fit(X_train, y_train)
tree = forest.distil(X_train, y_train, sizes=(4, 8))
for name, model in (("forest", forest), ("one tree", tree)):
    score = model.score(X_test, y_test)
    print(f"{name}: {model.get_n_leaves()} leaves, accuracy {score:.3f} on other rows")
plot_tree(tree)

# %%
# **What the output tells.** On these rows the tree is about as accurate as the forest, with a small
# fraction of its leaves; on most data it loses some accuracy. Its leaves show weights instead of
# counts: the tree was grown on the probabilities of the forest, for the training rows and for
# synthetic rows between them.
