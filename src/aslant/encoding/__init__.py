"""From the caller's data to the matrix the core reads.

`table` reads data frames (through narwhals) and arrays. Every column has a kind, decided by `kinds`
at the fit, listed in ``encoder_.columns_``, and checked in every later table:

============  ==================================================================================
number        itself, in float32 or float64 and without a copy
boolean       0 and 1
date          days since 1970 began, and parts such as the month if asked for
duration      days
ordered       an ordered categorical or an Enum: 0, 1, 2, ... in its order
category      the codes of its levels, rare ones merged into one; target encoding where there are
              very many levels
============  ==================================================================================

A missing value, or a level that training never saw, becomes NaN (or the level "other", if there is
one). Free text and identifiers are refused by name.
"""

from aslant.encoding.columns import ENCODING_PARAMETERS, Column, Options
from aslant.encoding.data_summary import DataSummary, data_summary
from aslant.encoding.data_warning import DataWarning
from aslant.encoding.encoder import FeatureEncoder
from aslant.encoding.targets import check_labels as check_labels
from aslant.encoding.targets import check_prune_rows as check_prune_rows

__all__ = [
    "ENCODING_PARAMETERS",
    "Column",
    "DataSummary",
    "DataWarning",
    "FeatureEncoder",
    "Options",
    "data_summary",
]
