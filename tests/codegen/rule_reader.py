"""Reads the rules of `export_code` back and applies them, as a person would.

A missing value counts what the list below the rules says.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

import numpy as np
from inspection.condition_reader import Fills, Row, UnsaidError, _get, holds, linear

_NAME = r'(?:"(?:[^"\\]|\\.)*"|[^"])'


@dataclass
class ReadTree:
    """Rules, which are conditions and an outcome; long tests; fills by test."""

    rules: list[tuple[list[str], str]] = field(default_factory=list)
    tests: dict[str, str] = field(default_factory=dict)
    fills: dict[str, dict[str, float]] = field(default_factory=dict)
    scores: dict[str, str] = field(default_factory=dict)  # of soft trees, by test
    power: float = 1.0


def read(text: str) -> list[ReadTree]:
    """Return the trees."""
    trees = [ReadTree()]
    for line in text.splitlines():
        tree = trees[-1]
        if match := re.match(r"test (\d+): (.*)", line):
            tree.tests[match[1]] = re.sub(r" \(missing: [^)]*\)$", "", match[2])
        elif line.startswith("rule "):
            tree.rules.append(([line.split(": if ", 1)[1]], ""))
        elif line.startswith("    and "):
            tree.rules[-1][0].append(line[8:])
        elif line.startswith("    then "):
            tree.rules[-1] = (tree.rules[-1][0], line.removeprefix("    then "))
        elif match := re.match(r"    \((?:leaf of rule )?(\d+)\) (.*)", line):
            key = f"leaf {match[1]}" if "leaf of" in line else match[1]
            found = re.findall(rf"({_NAME}+?): (-?[\d.e+-]+)(?:, |$)", match[2])
            tree.fills[key] = {name: float(value) for name, value in found}
        elif match := re.match(r"    score of test (\d+): (.*)", line):
            tree.scores[match[1]] = match[2]
        elif match := re.search(r"are raised to the power (\S+)", line):
            tree.power = float(match[1])
        elif line.startswith("tree ") and tree.rules:
            trees.append(ReadTree())
    return trees


def rule_of(tree: ReadTree, row: Row) -> int:
    """Return the rule that holds; exactly one must."""
    holding = [
        k
        for k, (conditions, _) in enumerate(tree.rules)
        if conditions == ["anything"] or all(_condition_holds(one, row, tree) for one in conditions)
    ]
    assert len(holding) == 1, holding
    return holding[0]


def classify(trees: list[ReadTree], row: Row) -> str:
    """Return the class, or the value, that most rules give to a row."""
    outcomes = [tree.rules[rule_of(tree, row)][1] for tree in trees]
    votes = Counter(re.match(r"(?:class|value): (.*?) \(", one)[1] for one in outcomes)
    return votes.most_common(1)[0][0]


def _condition_holds(condition: str, row: Row, tree: ReadTree) -> bool:
    if match := re.fullmatch(r"test (\d+) (holds|fails|is branch \d+)", condition):
        number, answer = match.groups()
        if answer.startswith("is "):
            return _rule_holds(f"{tree.tests[number]} {answer}", number, row, tree)
        return _rule_holds(tree.tests[number], number, row, tree) == (answer == "holds")
    number, text = re.fullmatch(r"\((\d+)\) (.*)", condition).groups()
    others = [one for conditions, _ in tree.rules for one in conditions if one != condition]
    told = [o for o in others if o.startswith(f"({number}) ") and o.endswith(" or missing")]
    if told and _is_missing(text, row):
        return False  # the other branch says that missing values pass
    return _rule_holds(text, number, row, tree)


def _is_missing(text: str, row: Row) -> bool:
    """Return whether the only feature of a condition is missing."""
    names = [name for name in row if text.startswith(f"{name} ")]
    return bool(names) and row[max(names, key=len)] is None


def _rule_holds(text: str, number: str, row: Row, tree: ReadTree) -> bool:
    fills = tree.fills.get(number, {})
    if match := re.fullmatch(r"(.*) or missing", text):
        return _is_missing(match[1], row) or _rule_holds(match[1], number, row, tree)
    if match := re.fullmatch(r"the first largest of (.*) is branch (\d+)", text):
        formulas = [value.split(": ", 1)[1] for value in match[1].split("; ")]
        values = [linear(formula, row, fills) for formula in formulas]
        return values.index(max(values)) == int(match[2])
    if match := re.fullmatch(r"(.*?) = (.*?)(, any other)?", text):
        return _has_level(match, number, row, tree)
    return holds(text, row, fills)


def _has_level(match: re.Match[str], number: str, row: Row, tree: ReadTree) -> bool:
    """Return whether a row has the level of a branch, or one that no branch names."""
    value = _get(row, match[1])
    if value is None:
        raise UnsaidError
    conditions = {one for conditions, _ in tree.rules for one in conditions}
    of_test = [one for one in conditions if one.startswith(f"({number}) ")]
    pattern = r"\(\d+\) .*? = (.*?)(?:, any other)?(?: or missing)?"
    siblings = {re.fullmatch(pattern, one)[1] for one in of_test}
    named = match[2].split(", ")
    return str(value) in named or (match[3] is not None and str(value) not in siblings)


# ---------------------------------------------------------------------- probabilities and values


def answer(tree: ReadTree, row: Row, classes: list[str]) -> np.ndarray:
    """Return the probabilities of the classes, or the values, that the rules give to a row."""
    outcomes = [
        _outputs(outcome, row, tree.fills.get(f"leaf {k}", {}), classes)
        for k, (_, outcome) in enumerate(tree.rules, start=1)
    ]
    if not tree.scores:
        return outcomes[rule_of(tree, row)]
    total = np.asarray(_weights(tree, row) @ np.array(outcomes))
    return total**tree.power / (total**tree.power).sum() if classes else total


def _weights(tree: ReadTree, row: Row) -> np.ndarray:
    """Return the weight of each leaf: the product of the probabilities on its path."""
    fails = {
        test: 1.0 / (1.0 + np.exp(-linear(score, row, tree.fills.get(test, {}))))
        for test, score in tree.scores.items()
    }
    first: dict[str, str] = {}  # the first rule that mentions a test says that it holds
    weights = []
    for conditions, _ in tree.rules:
        weight = 1.0
        for condition in conditions:
            test = re.match(r"(?:test )?\(?(\d+)", condition)[1]
            is_held = first.setdefault(test, condition) == condition
            weight *= 1.0 - fails[test] if is_held else fails[test]
        weights.append(weight)
    return np.array(weights)


def _outputs(outcome: str, row: Row, fills: Fills, classes: list[str]) -> np.ndarray:
    """Return what a rule says: probabilities, logits as probabilities, or values."""
    if outcome.startswith("class: "):
        listed = re.search(r"probabilities(?: before mixing)?: (.*)\)$", outcome)[1]
        pattern = ", ".join(f"{re.escape(name)} (\\S+)" for name in classes)
        return np.array([float(value) for value in re.fullmatch(pattern, listed).groups()])
    text = re.fullmatch(r"(.*) \(.*?\)", outcome)[1]
    if not classes:
        plain = text.removeprefix("value: ")
        if re.fullmatch(r"[-\d.e+, ]+", plain):
            return np.array([float(value) for value in plain.split(", ")])
        return np.array([_formula(one.split(": ", 1)[1], row, fills) for one in text.split("; ")])
    logits = [_formula(one.split(": ", 1)[1], row, fills) for one in text.split("; ")]
    powers = np.exp(np.array([0.0, *logits] if len(classes) == 2 else logits))
    return powers / powers.sum()


def _formula(text: str, row: Row, fills: Fills) -> float:
    """Return the value of ``12.3 + 0.8*age, from 10 to 30``."""
    formula, low, high = re.fullmatch(r"(.*?)(?:, from (\S+) to (\S+))?", text).groups()
    value = linear(formula, row, fills)
    return value if low is None else min(max(value, float(low)), float(high))
