"""
A large table on Dask
=====================

``DaskTree`` grows the tree of an ordinary estimator from the partitions of a Dask array or data
frame; no worker ever holds the whole table. Here the cluster is two threads of this process and the
table is small enough to check the claim: the tree is the same, array for array.
"""

import dask.array as da
import numpy as np
from distributed import Client

from aslant import HHCARTClassifier, plot_tree
from aslant.dask import DaskTree

rng = np.random.default_rng(0)
X = rng.normal(size=(200_000, 6)).astype(np.float32)
y = (X[:, 0] + X[:, 1] > 0.5 * X[:, 2]).astype(int)
rows, labels = da.from_array(X, chunks=(25_000, 6)), da.from_array(y, chunks=25_000)

estimator = HHCARTClassifier(search_rows=5_000, max_depth=2, pruning=None, random_state=0)
settings = {"processes": False, "n_workers": 1, "threads_per_worker": 2}
with Client(**settings, dashboard_address=None) as client:
    large = DaskTree(estimator, client, local_rows=50_000).fit(rows, labels)
    predicted = large.predict(rows).compute()  # lazy until compute
tree = large.to_local()  # an ordinary fitted estimator: export, save, plot
plot_tree(tree)
print(f"accuracy {np.mean(predicted == y):.3f} on the training rows")
print("the same tree as on one machine:", tree.tree_ == estimator.fit(X, y).tree_)
print("passes over the data, by level:", large.passes_)

# %%
# **What the output tells.** A level takes three passes over the partitions: one draws a sample for
# the search, two find the exact threshold on all rows. In a level with one pass, all nodes are
# small enough (``local_rows``) for one worker to grow the rest of the tree below them. So the
# number of passes grows with the logarithm of the rows only.
