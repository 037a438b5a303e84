"""The encoder: all columns of a table, and the features that are derived from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from aslant.encoding import dates, table, target_encoding
from aslant.encoding.choice import declared_columns
from aslant.encoding.columns import Column, Options
from aslant.encoding.derived import MISSING, SHARE, Derived, share_name
from aslant.encoding.fitting import Matrix, fit_columns, numeric_columns, numeric_matrix
from aslant.encoding.missing_indicators import telling


class FeatureEncoder:
    """Learns the kinds of columns, their levels, and the features derived from them.

    A tree reads features: first one for each input column, then the derived ones.

    Attributes
    ----------
    columns_ : list of Column
        What was found out about each input column.
    derived : list of Derived
        The features after those of the columns.
    class_names : list of str
        The classes, where there are shares of them.
    shares : dict
        For each column read by the shares of the classes, the shares by level and class.
    """

    def __init__(
        self,
        columns: list[Column],
        derived: Sequence[Derived] = (),
        class_names: Sequence[str] = (),
        class_shares: dict[int, npt.NDArray[np.float64]] | None = None,
    ) -> None:
        self.columns_ = columns
        self.derived = list(derived)
        self.class_names = list(class_names)
        self.shares = class_shares or {}
        self._with_holes: list[int] = []  # columns of which to ask whether holes tell anything

    # ------------------------------------------------------------------ fitting

    @classmethod
    def fit(
        cls, estimator: BaseEstimator, X: Any, categorical_features: Any, options: Any = None
    ) -> tuple[FeatureEncoder, Matrix]:
        """Learn the encoding of X; return it with the encoded matrix.

        Columns that are to be read by the shares of the classes are level codes in it, until
        `learn_classes` has seen the classes.
        """
        options = options or Options()
        options.check()
        names = table.column_names(X)
        by_type = isinstance(categorical_features, str) and categorical_features == "from_dtype"
        if not (categorical_features is None or by_type):
            X = table.as_table(X)
        declared = declared_columns(X, categorical_features)
        if declared or (by_type and table.holds_objects(X)) or table.holds_dates(X):
            X = table.as_table(X)
            table.n_rows(X)  # refuses none
            encoder = cls(fit_columns(X, names, declared, options, by_type=by_type))
            validate_data(estimator, X, skip_check_array=True)
            encoded: Matrix = encoder._encoded_columns(X)
        else:
            encoded = numeric_matrix(estimator, X, reset=True)
            encoder = cls(numeric_columns(X, encoded, names))
        return encoder, encoder._with_derived(encoded, options)

    def _with_derived(self, encoded: Matrix, options: Options) -> Matrix:
        for j, column in enumerate(self.columns_):
            if column.kind == "date":
                self.derived += [Derived(j, part) for part in dict.fromkeys(options.date_parts)]
        self._with_holes = [j for j, c in enumerate(self.columns_) if 0.0 < c.missing < 1.0]
        if issparse(encoded):
            if options.indicator == "always" and self._with_holes:
                raise ValueError("missing='indicator' needs dense data, got a sparse matrix.")
            self._with_holes = []
        if options.indicator == "always":
            self.derived += [Derived(j, MISSING) for j in self._with_holes]
        if options.indicator != "telling":
            self._with_holes = []
        return self._append_derived(encoded)

    def learn_classes(
        self,
        encoded: Matrix,
        y: npt.NDArray[Any],
        weight: npt.NDArray[np.float64],
        class_names: Sequence[str],
    ) -> Matrix:
        """Learn what depends on the classes; return the training rows with what it adds."""
        if self._with_holes:
            holes = np.isnan(encoded[:, self._with_holes])
            told = telling(holes, y, weight)
            if told.any():
                telling_columns = np.array(self._with_holes)[told].tolist()
                self.derived += [Derived(j, MISSING) for j in telling_columns]
                encoded = np.column_stack([encoded, holes[:, told]]).astype(
                    encoded.dtype, copy=False
                )
        if any(column.encoding == "shares" for column in self.columns_):
            encoded = self._learn_shares(encoded, y, weight, class_names)
        return encoded

    def _learn_shares(
        self,
        encoded: Matrix,
        y: npt.NDArray[Any],
        weight: npt.NDArray[np.float64],
        class_names: Sequence[str],
    ) -> Matrix:
        """Learn the shares of the classes; return the training rows with shares out of fold."""
        self.class_names = list(class_names)
        fold = target_encoding.deal_into_folds(encoded, y)
        columns = [j for j, column in enumerate(self.columns_) if column.encoding == "shares"]
        # Of two classes one share says everything, the second one's.
        first, others = (1, []) if len(class_names) == 2 else (0, range(1, len(class_names)))
        encoded = np.array(encoded)
        added = []
        for j in columns:
            shape = len(self.columns_[j].levels), len(class_names)
            code = encoded[:, j].astype(np.float64)
            self.shares[j] = target_encoding.class_shares(code, y, weight, shape)
            found = target_encoding.out_of_fold_shares(code, y, weight, shape, fold)
            encoded[:, j] = found[:, min(first, len(class_names) - 1)]
            self.derived += [Derived(j, SHARE, k) for k in others]
            added += [found[:, k] for k in others]
        return np.column_stack([encoded, *added]) if added else encoded

    # ------------------------------------------------------------------ encoding

    def transform(self, estimator: BaseEstimator, X: Any) -> Matrix:
        """Encode other rows of the same columns."""
        numeric = all(column.kind in ("number", "boolean") for column in self.columns_)
        if numeric and not table.holds_objects(X):
            return self._append_derived(numeric_matrix(estimator, X, reset=False))
        X = table.as_table(X)
        validate_data(estimator, X, reset=False, skip_check_array=True)
        return self._append_derived(self._encoded_columns(X))

    def _encoded_columns(self, X: Any) -> npt.NDArray[np.float64]:
        encoded = np.empty((table.n_rows(X), len(self.columns_)))
        for j, column in enumerate(self.columns_):
            if column.kind in ("number", "boolean"):
                encoded[:, j] = column.encode(table.plain_values(X, j, column.kind))
            else:
                encoded[:, j] = column.encode(table.values(X, j))
        return encoded

    def _append_derived(self, encoded: Matrix) -> Matrix:
        """Return the matrix with the derived features, and with shares where they are learned."""
        if not self.derived and not self.shares:
            return encoded
        found = {
            j: target_encoding.looked_up(learned, encoded[:, j].astype(np.float64))
            for j, learned in self.shares.items()
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
            whole[:, j] = share[:, self._first_class()]
        return whole

    def _first_class(self) -> int:
        """Return the class whose share stands in the place of the column."""
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
        """Return the names of all features, if the input columns are called so."""
        names = list(input_names)
        for j in self.shares:
            names[j] = share_name(input_names[j], self.class_names[self._first_class()])
        return names + [one.name(input_names[one.source], self.class_names) for one in self.derived]

    @property
    def source(self) -> npt.NDArray[np.intp]:
        """The input column that each feature is made from."""
        own = list(range(len(self.columns_)))
        return np.array(own + [one.source for one in self.derived], dtype=np.intp)

    @property
    def categories(self) -> dict[int, list[Any]]:
        """For each feature that is read by its levels, the levels in the order of their codes."""
        return {j: c.levels for j, c in enumerate(self.columns_) if c.encoding == "levels"}

    @property
    def ordered(self) -> dict[int, list[Any]]:
        """For each feature that is the place of a level in an order, the levels."""
        return {j: c.levels for j, c in enumerate(self.columns_) if c.kind == "ordered"}

    @property
    def dates(self) -> set[int]:
        """The features that are days since 1970 began."""
        return {j for j, column in enumerate(self.columns_) if column.kind == "date"}

    @property
    def flags(self) -> set[int]:
        """The features that are 1 where a column is missing, else 0."""
        n_columns = len(self.columns_)
        return {n_columns + i for i, one in enumerate(self.derived) if one.what == MISSING}

    def columns(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """Return feature and level (-1: a number) of every column a linear test may read."""
        feature: list[int] = []
        level: list[int] = []
        categories = self.categories
        for j in range(len(self.columns_) + len(self.derived)):
            # A category that is always missing keeps a column, though nothing is ever in it.
            levels = range(max(1, len(categories[j]))) if j in categories else [-1]
            feature += [j] * len(levels)
            level += levels
        return np.array(feature, dtype=np.int32), np.array(level, dtype=np.int32)

    def rename(self, names: Sequence[str]) -> None:
        """Give the input columns other names."""
        self.columns_ = [
            replace(column, name=name) for column, name in zip(self.columns_, names, strict=True)
        ]

    # ------------------------------------------------------------------ keeping

    def to_state(self) -> dict[str, Any]:
        """Return the encoding as plain values, to be saved."""
        return {
            "columns": [column.to_state() for column in self.columns_],
            "derived": [[one.source, one.what, one.class_code] for one in self.derived],
            "class_names": self.class_names,
            "shares": [[j, learned] for j, learned in self.shares.items()],
        }

    @classmethod
    def from_state(cls, state: dict[str, Any]) -> FeatureEncoder:
        """Rebuild the encoding from what `to_state` returned, here or in version 1 of the file."""
        if "columns" not in state:
            levels = {int(j): list(v) for j, v in state["categories"]}
            names = state["feature_names"]
            return cls([_column_of_version_1(name, levels.get(j)) for j, name in enumerate(names)])
        encoder = cls(
            [Column.from_state(column) for column in state["columns"]],
            [Derived(int(source), str(what), int(k)) for source, what, k in state["derived"]],
            [str(name) for name in state["class_names"]],
            {int(j): np.asarray(learned, dtype=np.float64) for j, learned in state["shares"]},
        )
        encoder._check()
        return encoder

    def _check(self) -> None:
        """Raise ValueError if columns, derived features and shares do not belong together."""
        n_columns, n_classes = len(self.columns_), len(self.class_names)
        for one in self.derived:
            known = one.what in (MISSING, *dates.DATE_PARTS) or (
                one.what == SHARE and one.source in self.shares and 0 <= one.class_code < n_classes
            )
            if not known or not 0 <= one.source < n_columns:
                raise ValueError(f"there is no feature {one.what!r:.80} of column {one.source}")
        by_shares = {j for j, column in enumerate(self.columns_) if column.encoding == "shares"}
        shapes = {j: (len(self.columns_[j].levels) + 1, n_classes) for j in by_shares}
        if {j: learned.shape for j, learned in self.shares.items()} != shapes:
            raise ValueError("the shares of the classes are not those of the columns' levels")


def _column_of_version_1(name: str, levels: list[Any] | None) -> Column:
    if levels is None:
        return Column(name, "number")
    return Column(name, "category", levels=levels, encoding="levels")
