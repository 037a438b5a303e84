"""A model as rules: each leaf is a conjunction of the tests on its path.

Exactly one rule of a tree holds, so their order does not matter. Long tests are written once,
before the rules, which refer to them by number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from aslant.codegen.describe import describe
from aslant.codegen.description import Combination, Description, Input, Node
from aslant.inspection.formula import NodeTest, Style
from aslant.inspection.reading import Reading, RegressionReading, reading_of
from aslant.inspection.resolve import members_of, resolve
from aslant.inspection.rounding import number
from aslant.tree.linear_function import linear_leaves_of

_EXACT = 17
_ROUNDED = 4
_LONGEST = 72  # characters of a test that is written out in every rule
_OPPOSITE = {"<=": ">", ">=": "<", "in": "not in", "not in": "in"}

_COMBINED = {
    Combination.SUM: "{what} are the mean over the trees{weights}{sharpened}{most}.",
    Combination.VOTES: "Every tree has one vote; probabilities are fractions of the votes. Ties go "
    "to the class with the highest sum of probabilities.",
}


# Of boosting, whose last tree is the leaf of the baselines.
_SUMMED = {
    "identity": "The prediction is the sum over the trees, and {base}.",
    "exp": "The prediction is the exponential of the sum over the trees and {base}.",
    "softmax": "Each tree adds to the score of one class, in the order of the classes (of two "
    "classes only to that of the second). The scores begin at {base}; probabilities are their "
    "exponentials, divided by the sum of these{most}.",
}


@dataclass(frozen=True)
class Rule:
    """A leaf: conditions, each with the number of its test, and the node."""

    conditions: tuple[tuple[int, str], ...]
    node: int


def rules(estimator: Any) -> str:
    """Return the rules as text, numbers exact."""
    description, readings = _read(estimator, _EXACT)
    lines = [f"{description.estimator} as rules, written by aslant.", ""]
    for t, (reading, nodes) in enumerate(zip(readings, description.trees, strict=False)):
        if len(readings) > 1:
            lines += [f"tree {t + 1}", ""]
        for test, text in long_tests(reading):
            lines.append(f"test {test}: {text}")
        for place, rule in enumerate(rules_of(reading), start=1):
            leaf = nodes[rule.node]
            conditions = [_numbered(test, text) for test, text in rule.conditions] or ["anything"]
            lines.append(f"rule {place}: if {conditions[0]}")
            lines += [f"    and {text}" for text in conditions[1:]]
            lines.append(f"    then {_outcome(reading, leaf, rule.node)}")
        lines += ["", *_missing_values(reading), ""]
        lines += [*_links(reading), ""] if description.is_logit else []
        if description.combination is Combination.SOFT:
            lines += [*_gates(reading, description), ""]
        lines += [*(f"{text}." for text in reading.edits()), ""]
    lines += _target_encodings(description)
    return "\n".join([*lines, *_combined(description)]).rstrip() + "\n"


def markdown(estimator: Any) -> str:
    """Return a page with the features, the classes and a table of rules; numbers rounded."""
    description, readings = _read(estimator, _ROUNDED)
    lines = [f"# {description.estimator}", ""]
    kinds = [[given.name, _values_of(given)] for given in description.inputs]
    lines += [*_table(["feature", "values"], kinds), ""]
    for t, (reading, nodes) in enumerate(zip(readings, description.trees, strict=False)):
        lines += [f"## {f'Tree {t + 1}' if len(readings) > 1 else 'Rules'}", ""]
        tests = [[str(test), text] for test, text in long_tests(reading)]
        lines += [*_table(["test", "formula"], tests), ""] if tests else []
        classes = [] if description.is_linear else reading.classes
        is_soft = description.combination is Combination.SOFT
        what = "observed share of {}" if is_soft else "p({})"
        header = ["rule", "if", "then", "training rows", *map(what.format, classes)]
        body = []
        for place, rule in enumerate(rules_of(reading), start=1):
            leaf = nodes[rule.node]
            conditions = " and ".join(text for _, text in rule.conditions) or "anything"
            # The rows of a soft leaf get various probabilities; what they have is certain.
            own = reading.strip(rule.node) if is_soft else leaf.output
            proba = [number(value, 3) for value in own] if classes else []
            place_of = reading.majority(rule.node) if is_soft else leaf.winner
            then = classes[place_of] if classes else "; ".join(reading.outcome(rule.node)[:-1])
            body.append([str(place), conditions, then, str(leaf.rows), *proba])
        lines += [*_table(header, body), "", *(f"- {text}" for text in reading.edits()), ""]
    lines += [*_combined(description)]
    if description.is_logit:
        lines += [*_links(readings[0]), ""]
    if description.combination is Combination.SOFT and readings[0].tree.n_leaves > 1:
        lines += [readings[0].remarks()[-1], ""]
    lines += [
        f"Numbers are rounded to {_ROUNDED} digits. The mean of the node replaces a missing value "
        'or an unknown level in a test. `export_code(model, "rules")` gives all numbers in full.'
    ]
    return "\n".join(lines) + "\n"


def _read(estimator: Any, digits: int) -> tuple[Description, list[Reading]]:
    description = describe(estimator, "export_code")
    members = members_of(resolve(estimator, "export_code"))
    return description, [reading_of(one, "export_code", Style(digits=digits)) for one in members]


def rules_of(reading: Reading) -> list[Rule]:
    """Return the rules of a tree, in preorder of its leaves; tests are numbered likewise."""
    tree = reading.tree
    test_number = np.cumsum(~tree.is_leaf)
    found = []
    above: dict[int, tuple[tuple[int, str], ...]] = {0: ()}
    for node in range(tree.n_nodes):
        conditions = above.pop(node)
        test = reading.test(node)
        if test is None:
            found.append(Rule(conditions, node))
            continue
        for k, child in enumerate(reading.children(node)):
            place = int(test_number[node])
            above[child] = (*conditions, (place, _condition(test, place, k)))
    return found


def long_tests(reading: Reading) -> list[tuple[int, str]]:
    """Return number and text of the tests that rules refer to by number."""
    tests = (reading.test(int(node)) for node in np.flatnonzero(~reading.tree.is_leaf))
    return [
        (k, _question(test)) for k, test in enumerate(tests, start=1) if test and _is_long(test)
    ]


def _question(test: NodeTest) -> str:
    if not test.values:
        return " ".join(test.pieces)
    values = (f"branch {k}: {' '.join(value)}" for k, value in enumerate(test.values))
    return f"the first largest of {'; '.join(values)}"


def _is_long(test: NodeTest) -> bool:
    has_formula = test.values or test.answers == ("yes", "no")
    return bool(has_formula) and len(_question(test)) > _LONGEST


def _condition(test: NodeTest, number: int, k: int) -> str:
    """Return the condition under which a test leads to child k."""
    if test.values:
        where = f"test {number}" if _is_long(test) else _question(test)
        return f"{where} is branch {k}"
    if test.answers == ("yes", "no") and _is_long(test):
        return f"test {number} {'holds' if k == 0 else 'fails'}"
    if test.answers != ("yes", "no"):
        text = f"{' '.join(test.question)} {test.answers[k]}"
    else:
        text = " ".join(test.question) if k == 0 else _negated(test)
    return f"{text} or missing" if test.missing == test.answers[k] else text


def _numbered(test: int, condition: str) -> str:
    """Return the condition with the number of its test, unless it names it already."""
    return condition if condition.startswith(f"test {test} ") else f"({test}) {condition}"


def _negated(test: NodeTest) -> str:
    """Return the opposite of ``color in {red}`` or ``age <= 3``."""
    pieces = list(test.question)
    for here, instead in ((" is not missing", " is missing"), (" is missing", " is not missing")):
        if pieces[-1].endswith(here):
            return " ".join([*pieces[:-1], pieces[-1].removesuffix(here) + instead])
    for place, relation in ((-1, "<="), (-1, ">="), (0, "not in"), (0, "in")):
        words = pieces[place].split(" ")
        size = len(relation.split(" "))
        where = slice(0, size) if place == -1 else slice(len(words) - size, len(words))
        if " ".join(words[where]) == relation:
            words[where] = [_OPPOSITE[relation]]
            pieces[place] = " ".join(words)
            return " ".join(pieces)
    raise AssertionError(f"not a question: {test.question}")


def _outcome(reading: Reading, leaf: Node, node: int) -> str:
    if isinstance(reading, RegressionReading) or leaf.slopes:
        *values, rows = reading.outcome(node)
        return f"{'; '.join(values)} ({rows})"
    pairs = zip(reading.classes, leaf.output, strict=True)
    listed = ", ".join(f"{name} {number(value, _EXACT)}" for name, value in pairs)
    # Rows near a test get probabilities between those of several leaves.
    is_mixed = reading.is_soft and reading.tree.n_leaves > 1
    what = "probabilities before mixing" if is_mixed else "probabilities"
    label = reading.classes[reading.majority(node) if is_mixed else leaf.winner]
    return f"class: {label} ({reading.majority_count(node)}; {what}: {listed})"


def _missing_values(reading: Reading) -> list[str]:
    """Return the fills of missing values and unknown levels, by test and by linear leaf."""
    tree = reading.tree
    lines = ["Fills of missing values and unknown levels, by test:"]
    for place, node in enumerate(np.flatnonzero(~tree.is_leaf), start=1):
        first, last = tree.row_start[node], tree.row_start[node + 1]
        entries = range(tree.coef_start[first], tree.coef_start[last])
        fills = {int(tree.coef_column[e]): float(tree.coef_fill[e]) for e in entries}
        shown = [f"{reading.tests.column(j)}: {number(fills[j], _EXACT)}" for j in sorted(fills)]
        lines.append(f"    ({place}) {', '.join(shown)}")
    lines += _missing_in_leaves(reading)
    return lines if len(lines) > 1 else []


def _missing_in_leaves(reading: Reading) -> list[str]:
    """Return the fills of the linear leaves, by rule."""
    linear = linear_leaves_of(reading.tree)
    lines = []
    leaves = [] if linear is None else np.flatnonzero(linear.is_leaf).tolist()
    for place, leaf in enumerate(leaves, start=1):
        assert linear is not None
        read = np.flatnonzero(linear.leaf_coef[leaf].any(axis=0)).tolist()
        center = linear.leaf_center[leaf]
        shown = [f"{reading.tests.column(j)}: {number(float(center[j]), _EXACT)}" for j in read]
        lines += [f"    (leaf of rule {place}) {', '.join(shown)}"] if shown else []
    return lines


def _links(reading: Reading) -> list[str]:
    """Return how the logits of leaves become probabilities and a class."""
    return [reading.remarks()[-1], "The most probable class is predicted."]


def _gates(reading: Reading, description: Description) -> list[str]:
    """Return the definition of soft predictions, with the score of every test."""
    tree = reading.tree
    what = "Probabilities" if description.classes else "Predictions"
    lines = [
        f"{what} are soft. A row fails a test, and goes the other way, with the probability",
        "1 / (1 + exp(-score)):",
    ]
    inner = np.flatnonzero(~tree.is_leaf)
    for place, node in enumerate(inner, start=1):
        steepness = description.trees[0][node].steepness
        coef = steepness * tree.column_coef[[node]].toarray()[0]
        offset = float(-steepness * tree.threshold[node])
        score = reading.tests.linear(coef, offset, int(node), _EXACT)
        lines.append(f"    score of test {place}: {' '.join(score)}")
    if not description.classes:
        return [
            *lines,
            "The weight of a leaf is the product of these probabilities on its path. The",
            "prediction is the weighted sum of the values of all leaves.",
        ]
    return [
        *lines,
        "The weight of a leaf is the product of these probabilities on its path. The weighted sums",
        f"of the probabilities of all leaves are raised to the power {description.exponent!r} and "
        "normalized;",
        "the most probable class is predicted.",
    ]


def _target_encodings(description: Description) -> list[str]:
    """Return the target encodings of levels."""
    lines = []
    for feature in description.features:
        if feature.table:
            levels = [*map(str, description.inputs[feature.source].levels), "any other"]
            pairs = zip(levels, feature.table, strict=True)
            shown = ", ".join(f"{level} {number(value, _EXACT)}" for level, value in pairs)
            lines.append(f"{feature.name}, by level: {shown}")
    return [*lines, ""] if lines else []


def _values_of(given: Input) -> str:
    """Return the values that a column may hold, in a few words."""
    if given.kind != "levels":
        kinds = {"duration": "a duration in days", "date": "a date", "boolean": "true or false"}
        return kinds.get(given.kind, "a number")
    listed = ", ".join(map(str, given.levels))
    return listed if given.unknown is None else f"{listed}, or any other"


def _combined(description: Description) -> list[str]:
    if description.combination in (Combination.SINGLE, Combination.SOFT):
        return []
    uneven = len(set(description.weights)) > 1
    weights = f", with the weights {', '.join(map(repr, description.weights))}" if uneven else ""
    sharpened = ""
    if description.exponent is not None:
        sharpened = (
            f", {len(description.trees)} trees and one of equal probabilities, raised to the power "
            f"{description.exponent!r} and normalized"
        )
    most = "; the class with the highest is predicted" if description.classes else ""
    what = "Probabilities" if description.classes else "Predictions"
    text = _COMBINED[description.combination]
    if description.is_boosted:
        text = _SUMMED[description.link]
        base = ", ".join(map(repr, description.trees[-1][0].output))
        return [text.format(base=base, most=most), ""]
    return [text.format(weights=weights, sharpened=sharpened, most=most, what=what), ""]


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return a table of Markdown, with special characters escaped."""
    lines = [header, ["---"] * len(header), *rows]
    return ["| " + " | ".join(_cell(text) for text in line) + " |" for line in lines]


def _cell(text: str) -> str:
    for character in "\\|<*_`[]":
        text = text.replace(character, "\\" + character)
    return " ".join(text.split())
