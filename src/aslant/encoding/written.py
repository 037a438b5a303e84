"""How people write numbers, missing values and dates: the patterns, in one place.

The patterns are plain text without groups that only one engine knows: Python's `re` and polars
read them alike. `aslant.datasets.columns` reads whole columns by them, `aslant.encoding.kinds`
recognizes columns of data frames that should have been numbers.
"""

from __future__ import annotations

from typing import Literal

DecimalMark = Literal[".", ","]

MISSING = frozenset(
    {"", "NA", "N/A", "n/a", "NaN", "nan", "NAN", "?", "null", "NULL", "Null", "#N/A", "<NA>"}
)
"""The cells that are missing values in any column."""

WORDS_FOR_MISSING = frozenset(
    {"-", "--", "---", ".", "..", "*", "na", "n.a.", "nil", "none", "missing", "unknown", "#n/a",
     "k.a.", "tbd"}
)  # fmt: skip
"""Words for a missing value in a numeric column, in lower case."""

_SIGNS = r"[$€£¥₹₩₽₺₴₪฿]"
_CODES = (
    "AUD|BRL|CAD|CHF|CNY|CZK|DKK|EUR|GBP|HKD|HUF|IDR|ILS|INR|JPY|KRW|MXN|MYR|NOK|NZD|PHP|PLN|RON|"
    "RUB|SEK|SGD|THB|TRY|TWD|UAH|USD|ZAR"
)
CURRENCY = rf"(?:{_SIGNS}|{_CODES})"
"""A sign or a code of a currency."""

# Thousands are also separated by blanks, those without a line break, and apostrophes.
_BLANKS = "' \u00a0\u202f’"
_DIGITS = {
    ".": rf"(?:\d{{1,3}}(?:[,{_BLANKS}]\d{{3}})+|\d+)(?:\.\d*)?|\.\d+",
    ",": rf"(?:\d{{1,3}}(?:[.{_BLANKS}]\d{{3}})+|\d+)(?:,\d*)?|,\d+",
}
_UNGROUPED = {".": r"\d+(?:\.\d*)?|\.\d+", ",": r"\d+(?:,\d*)?|,\d+"}


def number_pattern(decimal: DecimalMark, *, groups: bool = True) -> str:
    """Return the pattern of a written number.

    A sign, a currency before or after the digits, percent, parentheses for negative numbers, and
    thousands that are separated if `groups` says so.
    """
    digits = (_DIGITS if groups else _UNGROUPED)[decimal]
    exponent = r"(?:[eE][-+]?\d+)?"
    plain = rf"[-+]? ?(?:{CURRENCY} ?)?[-+]?(?:{digits}){exponent}(?: ?(?:{CURRENCY}|%))?"
    return (
        rf"^(?:{plain}|(?:{CURRENCY} ?)?\((?:{CURRENCY} ?)?(?:{digits})(?: ?(?:{CURRENCY}|%))?\))$"
    )


SURELY_GROUPED = r"^[-+]?\d{1,3}(?:(?:,\d{3})+\.\d*|(?:,\d{3}){2,})$"
"""A number whose commas can only separate thousands."""

DECIMAL_COMMA = (
    rf"^(?:{CURRENCY} ?)?[-+]?(?:\d+,(?:\d{{1,2}}|\d{{4,}})(?:[eE][-+]?\d+)?|\d{{4,}},\d+|0,\d+"
    rf"|\d{{1,3}}(?:\.\d{{3}})+,\d*)(?: ?(?:{CURRENCY}|%))?$"
)
"""A number whose comma cannot separate thousands."""

DATE = (
    r"^(\d{1,4})([-/.])(\d{1,2})([-/.])(\d{1,4})"
    r"(?:[ T](\d{1,2}):(\d{2})(?::(\d{2})(\.\d*)?)?(?: ?(Z|[+-]\d{2}:?\d{2}))?)?$"
)
"""A date in three numbers, with a time and an offset from UTC if there are any.

The groups: number, mark, number, mark, number, hour, minute, second, fraction, offset.
"""
