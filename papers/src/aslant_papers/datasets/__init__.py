"""The data sets of the papers: where each one is, and how it is read.

>>> from aslant_papers.datasets import load_dataset
>>> sorted(load_dataset("pol"))
['DESCR', 'categorical', 'data', 'feature_names', 'name', 'split', 'target']
"""

from aslant_papers.datasets.errors import DatasetUnavailableError
from aslant_papers.datasets.loading import DatasetInfo, available, load_dataset
from aslant_papers.datasets.regression import load_regression_dataset

__all__ = [
    "DatasetInfo",
    "DatasetUnavailableError",
    "available",
    "load_dataset",
    "load_regression_dataset",
]
