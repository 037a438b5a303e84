"""The papers' data sets, artificial data, and a reader for CSV files.

>>> from aslant.datasets import load
>>> sorted(load("pol"))
['DESCR', 'categorical', 'data', 'feature_names', 'name', 'split', 'target']
"""

from aslant.datasets.csv_file import read_csv
from aslant.datasets.errors import DatasetError, DatasetUnavailableError
from aslant.datasets.generators import make_led, make_ls10, make_pol, make_rcb, make_waveform
from aslant.datasets.loading import DatasetInfo, available, load

__all__ = [
    "DatasetError",
    "DatasetInfo",
    "DatasetUnavailableError",
    "available",
    "load",
    "make_led",
    "make_ls10",
    "make_pol",
    "make_rcb",
    "make_waveform",
    "read_csv",
]
