"""The rows to compare on: encoded once, looked through for what cannot be compared on.

Everything that is wrong with the data is found here, before any tree grows, and said in one
sentence; what is merely suspicious becomes a remark that stays with the result.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import column_or_1d

from aslant.encoding import FeatureEncoder, check_labels
from aslant.systems.presets import CARTClassifier

# A target of more distinct numbers than this may be a quantity; of more than the second one, is.
_FEW_NUMBERS, _MANY_NUMBERS = 10, 50
# Levels of so many words, more of them than a legend could list, are sentences.
_WORDS_OF_A_TEXT, _LEVELS_OF_A_TEXT = 3, 20
_DATE = re.compile(
    r"(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})([ T]\d{1,2}:\d{2}.*)?"
)


@dataclass(frozen=True)
class Problem:
    """Labelled rows as every method gets them.

    Attributes
    ----------
    X : ndarray of float
        Numbers, and the codes of the levels of categories; NaN is missing.
    y : ndarray of int
        Class codes.
    labels : list
        The classes, in the order of their codes.
    names : list of str
        Names of the features.
    categorical : list of int
        Positions of the categorical features.
    remarks : tuple of str
        What the reader of a result must know of the rows.
    """

    X: npt.NDArray[np.floating[Any]]
    y: npt.NDArray[np.intp]
    labels: list[Any]
    names: list[str]
    categorical: list[int]
    remarks: tuple[str, ...] = field(default=())

    def __len__(self) -> int:
        return len(self.y)

    @property
    def n_classes(self) -> int:
        """How many classes there are."""
        return len(self.labels)

    @property
    def most_frequent(self) -> tuple[Any, float]:
        """The largest class, and the share of the rows it has."""
        counts = np.bincount(self.y)
        return self.labels[int(counts.argmax())], float(counts.max() / counts.sum())

    def sampled(self, n_rows: int, seed: int) -> Problem:
        """Return so many rows, chosen at random with the classes in the same shares."""
        if n_rows >= len(self):
            return self
        rng = np.random.default_rng(seed)
        by_class = np.lexsort((rng.random(len(self)), self.y))
        chosen = np.sort(by_class[np.linspace(0, len(self) - 1, n_rows).astype(int)])
        remark = f"a random sample of {n_rows} of the {len(self)} rows, to stay within the budget"
        return replace(self, X=self.X[chosen], y=self.y[chosen], remarks=(*self.remarks, remark))


def make_problem(
    X: Any, y: Any, categorical_features: Any, feature_names: Sequence[str] | None
) -> Problem:
    """Encode the rows and refuse those that no classifiers can be compared on.

    Raises
    ------
    ValueError
        If the target is a quantity or has one class, or a feature holds texts or dates.
    """
    _refuse_quantity(y)
    encoder, encoded = FeatureEncoder.fit(CARTClassifier(), X, categorical_features)
    with warnings.catch_warnings():  # of many classes, which are refused below in our own words
        warnings.simplefilter("ignore", UserWarning)
        labels, codes = np.unique(check_labels(y, len(encoded)), return_inverse=True)
    _check_classes(labels, codes)
    names = encoder.feature_names if feature_names is None else list(feature_names)
    if len(names) != encoded.shape[1]:
        raise ValueError(
            f"feature_names must have a name for each of the {encoded.shape[1]} features, got "
            f"{len(names)}."
        )
    for feature, levels in encoder.categories.items():
        _refuse_text(names[feature], levels)
    useless = _always_distinct_categories(encoder, encoded)
    kept = [j for j in range(len(names)) if j not in useless]
    if not kept:
        raise ValueError("every feature has another value in every row: there is nothing to learn.")
    remarks = [
        f"column {names[j]!r} was left out: it looks like an id, with another value in every row"
        for j in useless
    ]
    remarks += [
        f"column {names[j]!r} looks like an id: its values are distinct whole numbers; if it is "
        "one, leave it out"
        for j in kept
        if j not in encoder.categories and _distinct_integers(encoded[:, j])
    ]
    return Problem(
        X=encoded[:, kept] if useless else encoded,
        y=codes,
        labels=labels.tolist(),
        names=[names[j] for j in kept],
        categorical=[position for position, j in enumerate(kept) if j in encoder.categories],
        remarks=tuple(remarks),
    )


# ---------------------------------------------------------------------- the target


def _refuse_quantity(y: Any) -> None:
    """Refuse a target of many distinct numbers."""
    numbers = _as_numbers(y)
    if numbers is None or not np.isfinite(numbers).all():  # missing labels have their own message
        return
    distinct = np.unique(numbers)
    fractional = bool((distinct != np.round(distinct)).any())
    if len(distinct) > _FEW_NUMBERS and (
        fractional or len(distinct) > min(_MANY_NUMBERS, len(numbers) / 5)
    ):
        raise ValueError(
            f"the target looks like a quantity, not like classes: it has {len(distinct)} distinct "
            f"numbers in {len(numbers)} rows; cut it into intervals or, if these are classes, "
            "write them as words."
        )


def _as_numbers(y: Any) -> npt.NDArray[np.float64] | None:
    """Return labels that are all numbers, also where they are written as text, else None."""
    labels = column_or_1d(y)
    if labels.dtype.kind == "b":
        return None
    try:
        return labels.astype(np.float64)
    except (TypeError, ValueError):
        return None


def _check_classes(labels: npt.NDArray[Any], codes: npt.NDArray[np.intp]) -> None:
    if len(labels) < 2:
        raise ValueError(f"the target has only one class, {labels.tolist()[0]!r}.")
    if np.bincount(codes).max() < 2:
        raise ValueError(
            f"the target has another value in each of the {len(codes)} rows: classes need several "
            "rows each."
        )


# ---------------------------------------------------------------------- the features


def _refuse_text(name: str, levels: list[Any]) -> None:
    """Refuse a category whose levels are dates or sentences."""
    texts = [level for level in levels if isinstance(level, str)]
    if not texts or len(texts) < len(levels):
        return
    if all(_DATE.fullmatch(text) for text in texts):
        raise ValueError(
            f"column {name!r} holds dates, such as {texts[0]!r}; make numbers of them (days since "
            "a day, the month), or leave the column out."
        )
    words = np.mean([len(text.split()) for text in texts])
    if len(texts) > _LEVELS_OF_A_TEXT and words >= _WORDS_OF_A_TEXT:
        shown = texts[0] if len(texts[0]) <= 40 else texts[0][:37] + "..."
        raise ValueError(
            f"column {name!r} holds free text, such as {shown!r}; trees need numbers or "
            "categories: leave the column out."
        )


def _always_distinct_categories(
    encoder: FeatureEncoder, encoded: npt.NDArray[np.floating[Any]]
) -> list[int]:
    """Return the categories with a level a row: no other row can ever have one of them."""
    rows = (~np.isnan(encoded)).sum(axis=0)
    return [
        j
        for j, levels in encoder.categories.items()
        if len(levels) > 2 and len(levels) == rows[j] == len(encoded)
    ]


def _distinct_integers(column: npt.NDArray[np.floating[Any]]) -> bool:
    return bool(len(column) > 2 and (column == np.round(column)).all()) and len(
        np.unique(column)
    ) == len(column)
