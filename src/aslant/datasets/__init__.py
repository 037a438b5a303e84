"""Artificial data of the papers, and a reader for tables in files.

>>> from aslant.datasets import make_pol
>>> X, y = make_pol(random_state=0)
>>> X.shape
(2000, 2)
"""

from typing import TYPE_CHECKING, Any

from aslant.datasets.errors import DatasetError
from aslant.datasets.generators import make_led, make_ls10, make_pol, make_rcb, make_waveform

if TYPE_CHECKING:
    from aslant.datasets.csv_file import read_csv

__all__ = [
    "DatasetError",
    "make_led",
    "make_ls10",
    "make_pol",
    "make_rcb",
    "make_waveform",
    "read_csv",
]


def __getattr__(name: str) -> Any:
    """Import what needs polars when it is first used."""
    if name != "read_csv":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        from aslant.datasets.csv_file import read_csv
    except ModuleNotFoundError as error:
        raise ImportError(
            f"read_csv needs {error.name}, not installed here: pip install 'aslant[cli]'."
        ) from None
    return read_csv
