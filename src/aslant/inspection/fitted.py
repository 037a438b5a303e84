"""What the exports read from a fitted estimator, and the names they print.

A name that could be mistaken for a part of a formula (``a - b``, ``x<=3``, ``a, b``) is printed in
quotes, so that every formula can be read in one way only.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from aslant.inspection.units import without_pipeline
from aslant.tree.tree import Tree


class Encoder(Protocol):
    """The names behind the numbers that a tree reads."""

    @property
    def feature_names(self) -> list[str]:
        """Names of all features that the tree reads."""

    @property
    def categories(self) -> dict[int, list[Any]]:
        """Levels of the features that are read by their levels."""

    @property
    def ordered(self) -> dict[int, list[Any]]:
        """Levels of the features that are numbers of ordered levels."""

    @property
    def dates(self) -> set[int]:
        """The features that are dates, in days since 1970 began."""

    @property
    def flags(self) -> set[int]:
        """The features that are 1 where another one is missing, else 0."""

    def names_from(self, input_names: Sequence[str]) -> list[str]:
        """Return the names of all features, if the input columns are called so."""


class FittedTree(Protocol):
    """A fitted estimator that holds one tree."""

    tree_: Tree
    n_features_in_: int
    classes_: npt.NDArray[Any]
    encoder_: Encoder

    def _encoded(self, X: Any, *, dense: bool = False) -> npt.NDArray[np.floating[Any]]:
        """Return rows as the tree reads them."""


def single_tree(clf: Any, caller: str) -> FittedTree:
    """Return the estimator if it is fitted and holds one tree; else raise one clear error."""
    check_is_fitted(clf)
    clf = without_pipeline(clf, caller)
    if hasattr(clf, "estimators_"):
        raise TypeError(
            f"{caller} shows one tree, and {type(clf).__name__} holds {len(clf.estimators_)}: "
            f"call {caller}(clf.estimators_[i]) for one of them."
        )
    if not isinstance(getattr(clf, "tree_", None), Tree):
        raise TypeError(f"{caller} needs a fitted tree of aslant, got {type(clf).__name__}.")
    return cast(FittedTree, clf)


@dataclass(frozen=True)
class Names:
    """Printable names: of the features, of the levels of each category, and of the classes.

    Some features are not what their number is: levels in an order, dates, and flags for what is
    missing.
    """

    features: list[str]
    levels: dict[int, list[str]]
    classes: list[str]
    ordered: dict[int, list[str]] = field(default_factory=dict)
    dates: set[int] = field(default_factory=set)
    flags: set[int] = field(default_factory=set)


def names_of(
    clf: FittedTree,
    feature_names: Sequence[Any] | None = None,
    class_names: Sequence[Any] | None = None,
) -> Names:
    """Return the names to print, with the caller's own in place of the estimator's if given."""
    encoder = clf.encoder_
    features: Sequence[Any] = encoder.feature_names
    if feature_names is not None:
        own = features[: clf.n_features_in_]
        given = _chosen("feature_names", feature_names, own)
        features = encoder.names_from([str(name) for name in given])
    labels = getattr(clf, "classes_", np.zeros(0)).tolist()  # none where numbers are predicted
    classes = _chosen("class_names", class_names, labels)
    return Names(
        features=_distinct([_feature_text(str(name)) for name in features]),
        levels={j: _label_texts(own) for j, own in encoder.categories.items()},
        classes=_label_texts(classes),
        ordered={j: _label_texts(own) for j, own in encoder.ordered.items()},
        dates=encoder.dates,
        flags=encoder.flags,
    )


def _chosen(parameter: str, given: Sequence[Any] | None, own: Sequence[Any]) -> Sequence[Any]:
    if given is None:
        return own
    if isinstance(given, str) or len(given) != len(own):
        length = "one text" if isinstance(given, str) else str(len(given))
        raise ValueError(f"{parameter} must hold {len(own)} names, got {length}.")
    return np.asarray(given, dtype=object).tolist()


# Characters and words that formulas are made of.
_FORMULA = re.compile(r'[*+<>={}\[\],"\\]| - |^\s|\s$|^$')


def _label_texts(labels: Sequence[Any]) -> list[str]:
    """Labels as text; where a number and a text look alike, the text is quoted."""
    texts = [str(label) for label in labels]
    alike = {text for text, count in Counter(texts).items() if count > 1}
    return [
        _quoted(text) if isinstance(label, str) and (text in alike or _unclear(text)) else text
        for label, text in zip(labels, texts, strict=True)
    ]


def _feature_text(name: str) -> str:
    # "2", "-a" and "a not" would read as a number, as minus a, and as the beginning of "not in".
    if _unclear(name) or _is_number(name) or name.startswith("-") or name.endswith(" not"):
        return _quoted(name)
    return name


def _distinct(names: list[str]) -> list[str]:
    """Tell features of the same name apart by their column."""
    counts = Counter(names)
    return [name if counts[name] == 1 else f"{name} (column {j})" for j, name in enumerate(names)]


def _unclear(text: str) -> bool:
    return not text.isprintable() or _FORMULA.search(text) is not None


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=not text.isprintable())
