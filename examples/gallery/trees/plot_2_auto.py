"""
The tree to try first
=====================

``AutoTreeClassifier`` chooses among fits of two trees and a linear model by cross-validation. There
is nothing to set.
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
# **What the output tells.** Here no tree was better than a single linear leaf, which is logistic
# regression with few coefficients, so that is what is returned: a formula for each class. The last
# line describes the selection. ``leaf="constant"`` requests a tree with tests in any case:

tree = AutoTreeClassifier(leaf="constant", random_state=0).fit(X_train, y_train)
print(f"accuracy on other rows: {tree.score(X_test, y_test):.3f}")
plot_tree(tree)

# %%
# **What the figure tells.** The bars behind the terms show the contribution of each feature to its
# test, blue is added and red subtracted. The bar of a leaf shows the classes of its training rows.
