"""
Why this class?
===============

The tests on the path of one row, and the contribution of each feature.
"""

from sklearn.datasets import load_breast_cancer

from aslant import OC1Classifier, explain, plot_path

cancer = load_breast_cancer(as_frame=True)
X, y = cancer.data, cancer.target_names[cancer.target]
tree = OC1Classifier(random_state=6).fit(X, y)
print(explain(tree, X.iloc[[0]]).to_text(max_terms=3))

# %%

plot_path(tree, X.iloc[[0]])

# %%
# **What the output tells.** Each panel is one test on the path. It begins with the distance of the
# mean row from the threshold, adds the contribution of each feature, and ends at the distance of
# this row; the sign decides the branch. Here the large perimeter decides the first test almost
# alone; the radius, which is correlated with it, contributes with the opposite sign.
