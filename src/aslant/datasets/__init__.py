"""Artificial data of the papers, and a reader for tables in files.

>>> from aslant.datasets import make_pol
>>> X, y = make_pol(random_state=0)
>>> X.shape
(2000, 2)
"""

from aslant.datasets.csv_file import read_csv
from aslant.datasets.errors import DatasetError
from aslant.datasets.generators import make_led, make_ls10, make_pol, make_rcb, make_waveform

__all__ = [
    "DatasetError",
    "make_led",
    "make_ls10",
    "make_pol",
    "make_rcb",
    "make_waveform",
    "read_csv",
]
