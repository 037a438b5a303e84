"""The page of a model of several trees: no single tree, but what all of them make together."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import is_regressor

from aslant.codegen.describe import describe
from aslant.estimators.constraint_lines import constraint_lines
from aslant.growth.importances import impurity_risk
from aslant.inspection.formula import Style
from aslant.inspection.reading import reading_of
from aslant.inspection.report_page.effects import effects_of
from aslant.inspection.report_page.fields import states_of
from aslant.inspection.report_page.quality import quality_of
from aslant.inspection.resolve import encoded_rows, on_encoded_rows
from aslant.inspection.targets import target_of

Vector = npt.NDArray[np.float64]

_MOST_ROUNDS = 60
_MOST_TESTS = 15
_WIDTH, _HEIGHT, _MARGIN, _LEFT = 340, 170, 30, 58  # of a chart; the left side has numbers


def ensemble_body(model: Any, X: Any, y: Any, training: Any, remarks: Sequence[str]) -> str:
    """Return the sections of the page of a fitted forest, boosting model or other ensemble.

    Parameters
    ----------
    model : fitted estimator
        A model with several trees.
    X, y : array-like or None
        Rows, and their targets.
    training : pair of X and y, or None
        The training rows, whose measures are shown beside those of `X`.
    remarks : sequence of str
        Sentences to add to the head.
    """
    encoded = None if X is None else encoded_rows(model, X)
    truth = None
    if y is not None and encoded is not None:
        truth = target_of(model, y, len(encoded), "report")
    sections = [
        _head(model, remarks),
        _quality(model, encoded, truth, training),
        _learning_curve(model, encoded, truth),
        _importances(model),
        _effects(model, X, encoded),
        _largest_tests(model),
        _parameters(model),
    ]
    return "\n".join(section for section in sections if section)


def card_table(fields: Sequence[Sequence[str]]) -> str:
    """Return a model card."""
    return _section("Model card", _table(["field", "stated"], fields))


def _head(model: Any, remarks: Sequence[str]) -> str:
    trees = [member.tree_ for member in model.estimators_]
    leaves = sum(tree.n_leaves for tree in trees)
    lines = [
        f"{type(model).__name__}: {len(trees)} trees with {leaves} leaves, fitted to "
        f"{getattr(model, 'n_samples_fit_', 'unknown')} rows. A single tree has a page of its own: "
        "report(model.estimators_[0]).",
        *constraint_lines(model),
        *remarks,
    ]
    return "\n".join(f"<p>{escape(line)}</p>" for line in lines)


def _quality(model: Any, encoded: Any, truth: Any, training: Any) -> str:
    found = quality_of(model, encoded, truth)
    if found is None:
        return ""
    columns = [f"{found['rows']} rows"]
    rows = [[name, value] for name, value in found["measures"]]
    if training is not None:
        own = encoded_rows(model, training[0])
        beside = quality_of(model, own, target_of(model, training[1], len(own), "report"))
        assert beside is not None
        columns.append(f"{beside['rows']} training rows")
        known = dict(beside["measures"])
        rows = [[name, value, known.get(name, "")] for name, value in rows]
    parts = [_table(["measure", *columns], rows)]
    if "confusion" in found:
        labels = [str(label) for label in model.classes_.tolist()]
        counts = [[label, *row] for label, row in zip(labels, found["confusion"], strict=True)]
        parts.append(_table(["true class", *(f"predicted {label}" for label in labels)], counts))
    return _section("Quality", "".join(parts))


def _learning_curve(model: Any, encoded: Any, truth: Any) -> str:
    """Return the loss after each round: as scored in the fit, and on the given rows."""
    curves: dict[str, tuple[Vector, Vector]] = {}
    for name, label in (("train_score_", "training"), ("validation_score_", "validation")):
        scores = np.asarray(getattr(model, name, np.zeros(0)), dtype=np.float64)
        if len(scores):
            rounds = np.arange(len(scores), dtype=np.float64)
            curves[f"score of the fit, {label} rows"] = rounds, scores
    if truth is not None and hasattr(model, "n_iter_"):
        curves["loss on the given rows"] = _staged_losses(model, encoded, truth)
    if not curves:
        return ""
    charts = [_chart(name, x, {"": y}) for name, (x, y) in curves.items()]
    return _section("Learning curve", "".join(charts))


def _staged_losses(model: Any, encoded: Any, truth: Any) -> tuple[Vector, Vector]:
    """Return rounds, and log-loss or mean squared error after them."""
    asked = on_encoded_rows(model)
    wanted = set(np.unique(np.linspace(1, model.n_iter_, _MOST_ROUNDS).astype(int)).tolist())
    stages = asked.staged_predict if is_regressor(model) else asked.staged_predict_proba
    rounds, losses = [], []
    for number, output in enumerate(stages(encoded), start=1):
        if number not in wanted:
            continue
        rounds.append(float(number))
        if is_regressor(model):
            losses.append(float(np.mean((output - truth[:, 0]) ** 2)))
        else:
            own = output[np.arange(len(truth)), truth]
            losses.append(float(-np.log(np.maximum(own, np.finfo(float).eps)).mean()))
    return np.array(rounds), np.array(losses)


def _importances(model: Any) -> str:
    shares = np.asarray(model.feature_importances_)
    order = [j for j in np.argsort(-shares, kind="stable") if shares[j] > 0.0]
    names = model.encoder_.input_names
    largest = max((shares[j] for j in order), default=1.0)
    rows = "".join(
        f"<tr><td>{escape(str(names[j]))}</td><td class=number>{100 * shares[j]:.1f} %</td>"
        f'<td><svg width="160" height="12" role="img" aria-label="{100 * shares[j]:.1f} %">'
        f'<rect width="{160 * shares[j] / largest:.1f}" height="12" fill="var(--plus)"/></svg></td>'
        "</tr>"
        for j in order
    )
    return _section("Importances", f"<table>{rows}</table>") if order else ""


def _effects(model: Any, X: Any, encoded: Any) -> str:
    """Return partial dependence on the most important inputs."""
    if encoded is None:
        return ""
    description = describe(model, "report")
    states = states_of(model, description, X, encoded)
    labels = [str(label) for label in getattr(model, "classes_", np.zeros(0)).tolist()]
    shown = range(1, 2) if len(labels) == 2 else range(max(1, len(labels)))
    charts = []
    for effect in effects_of(model, description, encoded, states, 0):
        given = description.inputs[effect["input"]]
        mean = np.asarray(effect["mean"], dtype=np.float64)
        mean = mean.reshape(len(effect["values"]), -1)
        if given.kind == "levels":
            charts.append(_levels(given, effect["values"], mean[:, shown.stop - 1]))
            continue
        lines = {labels[k] if labels else "prediction": mean[:, k] for k in shown}
        charts.append(_chart(given.name, np.asarray(effect["values"], dtype=float), lines))
    return _section("Partial dependence", "".join(charts))


def _levels(given: Any, codes: Sequence[int], mean: Vector) -> str:
    rows = [
        [str(given.levels[code]), f"{value:.4g}"]
        for code, value in zip(codes, mean.tolist(), strict=True)
    ]
    return _table([given.name, "mean prediction"], rows)


def _largest_tests(model: Any) -> str:
    """Return the tests that decrease the impurity most, over all trees."""
    found = []
    for number, member in enumerate(model.estimators_):
        tree = member.tree_
        risk = impurity_risk(tree)
        gain = risk.copy()
        np.subtract.at(gain, tree.parent[1:], risk[1:])
        gain[tree.is_leaf] = 0.0
        weight = float(tree.weighted_n_node_samples[0])
        best = np.argsort(-gain, kind="stable")[:_MOST_TESTS]
        found += [(weight * gain[node], number, int(node)) for node in best if gain[node] > 0.0]
    found.sort(key=lambda one: (-one[0], one[1], one[2]))
    total = found[0][0] if found else 1.0
    rows = []
    for gain, number, node in found[:_MOST_TESTS]:
        member = model.estimators_[number]
        test = reading_of(member, "report", Style(digits=4)).test(node)
        assert test is not None
        rows.append([" ".join(test.pieces), number, node, f"{gain / total:.2f}"])
    head = ["test", "tree", "node", "decrease of impurity, relative to the first"]
    return _section("Largest tests", _table(head, rows)) if rows else ""


def _parameters(model: Any) -> str:
    defaults = type(model)().get_params(deep=False)
    rows = [
        [name, repr(value)]
        for name, value in model.get_params(deep=False).items()
        if repr(value) != repr(defaults.get(name))
    ]
    return _section("Parameters", _table(["not at its default", "value"], rows)) if rows else ""


# ---------------------------------------------------------------------- pieces of HTML


def _section(title: str, content: str) -> str:
    return f"<h2>{escape(title)}</h2>\n{content}"


def _table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    titles = "".join(f"<th>{escape(str(one))}</th>" for one in head)
    lines = "".join(
        "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f'<div class="wide"><table><tr>{titles}</tr>{lines}</table></div>'


def _chart(title: str, x: Vector, lines: dict[str, Vector]) -> str:
    """Return curves as a picture, with the ends of both axes as labels."""
    values = np.concatenate(list(lines.values()))
    low, high = float(values.min()), float(values.max())
    left, right = float(x.min()), float(x.max())
    across = (_WIDTH - _MARGIN - _LEFT) / ((right - left) or 1.0)
    up = (_HEIGHT - 2 * _MARGIN) / ((high - low) or 1.0)
    paths = []
    for number, line in enumerate(lines.values()):
        points = " ".join(
            f"{_LEFT + across * (a - left):.1f},{_HEIGHT - _MARGIN - up * (b - low):.1f}"
            for a, b in zip(x.tolist(), line.tolist(), strict=True)
        )
        color = ("var(--plus)", "var(--minus)", "var(--way)", "var(--mark)")[number % 4]
        paths.append(f'<polyline points="{points}" fill="none" stroke="{color}"/>')
    name = title + (f" ({', '.join(lines)})" if any(lines) else "")
    labels = (
        (_LEFT, _HEIGHT - 14, left), (_WIDTH - _MARGIN - 30, _HEIGHT - 14, right),
        (0, _HEIGHT - _MARGIN, low), (0, _MARGIN, high),
    )  # fmt: skip
    texts = "".join(
        f'<text x="{a}" y="{b}" font-size="11" fill="var(--soft)">{value:.4g}</text>'
        for a, b, value in labels
    )
    return (
        f'<figure style="display:inline-block;margin:0.4rem"><figcaption>{escape(name)}'
        f'</figcaption><svg width="{_WIDTH}" height="{_HEIGHT}" role="img" '
        f'aria-label="{escape(name, quote=True)}">{"".join(paths)}{texts}</svg></figure>'
    )
