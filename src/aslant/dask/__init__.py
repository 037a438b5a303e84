"""Trees and forests on data larger than one machine, with Dask.

A tree on one machine knows `search_rows`: a node with more rows is searched on a sample of so many,
and the test is finished on all rows. `DaskTree` grows the same tree with the rows elsewhere: only
the two steps that touch all rows, drawing the sample and finishing, become sums over partitions.
So every search works here without a line of its own, and the tree is the one that the ordinary
estimator grows with the same `search_rows` and seed, array for array, whatever the number of
partitions and workers.

What makes the two equal:

- A row has a random key, a function of its number in the data and the key of the node; the rows
  with the smallest keys are the sample (``src/core/search/sample_keys.hpp``). Every partition
  returns its own smallest, and merging keeps the smallest of all.
- A threshold is found in two passes (``src/core/line/line_bins.hpp``): sums in bins between
  quantiles of the sample, whose corners bound what a place inside can score, then the rows of the
  bins that can hold the best place. The ordinary estimator finishes by the same function.
- Sums are whole numbers or in twofold precision, so they do not depend on their order.

All nodes of a level are treated in the same passes. A node with no more than `local_rows` rows is
grown whole by one worker, with the key of its path, and grafted.

==============  =================================================================================
``part``        the rows of one partition, and what a pass asks of them; pure functions
``growth``      level by level, over whoever holds the partitions (``workers``)
``tasks``       what one worker does between the passes
``assembly``    growing nodes, and the arrays they become
``survey``      the first looks: columns, classes, weights
``pruning``     rows held out by their content; pruners judge by what leaves hold
``fitting``     an estimator of one tree from partitions
``cluster``     Dask's workers
``collections`` data frames and arrays of Dask: what is refused, and lazy predictions
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
