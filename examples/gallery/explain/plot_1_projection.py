"""
The rows along a test
=====================

An oblique test projects the rows onto the line ``coef . x``. The
histogram of the rows shows how well the threshold divides the classes.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer

from aslant import QUESTClassifier, plot_test

cancer = load_breast_cancer(as_frame=True)
X, y = cancer.data, cancer.target_names[cancer.target]
tree = QUESTClassifier().fit(X, y)
figure, ax = plt.subplots(figsize=(8, 4.5), layout="constrained")
plot_test(tree, 0, X, y, ax=ax)

# %%
# **What the figure tells.** The classes overlap little along this line, and the threshold lies
# between their peaks: one test of 30 features separates nearly all rows. The rows near the
# threshold are the uncertain ones. The label of the axis names the terms that contribute most.
