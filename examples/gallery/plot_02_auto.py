"""
The tree to try first
=====================

``AutoTreeClassifier`` chooses among fits of two trees by cross-validation and has nothing to set.
"""

from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split

from aslant import AutoTreeClassifier, export_text, plot_tree

wine = load_wine(as_frame=True)
y = wine.target_names[wine.target]
X_train, X_test, y_train, y_test = train_test_split(wine.data, y, random_state=0)
tree = AutoTreeClassifier(random_state=0).fit(X_train, y_train)
print(export_text(tree, X=X_train))
print(f"accuracy on other rows: {tree.score(X_test, y_test):.3f}")
print(tree.choice_)

# %%
# The bars behind the terms show the contribution of each feature.

plot_tree(tree)
