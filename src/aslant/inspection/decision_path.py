"""`explain`: the path of every row through the trees, and the part of each feature in a test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import is_classifier

from aslant.inspection.formula import Style
from aslant.inspection.reading import Reading, reading_of
from aslant.inspection.resolve import encoded_rows, members_of, on_encoded_rows, outputs, resolve
from aslant.inspection.rounding import number
from aslant.inspection.rows import KnownRows, column_values
from aslant.inspection.tables import row_labels
from aslant.tree.linear_function import linear_leaves_of
from aslant.tree.split import HyperplaneSplit, LinearMachineSplit
from aslant.tree.tree import Tree
from aslant.utils.checks import check_number

Array = npt.NDArray[np.float64]

_FORMULA_TERMS = 3
_DIGITS = 4


@dataclass(frozen=True)
class PathStep:
    """A test that a row passed, or an output of the linear leaf that it reached.

    Attributes
    ----------
    tree, node : int
        Where the test or the leaf is.
    question, answer : str
        The test as `export_text` writes it, with its largest terms, and the answer of the row. Of a
        leaf, the name of the output (``value``, ``log-odds of b``) and its value.
    at_mean : float
        Distance of the mean of the node's rows from the threshold; of a linear machine, how far the
        branch taken is above the next best one; of a leaf, its output at the mean.
    features, values, parts : tuple
        For each feature that the test or leaf reads: its name, the row's value (None if missing),
        and its part, ``coef * (value - mean)``. A missing value counts as the mean, so its part
        is 0.
    is_leaf : bool
        Whether this is an output of a leaf.
    distance : float
        How far the row is from the boundary of the test, or from log-odds of 0, in standard
        deviations of the features over the training rows; infinite for other outputs of leaves.
    sign : int
        1 if positive parts lead to the answer, -1 if negative ones do; of a leaf of values, the
        sign of the sum of its parts.
    """

    tree: int
    node: int
    question: str
    answer: str
    at_mean: float
    features: tuple[str, ...]
    values: tuple[Any, ...]
    parts: tuple[float, ...]
    is_leaf: bool = False
    distance: float = np.inf
    sign: int = 1

    @property
    def margin(self) -> float:
        """`at_mean` plus all parts: distance from the threshold, or output before it is clipped."""
        return self.at_mean + float(np.sum(self.parts))

    def entries(self, max_terms: int, digits: int) -> list[tuple[str, float]]:
        """Return ``age = 38`` and its part, the largest parts first, the others summed."""
        order = np.argsort(-np.abs(self.parts), kind="stable")
        entries = []
        for k in order[:max_terms]:
            value = self.values[k]
            shown = number(value, digits) if isinstance(value, float) else str(value)
            shown = "missing" if value is None else shown
            entries.append((f"{self.features[k]} = {shown}", self.parts[k]))
        if len(order) > max_terms:
            rest = float(sum(self.parts[k] for k in order[max_terms:]))
            entries.append((f"{len(order) - max_terms} smaller", rest))
        return entries


@dataclass(frozen=True)
class Explanation:
    """The paths of rows through a model.

    Attributes
    ----------
    rows : list
        Labels of the rows: the index of a data frame, else 0, 1, ...
    steps : list of list of PathStep
        The tests of each row, from the root of the first tree.
    predictions : ndarray
        The predictions.
    probabilities : ndarray of shape (n_rows, n_classes) or None
        The class probabilities; None for a regressor.
    feature_names : list of str
        The names of the features.
    """

    rows: list[Any]
    steps: list[list[PathStep]]
    predictions: npt.NDArray[Any]
    probabilities: Array | None
    feature_names: list[str]

    @property
    def distances(self) -> Array:
        """How far each row is from the nearest boundary on its path, in standard deviations."""
        return np.array([min([np.inf, *(one.distance for one in own)]) for own in self.steps])

    @property
    def contributions(self) -> list[dict[str, float]]:
        """For each row of a model of one tree, what each feature on its path contributes.

        In a test, the part of a feature is divided by the sum of the sizes of all parts. It is
        positive if it leads to the answer, else negative; contributions are the sums over the path.
        A linear leaf counts as a test: whether its value is above that at the mean; of classes, how
        far the most probable one is above the next.
        """
        if any(step.tree > 0 for steps in self.steps for step in steps):
            raise ValueError("contributions needs a model of one tree, got several trees.")
        has_classes = self.probabilities is not None
        return [_contributions(steps, has_classes) for steps in self.steps]

    def reasons(self, n: int = 3) -> list[list[str]]:
        """Return for each row the features that contribute most, the largest first.

        Parameters
        ----------
        n : int, default=3
            The largest number of features of a row. Only contributions above 0 are reasons; of
            equal ones, to nine decimals, the first feature comes first.
        """
        check_number("n", n, 1, integer=True)
        found = []
        for own in self.contributions:
            units = [np.floor(own.get(name, 0.0) * 1e9 + 0.5) for name in self.feature_names]
            order = np.argsort(-np.array(units), kind="stable")[:n]
            found.append([self.feature_names[j] for j in order if units[j] > 0.0])
        return found

    def to_frame(self) -> Any:
        """Return a pandas data frame with a line for each row, test and feature."""
        try:
            import pandas as pd
        except ImportError as error:
            raise ImportError("to_frame needs pandas: pip install aslant[frames]") from error
        lines = [
            {
                "row": row,
                "prediction": label,
                "tree": step.tree,
                "node": step.node,
                "question": step.question,
                "answer": step.answer,
                "feature": feature,
                "value": value,
                "part": part,
                "at_mean": step.at_mean,
                "margin": step.margin,
            }
            for row, label, steps in zip(
                self.rows, self.predictions.tolist(), self.steps, strict=True
            )
            for step in steps
            for feature, value, part in zip(step.features, step.values, step.parts, strict=True)
        ]
        return pd.DataFrame(lines)

    def to_text(self, *, max_terms: int = 5, digits: int = 3) -> str:
        """Return the paths as text, the largest parts of every test first.

        Parameters
        ----------
        max_terms : int, default=5
            The largest number of parts listed for a test; the others are summed.
        digits : int, default=3
            Significant digits.
        """
        check_number("max_terms", max_terms, 1, integer=True)
        check_number("digits", digits, 1, 17, integer=True)
        lines: list[str] = []
        for i, (row, steps) in enumerate(zip(self.rows, self.steps, strict=True)):
            lines.append(f"row {row}: {self.prediction_text(i, digits)}")
            several = len({step.tree for step in steps}) > 1
            for step in steps:
                lines += _step_lines(step, several, max_terms, digits)
            lines.append("")
        return "\n".join(lines)

    def prediction_text(self, i: int, digits: int) -> str:
        """Return the prediction of the i-th row as text."""
        if self.probabilities is None:
            return ", ".join(number(float(one), digits) for one in np.ravel(self.predictions[i]))
        highest = number(float(self.probabilities[i].max()), digits)
        return f"class {self.predictions[i]} (highest probability {highest})"


def _contributions(steps: list[PathStep], has_classes: bool) -> dict[str, float]:
    leaf = [step for step in steps if step.is_leaf]
    is_machine = has_classes and len(leaf) > 1
    counted = [step for step in steps if not (step.is_leaf and is_machine)]
    each = [(step.features, step.sign * np.array(step.parts)) for step in counted]
    if is_machine:
        first, second = sorted(leaf, key=lambda step: -step.margin)[:2]
        parts = dict(zip(first.features, first.parts, strict=True))
        for name, part in zip(second.features, second.parts, strict=True):
            parts[name] = parts.get(name, 0.0) - part
        each.append((tuple(parts), np.array(list(parts.values()))))
    total: dict[str, float] = {}
    for names, shares in each:
        size = float(np.abs(shares).sum())
        for name, share in zip(names, shares.tolist(), strict=True):
            total[name] = total.get(name, 0.0) + (share / size if size > 0.0 else 0.0)
    return total


def _step_lines(step: PathStep, several: bool, max_terms: int, digits: int) -> list[str]:
    place = f"tree {step.tree}, node {step.node}" if several else f"node {step.node}"
    entries = [
        (f"at the mean of the {'leaf' if step.is_leaf else 'node'}", step.at_mean),
        *step.entries(max_terms, digits),
        ("sum" if step.is_leaf else "from the threshold", step.margin),
    ]
    width = max(len(text) for text, _ in entries)
    return [
        f"  {place}: {step.question}: {step.answer}",
        *(f"    {text:<{width}}  {_signed(part, digits)}" for text, part in entries),
    ]


def _signed(value: float, digits: int) -> str:
    return f"{'-' if value < 0.0 else '+'}{number(abs(value), digits)}"


def explain(estimator: Any, X: Any) -> Explanation:
    """Explain the predictions of rows by the tests that they pass.

    A test compares ``coef . x`` with a threshold. It is the sum of its value at the mean of the
    node's rows and a part ``coef * (x - mean)`` for every feature. Signs are those of the formula
    that `export_text` shows: positive parts push towards ``>=``, negative ones towards ``<=``. In a
    linear machine, they compare the branch taken with the next best one. The output of a linear
    leaf is divided in the same way: its value at the mean, and a part for every feature.

    Parameters
    ----------
    estimator : fitted classifier or regressor
        A tree, forest or other ensemble of this package, or a pipeline of scalers that ends in one;
        of several trees, every path is given.
    X : array-like or data frame of shape (n_samples, n_features)
        The rows.

    Returns
    -------
    Explanation
        With ``to_frame()`` and ``to_text()``.

    Examples
    --------
    >>> from aslant import CARTClassifier, explain
    >>> tree = CARTClassifier().fit([[1.0], [2.0], [6.0]], ["a", "a", "b"])
    >>> print(explain(tree, [[5.0]]).to_text(), end="")
    row 0: class b (highest probability 0.6)
      node 0: x0 <= 4: no
        at the mean of the node  -1
        x0 = 5                   +2
        from the threshold       +1
    """
    resolved = resolve(estimator, "explain")
    encoded = encoded_rows(resolved, X)
    steps: list[list[PathStep]] = [[] for _ in range(len(encoded))]
    for t, member in enumerate(members_of(resolved)):
        _add_tree(steps, t, member, encoded)
    probabilities = outputs(resolved, encoded) if is_classifier(resolved) else None
    predictions = on_encoded_rows(resolved).predict(encoded)
    names = list(resolved.encoder_.feature_names)
    return Explanation(row_labels(X, len(encoded)), steps, predictions, probabilities, names)


def _add_tree(steps: list[list[PathStep]], t: int, member: Any, encoded: Array) -> None:
    """Add the tests of one tree, in preorder, which is the order of every path."""
    reading = reading_of(member, "explain", Style(max_terms=_FORMULA_TERMS))
    tree, known = reading.tree, KnownRows(reading.tree, encoded)
    for node in range(tree.n_nodes):
        if len(known.at[node]) == 0:
            continue
        if tree.is_leaf[node]:
            _add_leaf(steps, t, member, reading, known, node)
            continue
        here, child = encoded[known.at[node]], known.child(node)
        columns, coefs, offsets = _coefficients(reading, node, here, child)
        mean = tree.split(node).fill[columns]
        by_column = coefs * (column_values(tree, here, columns, mean) - mean)
        features, parts = _by_feature(tree, columns, by_column)
        at_mean = coefs @ mean + offsets
        test = reading.test(node)
        assert test is not None
        question = " ".join(test.pieces)
        names = tuple(member.encoder_.feature_names[j] for j in features)
        distance = _distance(reading, columns, coefs, at_mean + parts.sum(axis=1))
        signs = _signs(reading, node, child)
        for i, row in enumerate(known.at[node].tolist()):
            values = tuple(_value(member, int(j), encoded[row, j]) for j in features)
            answer, part = test.answers[child[i]], tuple(parts[i].tolist())
            start, away = float(at_mean[i]), float(distance[i])
            steps[row].append(
                PathStep(
                    t, node, question, answer, start, names, values, part, False, away, signs[i]
                )
            )


def _signs(reading: Reading, node: int, child: npt.NDArray[np.intp]) -> list[int]:
    """Return for each row whether positive parts lead to its branch, or negative ones."""
    split = reading.tests.split(node)
    if not isinstance(split, HyperplaneSplit):
        return [1] * len(child)
    is_positive = (child == 1) == (reading.tests.scale(split, node) > 0.0)
    return np.where(is_positive, 1, -1).tolist()


def _distance(
    reading: Reading, columns: npt.NDArray[np.intp], coefs: Array, margin: Array
) -> Array:
    """Return the distance of rows from a hyperplane, in standard deviations of the columns."""
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        size = np.sqrt(((coefs * reading.tests.spread[columns]) ** 2).sum(axis=1))
        return np.where(size > 0.0, np.abs(margin) / size, np.inf)


def _add_leaf(
    steps: list[list[PathStep]], t: int, member: Any, reading: Reading, known: KnownRows, node: int
) -> None:
    """Add the outputs of a linear leaf to the rows that reach it."""
    tree = linear_leaves_of(reading.tree)
    if tree is None:
        return
    center = tree.leaf_center[node]
    distance = known.values(node, np.arange(tree.n_columns), center) - center
    for q in reading.shown_outputs():
        coef = tree.leaf_coef[node, q]
        columns = np.flatnonzero(coef)
        features, parts = _by_feature(tree, columns, distance[:, columns] * coef[columns])
        names = tuple(member.encoder_.feature_names[j] for j in features)
        start = float(tree.leaf_value[node, q])
        low, high = float(tree.leaf_low[node, q]), float(tree.leaf_high[node, q])
        away = np.full(len(parts), np.inf)
        if reading.classes and len(reading.classes) == 2:
            slopes = np.tile(coef[columns], (len(parts), 1))
            away = _distance(reading, columns, slopes, start + parts.sum(axis=1))
        for i, row in enumerate(known.at[node].tolist()):
            values = tuple(_value(member, int(j), known.encoded[row, j]) for j in features)
            part = tuple(parts[i].tolist())
            total = start + float(np.sum(part))
            answer, name = _clipped(total, low, high), reading.output_name(q)
            sign = 1 if total > (0.0 if reading.classes else start) else -1
            steps[row].append(
                PathStep(
                    t, node, name, answer, start, names, values, part, True, float(away[i]), sign
                )
            )


def _clipped(total: float, low: float, high: float) -> str:
    """Return the output of a leaf in words; it stays within its bounds."""
    if total < low:
        return f"{number(low, _DIGITS)}, the lower bound"
    if total > high:
        return f"{number(high, _DIGITS)}, the upper bound"
    return number(total, _DIGITS)


def _by_feature(
    tree: Tree, columns: npt.NDArray[np.intp], by_column: Array
) -> tuple[npt.NDArray[Any], Array]:
    """Return the features of encoded columns, and the parts of the columns summed by feature."""
    features = np.unique(tree.column_feature[columns])
    belongs = tree.column_feature[columns][:, np.newaxis] == features
    return features, by_column @ belongs.astype(np.float64)


def _coefficients(
    reading: Reading, node: int, rows: Array, child: npt.NDArray[np.intp]
) -> tuple[npt.NDArray[np.intp], Array, Array]:
    """Return the columns of a test, and coefficients and constants for each row."""
    split = reading.tests.split(node)
    if isinstance(split, HyperplaneSplit):
        columns = np.flatnonzero(split.coef)
        scale = reading.tests.scale(split, node)
        coefs = np.tile(scale * split.coef[columns], (len(rows), 1))
        return columns, coefs, np.full(len(rows), -scale * split.threshold)
    assert isinstance(split, LinearMachineSplit) and split.fill is not None
    columns = np.flatnonzero(np.any(split.weights != 0.0, axis=0))
    values = column_values(reading.tree, rows, columns, split.fill[columns])
    sums = values @ split.weights[:, columns].T + split.bias
    others = sums.copy()
    others[np.arange(len(rows)), child] = -np.inf
    second = others.argmax(axis=1)
    coefs = (split.weights[child] - split.weights[second])[:, columns]
    return columns, coefs, split.bias[child] - split.bias[second]


def _value(member: Any, feature: int, encoded: float) -> Any:
    if np.isnan(encoded):
        return None
    levels = member.encoder_.categories.get(feature)
    return float(encoded) if levels is None else levels[int(encoded)]
