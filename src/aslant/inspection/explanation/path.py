"""`explain`: the way of every row through the tree, and each feature's part in every test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted

from aslant.inspection.explanation.output import members_of, outputs
from aslant.inspection.plots.projection import column_values, rows_at_nodes
from aslant.inspection.reading import Reading, Style
from aslant.inspection.rounding import number
from aslant.tree.split import HyperplaneSplit, LinearMachineSplit
from aslant.utils.checks import check_number

Array = npt.NDArray[np.float64]

_FORMULA_TERMS = 3
_MISSING = "missing"


@dataclass(frozen=True)
class PathStep:
    """A test that a row passed.

    Attributes
    ----------
    tree, node : int
        Where the test is.
    question, answer : str
        The test as `export_text` words it, with its largest terms, and what the row answered.
    at_mean : float
        What the test comes to for the mean of its node, from the threshold; of a linear machine,
        how far the branch taken is above the next best one.
    features, values, parts : tuple
        For each feature that the test reads: its name, the row's value (None where missing), and
        its part, ``coef * (value - mean)``. A missing value counts as the mean: its part is 0.
    """

    tree: int
    node: int
    question: str
    answer: str
    at_mean: float
    features: tuple[str, ...]
    values: tuple[Any, ...]
    parts: tuple[float, ...]

    @property
    def margin(self) -> float:
        """What the test comes to for the row, from the threshold: `at_mean` plus all parts."""
        return self.at_mean + float(np.sum(self.parts))


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
        The predicted classes or numbers.
    probabilities : ndarray of shape (n_rows, n_classes) or None
        The probabilities of the classes; None where numbers are predicted.
    """

    rows: list[Any]
    steps: list[list[PathStep]]
    predictions: npt.NDArray[Any]
    probabilities: Array | None

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
        """Return the paths in words, the largest parts of every test first.

        Parameters
        ----------
        max_terms : int, default=5
            Parts to list for a test; the others are summed.
        digits : int, default=3
            Significant digits.
        """
        check_number("max_terms", max_terms, 1, whole=True)
        check_number("digits", digits, 1, 17, whole=True)
        lines: list[str] = []
        for i, (row, steps) in enumerate(zip(self.rows, self.steps, strict=True)):
            lines.append(f"row {row}: {self.said_of(i, digits)}")
            several = len({step.tree for step in steps}) > 1
            for step in steps:
                lines += _step_lines(step, several, max_terms, digits)
            lines.append("")
        return "\n".join(lines)

    def said_of(self, i: int, digits: int) -> str:
        """Return the prediction of the i-th row in words."""
        if self.probabilities is None:
            return ", ".join(number(float(said), digits) for said in np.ravel(self.predictions[i]))
        share = number(float(self.probabilities[i].max()), digits)
        return f"class {self.predictions[i]} (highest probability {share})"


def _step_lines(step: PathStep, several: bool, max_terms: int, digits: int) -> list[str]:
    place = f"tree {step.tree}, node {step.node}" if several else f"node {step.node}"
    lines = [f"  {place}: {step.question}: {step.answer}"]
    order = np.argsort(-np.abs(step.parts), kind="stable")
    entries = [("at the mean of the node", step.at_mean)]
    for k in order[:max_terms]:
        shown = _shown(step.values[k], digits)
        entries.append((f"{step.features[k]} = {shown}", step.parts[k]))
    if len(order) > max_terms:
        rest = float(sum(step.parts[k] for k in order[max_terms:]))
        entries.append((f"{len(order) - max_terms} smaller", rest))
    entries.append(("from the threshold", step.margin))
    width = max(len(text) for text, _ in entries)
    return lines + [f"    {text:<{width}}  {_signed(part, digits)}" for text, part in entries]


def _shown(value: Any, digits: int) -> str:
    if value is None:
        return _MISSING
    return number(value, digits) if isinstance(value, float) else str(value)


def _signed(value: float, digits: int) -> str:
    return f"{'-' if value < 0.0 else '+'}{number(abs(value), digits)}"


def explain(model: Any, X: Any) -> Explanation:
    """Explain the predictions of rows by the tests that they pass.

    A test compares ``coef . x`` with a threshold. Around the mean of the rows at its node that is
    what the mean comes to, plus a part ``coef * (x - mean)`` for every feature. Signs are those of
    the formula that `export_text` shows: parts above zero push towards ``>=``, below towards
    ``<=``. In a linear machine they are for the branch taken, against the next best one.

    Parameters
    ----------
    model : fitted classifier or regressor
        An estimator of this package; of several trees, every path is given.
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
    check_is_fitted(model)
    members = members_of(model, "explain")
    encoded = model._encoded(X, dense=True)
    steps: list[list[PathStep]] = [[] for _ in range(len(encoded))]
    for t, member in enumerate(members):
        _add_tree(steps, t, member, encoded)
    shares = outputs(model, encoded) if is_classifier(model) else None
    rows = list(X.index) if hasattr(X, "iloc") else list(range(len(encoded)))
    return Explanation(rows, steps, model.predict(X), shares)


def _add_tree(steps: list[list[PathStep]], t: int, member: Any, encoded: Array) -> None:
    """Add the tests of one tree, in preorder, which is the order of every path."""
    reading = Reading(member, "explain", Style(max_terms=_FORMULA_TERMS))
    tree = member.tree_
    at = rows_at_nodes(tree, encoded)
    for node in np.flatnonzero(~tree.is_leaf).tolist():
        if len(at[node]) == 0:
            continue
        here = encoded[at[node]]
        split = tree.split(node)
        child = np.searchsorted(
            tree.children[node][tree.children[node] >= 0], _next(tree, node, at)
        )
        columns, coefs, offsets = _coefficients(reading, node, here, child)
        mean = split.fill[columns]
        by_column = coefs * (column_values(tree, here, columns, mean) - mean)
        features = np.unique(tree.column_feature[columns])
        belongs = tree.column_feature[columns][:, np.newaxis] == features
        parts = by_column @ belongs.astype(np.float64)
        at_mean = coefs @ mean + offsets
        test = reading.test(node)
        assert test is not None
        question = " ".join(test.question)
        names = tuple(member.encoder_.feature_names[j] for j in features)
        for i, row in enumerate(at[node].tolist()):
            values = tuple(_value(member, int(j), encoded[row, j]) for j in features)
            steps[row].append(
                PathStep(
                    t,
                    node,
                    question,
                    test.answers[child[i]],
                    float(at_mean[i]),
                    names,
                    values,
                    tuple(parts[i].tolist()),
                )
            )


def _next(tree: Any, node: int, at: list[npt.NDArray[np.intp]]) -> npt.NDArray[np.intp]:
    """Return the node that each row at a node goes to."""
    goes = np.zeros(int(at[node].max()) + 1, dtype=np.intp)
    for child in tree.children[node]:
        if child >= 0:
            goes[at[child]] = child
    return goes[at[node]]


def _coefficients(
    reading: Reading, node: int, rows: Array, child: npt.NDArray[np.intp]
) -> tuple[npt.NDArray[np.intp], Array, Array]:
    """Return the columns of a test, and coefficients and constants for each row."""
    split = reading.tree.split(node)
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
