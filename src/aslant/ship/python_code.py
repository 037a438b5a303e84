"""A model as a Python module that imports nothing."""

from __future__ import annotations

from collections.abc import Sequence

from aslant.ship.description import Combination, Description
from aslant.ship.imperative import ImperativeWriter
from aslant.ship.names import comment

_PREPARATION = '''
def _values(row):
    """Return the features of a row as numbers and codes of levels; None where missing."""
    if isinstance(row, dict):
        row = [row.get(name) for name in FEATURES]
    values = []
    for place, value in enumerate(row):
        if place in LEVELS:
            values.append(LEVELS[place].get(value))
        else:
            values.append(None if value is None or value != value else float(value))
    if len(values) != len(FEATURES):
        raise ValueError("a row must have %d values, got %d" % (len(FEATURES), len(values)))
    return values


def num(x, fill):
    """Return a number, or what stands in for it where it is missing."""
    return fill if x is None else x


def level(x, code, fill):
    """Return 1 if a category has this level, 0 if it has another; fill if it is missing."""
    return fill if x is None else float(x == code)


def largest(values):
    """Return the place of the largest value, the first on ties."""
    return values.index(max(values))

'''

_ANSWERS = {
    Combination.SINGLE: '''
def predict_proba(row):
    """Return the probability of each of CLASSES."""
    return list(PROBABILITIES[tree_0(_values(row))])


def predict(row):
    """Return the predicted class."""
    return CLASSES[WINNERS[tree_0(_values(row))]]
''',
    Combination.SUM: '''
def _sums(row):
    x = _values(row)
    sums = [0.0] * len(CLASSES)
    for tree, weight in zip(TREES, WEIGHTS):
        for k, share in enumerate(PROBABILITIES[tree(x)]):
            sums[k] += weight * share
    return sums


def predict_proba(row):
    """Return the probability of each of CLASSES."""
    return [total / DIVISOR for total in _sums(row)]


def predict(row):
    """Return the predicted class."""
    return CLASSES[largest(_sums(row))]
''',
    Combination.VOTES: '''
def _votes(row):
    x = _values(row)
    votes, sums = [0.0] * len(CLASSES), [0.0] * len(CLASSES)
    for tree in TREES:
        leaf = tree(x)
        votes[WINNERS[leaf]] += 1.0
        for k, share in enumerate(PROBABILITIES[leaf]):
            sums[k] += share
    return votes, sums


def predict_proba(row):
    """Return the share of the votes for each of CLASSES."""
    return [votes / len(TREES) for votes in _votes(row)[0]]


def predict(row):
    """Return the class with most votes; ties go to the highest sum of probabilities."""
    votes, sums = _votes(row)
    return CLASSES[largest([v + s / (2.0 * len(TREES) + 2.0) for v, s in zip(votes, sums)])]
''',
}


class PythonWriter(ImperativeWriter):
    """Writes Python."""

    def function(self, name: str, body: Sequence[str]) -> list[str]:
        """Return ``def name(x):`` and the body."""
        return ["", f"def {name}(x):", *body]

    def condition(self, text: Sequence[str]) -> list[str]:
        """Return ``if text:``, in parentheses over several lines."""
        if len(text) == 1:
            return [f"if {text[0]}:"]
        return ["if (", *(self.indent + line for line in text), "):"]

    def largest(self, variable: str, values: Sequence[str]) -> list[str]:
        """Return ``variable = largest([...])``."""
        inner = (self.indent + line for text in values for line in self._wrapped(f"{text},"))
        return [f"{variable} = largest([", *inner, "])"]


def python_code(description: Description) -> str:
    """Return the source of a module with ``predict(row)`` and ``predict_proba(row)``."""
    writer = PythonWriter(description)
    leaves = writer.leaves()
    lines = [
        f'"""{description.estimator}, written by aslant. It needs nothing but this file.',
        "",
        "predict(row) and predict_proba(row) take one row: the values in the order of FEATURES, or",
        "a dictionary by name. None and NaN are missing values, and so is an unknown level.",
        '"""',
        "",
        f"FEATURES = {[feature.name for feature in description.features]!r}",
        f"CLASSES = {list(description.classes)!r}",
        "LEVELS = {",
    ]
    for j, feature in enumerate(description.features):
        if feature.levels is not None:
            codes = {level: code for code, level in enumerate(feature.levels)}
            lines.append(f"    {j}: {codes!r},")
    lines.append("}")
    for j, (name, feature) in enumerate(zip(writer.inputs, description.features, strict=True)):
        lines.append(f"{name} = {j}  # {comment(feature.name)}")
    lines += [*_PREPARATION.splitlines(), *writer.tree_functions(), ""]
    lines += ["# By leaf: the probability of each class, and the place of the class it stands for."]
    lines += ["PROBABILITIES = [", *(f"    {leaf.probabilities!r}," for leaf in leaves), "]"]
    lines += [f"WINNERS = {[leaf.winner for leaf in leaves]!r}"]
    if description.combination is not Combination.SINGLE:
        trees = ", ".join(f"tree_{t}" for t in range(len(description.trees)))
        lines.append(f"TREES = [{trees}]")
    if description.combination is Combination.SUM:
        lines.append(f"WEIGHTS = {list(description.weights)!r}")
        lines.append(f"DIVISOR = {description.divisor!r}")
    return "\n".join(lines) + "\n\n" + _ANSWERS[description.combination]
