"""The nodes of the tree as the page draws them: text, terms, and rows along each test."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from aslant.inspection.formula import NodeTest
from aslant.inspection.reading import Reading
from aslant.inspection.rows import KnownRows
from aslant.tree.linear_function import linear_leaves_of
from aslant.tree.logit_tree import LogitTree
from aslant.tree.regression_tree import RegressionTree
from aslant.tree.split import HyperplaneSplit

Array = npt.NDArray[np.float64]

_BINS = 40


def nodes_of(
    model: Any, reading: Reading, rows: KnownRows | None, truth: npt.NDArray[Any] | None
) -> list[dict[str, Any]]:
    """Return the nodes in preorder."""
    tree = reading.tree
    spread = getattr(model, "column_spread_", None)
    deviations = np.ones(tree.n_columns) if spread is None else np.nan_to_num(spread, posinf=0.0)
    weight = tree.weighted_n_node_samples
    leaf_number = np.cumsum(tree.is_leaf) - 1
    nodes = []
    for i in range(tree.n_nodes):
        node: dict[str, Any] = {
            "children": reading.children(i),
            "depth": int(tree.depth[i]),
            "rows": int(tree.n_node_samples[i]),
            "share": round(float(weight[i] / weight[0]), 6),
            "outcome": reading.outcome(i),
            "values": [_short(value) for value in reading.counts(i).tolist()],
            "color": reading.color(i),
            "strength": round(reading.purity(i), 4),
        }
        if tree.is_leaf[i]:
            node["leaf"] = int(leaf_number[i])
            node["title"] = _title(reading, i)
            if hasattr(model, "leaf_interval_"):
                node["interval"] = [_short(one) for one in model.leaf_interval_[i].tolist()]
            node |= _leaf_terms(reading, i, deviations)
        else:
            node |= _test(reading, i, deviations)
            if rows is not None and len(rows.at[i]):
                node["picture"] = _picture(reading, i, rows, truth)
        nodes.append(node)
    return nodes


def _short(value: float) -> float:
    return float(f"{value:.6g}")


def _test(reading: Reading, node: int, deviations: Array) -> dict[str, Any]:
    tests, split = reading.tests, reading.tests.split(node)
    test = tests.read(node)
    short = tests.read(node, 52)
    assert test is not None and short is not None and split is not None
    made: dict[str, Any] = {
        "question": " ".join(short.pieces),
        "formula": [" ".join(test.pieces), *_formulas(test)],
        "answers": list(test.answers),
    }
    if isinstance(split, HyperplaneSplit):
        scale = tests.scale(split, node)
        made["functions"] = [
            {
                "terms": _terms(reading, scale * split.coef, split.fill, deviations),
                "offset": float(-scale * split.threshold),
            }
        ]
        made["below"] = scale > 0.0  # whether child 0 is where the sum is below zero
    else:
        made["functions"] = [
            {"terms": _terms(reading, weights, split.fill, deviations), "offset": float(bias)}
            for weights, bias in zip(split.weights, split.bias, strict=True)
        ]
    return made


def _formulas(test: NodeTest) -> list[str]:
    """Return the formulas of a linear machine, with the branches they lead to."""
    pairs = zip(test.answers, test.values, strict=False)
    return [f"{answer}: {' '.join(value)}" for answer, value in pairs]


def _title(reading: Reading, node: int) -> str:
    """Return the prediction of a leaf in a few words."""
    tree = reading.tree
    if isinstance(tree, LogitTree):
        is_binary = len(reading.classes) == 2
        return f"{reading.output_name(1)}: linear" if is_binary else "logits: linear"
    if isinstance(tree, RegressionTree) and tree.is_linear and tree.leaf_coef[node].any():
        means = ", ".join(f"{value:.4g}" for value in tree.value[node].tolist())
        return f"linear, mean {means}"
    return reading.outcome(node)[0]


def _leaf_terms(reading: Reading, node: int, deviations: Array) -> dict[str, Any]:
    """Return the functions of a linear leaf, one for each output that is shown."""
    tree = linear_leaves_of(reading.tree)
    if tree is None:
        return {}
    center = tree.leaf_center[node]
    slopes = [
        {
            "name": reading.output_name(q),
            "terms": _terms(reading, tree.leaf_coef[node, q], center, deviations),
            "mean": float(tree.leaf_value[node, q]),
            "range": [_bound(tree.leaf_low[node, q]), _bound(tree.leaf_high[node, q])],
        }
        for q in reading.shown_outputs()
    ]
    return {"slopes": slopes}


def _bound(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _terms(reading: Reading, coef: Array, fill: Any, deviations: Array) -> list[list[Any]]:
    """Return name, coefficient, mean, contribution, feature and level of each term, largest first.

    A contribution is the coefficient times the standard deviation.
    """
    tree = reading.tree
    columns = np.flatnonzero(coef)
    sizes = coef[columns] * deviations[columns]
    order = columns[np.argsort(-np.abs(sizes), kind="stable")]
    return [
        [
            reading.tests.column(int(j)),
            float(f"{coef[j]:.12g}"),
            float(f"{fill[j]:.12g}"),
            _short(float(coef[j] * deviations[j])),
            int(tree.column_feature[j]),
            int(tree.column_level[j]),
        ]
        for j in order
    ]


def _picture(
    reading: Reading, node: int, rows: KnownRows, truth: npt.NDArray[Any] | None
) -> dict[str, Any]:
    """Return the rows along the sum of a hyperplane, or by branch of any other test.

    Places are the distance from the threshold. Bars hold rows by class, or their number and the
    mean of the target; without targets their number alone.
    """
    split = reading.tests.split(node)
    target = None if truth is None else truth[rows.at[node]]
    if not isinstance(split, HyperplaneSplit):
        child = rows.child(node)
        return {"bars": _bars(reading, child, int(child.max()) + 1, target), "edges": None}
    scale = reading.tests.scale(split, node)
    distance = scale * (rows.projection(node, split) - split.threshold)
    low, high = min(float(distance.min()), 0.0), max(float(distance.max()), 0.0)
    width = (high - low) / _BINS or 1.0
    first = -np.ceil(-low / width) * width  # zero is the edge of a bar
    # A row on the threshold is below it, or above it if the sign is reversed.
    place = (distance - first) / width
    bars = (np.ceil(place) - 1 if scale > 0.0 else np.floor(place)).astype(np.intp)
    bars = np.clip(bars, 0, _BINS + 1)
    n_bars = int(bars.max()) + 1
    read = np.unique(reading.tree.column_feature[np.flatnonzero(split.coef)])
    missing = np.isnan(rows.encoded[np.ix_(rows.at[node], read)]).any(axis=1)
    return {
        "missing": int(missing.sum()),
        "bars": _bars(reading, bars, n_bars, target),
        "edges": [_short(first), _short(width)],
        "threshold": _short(float(scale * split.threshold)),
    }


def _bars(
    reading: Reading, place: npt.NDArray[np.intp], n_bars: int, target: npt.NDArray[Any] | None
) -> list[list[Any]]:
    """Return the content of each bar: counts by class, or [count, mean]."""
    counts = np.bincount(place, minlength=n_bars)
    if target is None:
        return [[int(count)] for count in counts]
    if isinstance(reading.tree, RegressionTree):
        sums = np.bincount(place, target[:, 0], n_bars)
        means = sums / np.maximum(counts, 1)
        return [[int(c), _short(float(m))] for c, m in zip(counts, means, strict=True)]
    table = np.zeros((n_bars, len(reading.classes)), dtype=np.intp)
    np.add.at(table, (place, target), 1)
    return table.tolist()
