"""Printable names of features, levels and classes.

A name that could be mistaken for a part of a formula (``a - b``, ``x<=3``, ``a, b``) is printed in
quotes, so that every formula can be read in one way only.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from aslant.encoding.derived import MISSING


@dataclass(frozen=True)
class Names:
    """Printable names of the features, of the levels of categories, and of the classes.

    `ordered`, `dates` and `flags` tell which numeric features are ordered levels, dates, and
    indicators of missing values; `gaps` are the features with missing values. `source` is the input
    that each feature is made of.
    """

    features: list[str]
    levels: dict[int, list[str]]
    classes: list[str]
    ordered: dict[int, list[str]] = field(default_factory=dict)
    dates: set[int] = field(default_factory=set)
    flags: set[int] = field(default_factory=set)
    gaps: set[int] = field(default_factory=set)
    source: list[int] = field(default_factory=list)


def names_of(
    resolved: Any,
    feature_names: Sequence[Any] | None = None,
    class_names: Sequence[Any] | None = None,
) -> Names:
    """Return the names to print: those given, else the estimator's own."""
    encoder = resolved.encoder_
    features: Sequence[Any] = encoder.feature_names
    if feature_names is not None:
        own = features[: resolved.n_features_in_]
        given = _chosen("feature_names", feature_names, own)
        features = encoder.names_from([str(name) for name in given])
    labels = getattr(resolved, "classes_", np.zeros(0)).tolist()  # a regressor has none
    classes = _chosen("class_names", class_names, labels)
    return Names(
        features=_distinct([_feature_text(str(name)) for name in features]),
        levels={j: _label_texts(own) for j, own in encoder.categories.items()},
        classes=_label_texts(classes),
        ordered={j: _label_texts(own) for j, own in encoder.ordered.items()},
        dates=encoder.dates,
        flags=encoder.flags,
        gaps=_with_missing_values(encoder),
        source=[int(j) for j in encoder.source],
    )


def _with_missing_values(encoder: Any) -> set[int]:
    """Return the features that had missing values in training."""
    had = [column.missing > 0.0 for column in encoder.columns_]
    return {j for j, source in enumerate(encoder.source) if had[source]} - encoder.flags


def _chosen(parameter: str, given: Sequence[Any] | None, own: Sequence[Any]) -> Sequence[Any]:
    if given is None:
        return own
    if isinstance(given, str) or len(given) != len(own):
        length = "a string" if isinstance(given, str) else str(len(given))
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
    if name.endswith(f" {MISSING}"):  # quotes are around the name of the column
        return f"{_feature_text(name.removesuffix(f' {MISSING}'))} {MISSING}"
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
