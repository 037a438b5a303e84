"""Trees and forests on data larger than one machine, with Dask.

On one machine, a node with more than `search_rows` rows is searched on a sample, and the test is
finished on all rows. `DaskTree` grows the same tree over partitions: only the two steps that read
all rows, drawing the sample and finishing, become sums over partitions. So every search works
without code of its own, and the tree equals the tree of the ordinary estimator with the same
`search_rows` and seed, array for array, whatever the number of partitions and workers.

Why the two are equal:

- A row has a random key, a function of its number in the data and the key of the node; the rows
  with the smallest keys are the sample (``src/core/search/sample_keys.hpp``). Every partition
  returns its own smallest, and merging keeps the smallest of all.
- A threshold is found in two passes (``src/core/line/line_bins.hpp``): sums in bins between
  quantiles of the sample, whose corners bound the score of any position inside, then the rows of
  the bins that can hold the best position. The ordinary estimator finishes by the same function.
- Sums are integers or in twofold precision, so they do not depend on their order.

All nodes of a level are treated in the same passes. A node with no more than `local_rows` rows is
grown by one worker, with the key of its path, and grafted.

==============  =================================================================================
``part``        the rows of one partition, and the computations of a pass; pure functions
``growth``      level by level, over the holders of the partitions (``workers``)
``tasks``       the work of one worker between the passes
``assembly``    growing nodes, and the arrays they become
``survey``      the first passes: columns, classes, weights
``pruning``     validation rows by their content; pruners read sums over leaves
``fitting``     an estimator of one tree from partitions
``cluster``     Dask's workers
``collections`` data frames and arrays of Dask: validation, and lazy predictions
``tree``        `DaskTree`
``forest``      `DaskForest`
==============  =================================================================================
"""

try:
    import dask
    import distributed
except ImportError as error:
    raise ImportError(
        "aslant.dask needs dask and distributed, which are not installed: pip install "
        "'aslant[dask]'."
    ) from error

from aslant.dask.forest import DaskForest
from aslant.dask.tree import DaskTree

__all__ = ["DaskForest", "DaskTree"]

del dask, distributed
