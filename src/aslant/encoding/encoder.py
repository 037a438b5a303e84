"""The encoder: the columns of a table, and the features that are derived from them."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse
from sklearn.base import BaseEstimator

from aslant.encoding import dates, target_encoding
from aslant.encoding.choice import declared_columns
from aslant.encoding.columns import Column, Options
from aslant.encoding.data_warning import DataWarning
from aslant.encoding.derived import MISSING, SHARE, Derived, share_name
from aslant.encoding.fitting import (
    Matrix,
    check_columns,
    fit_columns,
    needs_no_change,
    numeric_columns,
    numeric_matrix,
)
from aslant.encoding.missing_indicators import informative
from aslant.encoding.table import InputTable, needs_columns, read_table
from aslant.encoding.weights import own_weights


class FeatureEncoder:
    """Learns the kinds of columns, their levels, and the features derived from them.

    A tree reads features: first one for each input column, then the derived ones.

    Attributes
    ----------
    columns_ : list of Column
        Kind, levels and encoding of each input column.
    derived : list of Derived
        The features after those of the columns.
    class_names : list of str
        The classes, where there are target encodings.
    target_encodings : dict
        For each target-encoded column, the value of each level (a row) for each class (a column);
        the last row is for levels unseen in training.
    """

    def __init__(
        self,
        columns: list[Column],
        derived: Sequence[Derived] = (),
        class_names: Sequence[str] = (),
        target_encodings: dict[int, npt.NDArray[np.float64]] | None = None,
    ) -> None:
        self.columns_ = columns
        self.derived = list(derived)
        self.class_names = list(class_names)
        self.target_encodings = target_encodings or {}
        self._to_test: list[int] = []  # columns whose missingness may be informative

    # ------------------------------------------------------------------ fitting

    @classmethod
    def fit(
        cls,
        estimator: BaseEstimator,
        X: Any,
        categorical_features: Any,
        options: Any = None,
        sample_weight: Any = None,
    ) -> tuple[FeatureEncoder, Matrix]:
        """Learn the encoding of X; return it with the encoded matrix.

        Rows of weight zero are encoded, but nothing is learned from them. Target-encoded columns
        are level codes in the matrix, until `learn_classes` has seen the classes.
        """
        options = options or Options()
        options.check()
        by_type = isinstance(categorical_features, str) and categorical_features == "from_dtype"
        named = not (categorical_features is None or by_type)
        declared = declared_columns(read_table(X), categorical_features) if named else []
        if declared or needs_columns(X, by_type=by_type):
            table = read_table(X)
            table.check_not_empty()
            check_columns(estimator, X, reset=True)
            training = table.take(_weighted_rows(sample_weight, table.n_rows))
            encoder = cls(fit_columns(training, declared, options, by_type=by_type))
            encoded: Matrix = encoder._encoded_columns(table)
        else:
            encoded = numeric_matrix(estimator, X, reset=True)
            rows = _weighted_rows(sample_weight, encoded.shape[0])
            encoder = cls(numeric_columns(X, encoded if rows is None else encoded[rows]))
        return encoder, encoder._with_derived(encoded, options)

    def _with_derived(self, encoded: Matrix, options: Options) -> Matrix:
        self.add_date_parts(options)
        incomplete = self.incomplete_columns()
        if issparse(encoded):
            if options.indicator == "always" and incomplete:
                raise ValueError("missing='indicator' needs dense data, got a sparse matrix.")
            incomplete = []
        if options.indicator == "always":
            self.add_missing_indicators(incomplete)
        self._to_test = incomplete if options.indicator == "informative" else []
        return self._append_derived(encoded)

    def add_date_parts(self, options: Options) -> None:
        """Add the parts of all dates to the features."""
        for j in sorted(self.dates):
            self.derived += [Derived(j, part) for part in dict.fromkeys(options.date_parts)]

    def add_missing_indicators(self, columns: Sequence[int]) -> None:
        """Add missing indicators of columns to the features."""
        self.derived += [Derived(j, MISSING) for j in columns]

    def incomplete_columns(self) -> list[int]:
        """Return the columns of which some training rows are missing, and some are not."""
        return [j for j, column in enumerate(self.columns_) if 0.0 < column.missing < 1.0]

    def learn_classes(
        self,
        encoded: Matrix,
        y: npt.NDArray[Any],
        weight: npt.NDArray[np.float64],
        class_names: Sequence[str],
    ) -> Matrix:
        """Learn what depends on the classes; return the training rows with what it adds."""
        if self._to_test:
            missing = np.isnan(encoded[:, self._to_test])
            found = informative(missing, y, weight)
            if found.any():
                self.add_missing_indicators(np.array(self._to_test)[found].tolist())
                encoded = np.column_stack([encoded, missing[:, found]]).astype(
                    encoded.dtype, copy=False
                )
        if any(column.encoding == "target" for column in self.columns_):
            encoded = self._learn_target_encodings(encoded, y, weight, class_names)
        return encoded

    def _learn_target_encodings(
        self,
        encoded: Matrix,
        y: npt.NDArray[Any],
        weight: npt.NDArray[np.float64],
        class_names: Sequence[str],
    ) -> Matrix:
        """Learn the target encodings; return the training rows encoded out of fold."""
        fold = target_encoding.deal_into_folds(encoded, y)
        found, out_of_fold = {}, {}
        for j, n_levels in self.target_encoded.items():
            code, shape = encoded[:, j].astype(np.float64), (n_levels, len(class_names))
            found[j] = target_encoding.class_shares(code, y, weight, shape)
            out_of_fold[j] = target_encoding.out_of_fold_shares(code, y, weight, shape, fold)
        self.add_target_encodings(found, class_names)
        n_added = len(self.source) - encoded.shape[1]
        encoded = np.column_stack([encoded, np.zeros((len(encoded), n_added), encoded.dtype)])
        return self.with_target_encodings(encoded, out_of_fold)

    @property
    def target_encoded(self) -> dict[int, int]:
        """The target-encoded columns, and the number of their levels."""
        found = enumerate(self.columns_)
        return {j: len(column.levels) for j, column in found if column.encoding == "target"}

    def add_target_encodings(
        self, found: dict[int, npt.NDArray[np.float64]], class_names: Sequence[str]
    ) -> None:
        """Keep the target encoding of each column, and add the features of further classes."""
        self.class_names, self.target_encodings = list(class_names), found
        # Of two classes one is enough, the second.
        others = [] if len(class_names) == 2 else range(1, len(class_names))
        self.derived += [Derived(j, SHARE, k) for j in found for k in others]

    def with_target_encodings(
        self, encoded: Matrix, encodings: dict[int, npt.NDArray[np.float64]]
    ) -> Matrix:
        """Write the target encodings of rows, by column and class, into the rows; return them."""
        for j, encoding in encodings.items():
            encoded[:, j] = encoding[:, self.first_class]
        for place, one in enumerate(self.derived, start=len(self.columns_)):
            if one.what == SHARE:
                encoded[:, place] = encodings[one.source][:, one.class_code]
        return encoded

    # ------------------------------------------------------------------ encoding

    def transform(self, estimator: BaseEstimator, X: Any) -> Matrix:
        """Encode other rows of the same columns.

        Raises
        ------
        ValueError
            If the columns differ from those of the fit in number, name, order or kind.
        """
        numeric = all(column.kind in ("number", "boolean") for column in self.columns_)
        if numeric and needs_no_change(estimator, X):
            return self._append_derived(X)
        if numeric and not needs_columns(X, by_type=True):
            return self._append_derived(numeric_matrix(estimator, X, reset=False))
        table = read_table(X)
        check_columns(estimator, X, reset=False)
        table.check_not_empty()
        unseen: dict[str, str] = {}
        encoded = self._encoded_columns(table, unseen)
        if unseen:
            listed = "; ".join(f"column {name!r} {what}" for name, what in unseen.items())
            warnings.warn(
                f"There are levels that training did not see: {listed}.", DataWarning, stacklevel=4
            )
        return self._append_derived(encoded)

    def _encoded_columns(
        self, table: InputTable, unseen: dict[str, str] | None = None
    ) -> npt.NDArray[np.float64]:
        encoded = np.empty((table.n_rows, len(self.columns_)))
        for j, column in enumerate(self.columns_):
            encoded[:, j] = column.encode(table.columns[j], unseen)
        return encoded

    def level_codes(self, X: Any, j: int) -> npt.NDArray[np.float64]:
        """Return the level codes of a category, which may be target encoded: -1 if unseen."""
        return self.columns_[j].encode(read_table(X).columns[j])

    def _append_derived(self, encoded: Matrix) -> Matrix:
        """Return the matrix with the derived features and the target encodings learned so far."""
        if not self.derived and not self.target_encodings:
            return encoded
        found = {
            j: target_encoding.looked_up(learned, encoded[:, j].astype(np.float64))
            for j, learned in self.target_encodings.items()
        }
        added = []
        for one in self.derived:
            column = encoded[:, one.source]
            if one.what == MISSING:
                added.append(np.isnan(column))
            elif one.what == SHARE:
                added.append(found[one.source][:, one.class_code])
            else:
                added.append(dates.part(column, one.what))
        whole = np.column_stack([encoded, *added]).astype(encoded.dtype, copy=False)
        for j, share in found.items():
            whole[:, j] = share[:, self.first_class]
        return whole

    def values_by_code(self, j: int, class_code: int | None = None) -> tuple[float, ...]:
        """Return the target encoding of each level of a column, then that of any other level."""
        learned = self.target_encodings[j][
            :, self.first_class if class_code is None else class_code
        ]
        # Where levels were merged, the last of them, "other", is also that of unseen levels.
        return tuple((learned[:-1] if self.columns_[j].merged else learned).tolist())

    @property
    def first_class(self) -> int:
        """The class whose target encoding takes the place of the column."""
        return 1 if len(self.class_names) == 2 else 0

    # ------------------------------------------------------------------ what a tree reads

    @property
    def input_names(self) -> list[str]:
        """Names of the input columns, ``x0, x1, ...`` if they have none."""
        return [column.name for column in self.columns_]

    @property
    def feature_names(self) -> list[str]:
        """Names of all features: the columns', then those derived from them."""
        return self.names_from(self.input_names)

    def names_from(self, input_names: Sequence[str]) -> list[str]:
        """Return the names of all features, given those of the input columns."""
        names = list(input_names)
        for j in self.target_encodings:
            names[j] = share_name(input_names[j], self.class_names[self.first_class])
        return names + [one.name(input_names[one.source], self.class_names) for one in self.derived]

    @property
    def source(self) -> npt.NDArray[np.intp]:
        """The input column that each feature is made from."""
        own = list(range(len(self.columns_)))
        return np.array(own + [one.source for one in self.derived], dtype=np.intp)

    @property
    def categories(self) -> dict[int, list[Any]]:
        """The levels of each feature that is read by its levels, in the order of their codes."""
        return {j: c.levels for j, c in enumerate(self.columns_) if c.encoding == "levels"}

    @property
    def ordered(self) -> dict[int, list[Any]]:
        """The levels of each ordered feature, in their order."""
        return {j: c.levels for j, c in enumerate(self.columns_) if c.kind == "ordered"}

    @property
    def dates(self) -> set[int]:
        """The features that are days since 1970 began."""
        return {j for j, column in enumerate(self.columns_) if column.kind == "date"}

    @property
    def flags(self) -> set[int]:
        """The features that are missing indicators."""
        n_columns = len(self.columns_)
        return {n_columns + i for i, one in enumerate(self.derived) if one.what == MISSING}

    def columns(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """Return feature and level (-1: none) of every column that a linear test may read."""
        feature: list[int] = []
        level: list[int] = []
        categories = self.categories
        for j in range(len(self.columns_) + len(self.derived)):
            # A category without levels keeps one column, which is always zero.
            levels = range(max(1, len(categories[j]))) if j in categories else [-1]
            feature += [j] * len(levels)
            level += levels
        return np.array(feature, dtype=np.int32), np.array(level, dtype=np.int32)

    def keep_date_formats(self, formats: dict[str, str]) -> None:
        """Keep how the dates of columns were written, for later rows that are text."""
        self.columns_ = [
            replace(column, date_format=formats.get(column.name, column.date_format))
            for column in self.columns_
        ]

    # ------------------------------------------------------------------ keeping

    def to_state(self) -> dict[str, Any]:
        """Return the encoding as plain values, to be saved."""
        return {
            "columns": [column.to_state() for column in self.columns_],
            "derived": [[one.source, one.what, one.class_code] for one in self.derived],
            "class_names": self.class_names,
            "shares": [[j, learned] for j, learned in self.target_encodings.items()],
        }

    @classmethod
    def from_state(cls, state: dict[str, Any]) -> FeatureEncoder:
        """Rebuild the encoding from what `to_state` returned, or from older files."""
        if "columns" not in state:  # files of format 2 that knew numbers and levels only
            levels = {int(j): list(v) for j, v in state["categories"]}
            return cls(
                [
                    Column(name, "category", levels=levels[j], encoding="levels")
                    if j in levels
                    else Column(name, "number")
                    for j, name in enumerate(state["feature_names"])
                ]
            )
        encoder = cls(
            [Column.from_state(column) for column in state["columns"]],
            [Derived(int(source), str(what), int(k)) for source, what, k in state["derived"]],
            [str(name) for name in state["class_names"]],
            {int(j): np.asarray(learned, dtype=np.float64) for j, learned in state["shares"]},
        )
        encoder._check()
        return encoder

    def _check(self) -> None:
        """Validate that columns, derived features and target encodings belong together."""
        n_columns, n_classes = len(self.columns_), len(self.class_names)
        for one in self.derived:
            known = one.what in (MISSING, *dates.DATE_PARTS) or (
                one.what == SHARE
                and one.source in self.target_encodings
                and 0 <= one.class_code < n_classes
            )
            if not known or not 0 <= one.source < n_columns:
                raise ValueError(f"there is no feature {one.what!r:.80} of column {one.source}")
        encoded = {j for j, column in enumerate(self.columns_) if column.encoding == "target"}
        shapes = {j: (len(self.columns_[j].levels) + 1, n_classes) for j in encoded}
        if {j: learned.shape for j, learned in self.target_encodings.items()} != shapes:
            raise ValueError("the target encodings are not those of the columns' levels")


def _weighted_rows(sample_weight: Any, n_rows: int) -> npt.NDArray[np.intp] | None:
    """Return the rows of positive weight; None for all."""
    if sample_weight is None:
        return None
    weight = own_weights(sample_weight, n_rows)
    return None if (weight > 0.0).all() or not weight.any() else np.flatnonzero(weight)
