"""A model as a Python module that imports nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aslant.codegen.description import Combination, Description
from aslant.codegen.imperative import ImperativeWriter
from aslant.codegen.names import comment
from aslant.codegen.reasons import comparisons_of, plain_functions
from aslant.codegen.templates import fill, predictions

_DAYS = """\
elif place in DAYS:
            values.append(_days(value, DAYS[place]))
        """


class PythonWriter(ImperativeWriter):
    """Writes Python."""

    largest = ("{variable} = largest([", "])")
    remark = "  # {}"

    def function(self, name: str, body: Sequence[str]) -> list[str]:
        """Return ``def name(x):`` and the body."""
        return ["", f"def {name}(x):", *body]

    def condition(self, text: Sequence[str]) -> list[str]:
        """Return ``if text:``, in parentheses over several lines."""
        if len(text) == 1:
            return [f"if {text[0]}:"]
        return ["if (", *(self.indent + line for line in text), "):"]

    def between(self, low: float, value: str, high: float) -> str:
        """Return ``min(max(low, value), high)``."""
        return f"min(max({low!r}, {value}), {high!r})"

    # ------------------------------------------------------------------ parts of the module

    def constants(self) -> list[str]:
        """Return names, levels, derived features, and the index of each feature."""
        made = self.description
        levels: dict[int, Any] = {}
        for j, given in enumerate(made.inputs):
            if given.kind == "levels":
                levels[j] = {level: code for code, level in enumerate(given.levels)}
        lines = [f"FEATURES = {[given.name for given in made.inputs]!r}"]
        lines += [f"CLASSES = {list(made.classes)!r}"] if made.classes else []
        lines += ["LEVELS = {", *(f"    {j}: {codes!r}," for j, codes in levels.items()), "}"]
        unknown = {j: one.unknown for j, one in enumerate(made.inputs) if one.unknown is not None}
        lines.append(f"UNKNOWN = {unknown!r}  # the code of any other level")
        if any(given.kind in ("date", "duration") for given in made.inputs):
            kinds = {
                j: one.date_order or one.kind
                for j, one in enumerate(made.inputs)
                if one.kind in ("date", "duration")
            }
            lines.append(f"DAYS = {kinds!r}")
        if made.derives:
            ways = [(f.source, f.table or f.what) for f in made.features]
            lines += ["# By feature: its input, and how it is derived."]
            lines += ["DERIVED = [", *(f"    {way!r}," for way in ways), "]"]
        for j, (name, feature) in enumerate(zip(self.places, made.features, strict=True)):
            lines.append(f"{name} = {j}  # {comment(feature.name)}")
        return lines

    def preparation(self) -> str:
        """Return the functions that turn a row into features."""
        made = self.description
        has_days = any(given.kind in ("date", "duration") for given in made.inputs)
        sections = ["values", *(["dates"] if has_days else [])]
        sections += ["derived"] if made.derives else []
        features = "[_derived(values[j], how) for j, how in DERIVED]" if made.derives else "values"
        days = _DAYS if has_days else ""
        return fill("python", *sections, "helpers", days=days, features=features)

    def outputs(self) -> list[str]:
        """Return the outputs of the leaves: a table, or functions of the row if they are linear."""
        if not self.description.is_linear:
            what = "probabilities of the classes" if self.description.classes else "predictions"
            rows = (f"    {leaf.output!r}," for leaf in self.leaves)
            return [f"# By leaf: {what}.", "OUTPUTS = [", *rows, "]"]
        lines = []
        for k, leaf in enumerate(self.leaves):
            inner = []
            for slope in leaf.slopes:
                *first, last = self.prediction(slope)
                inner += [self.indent * 2 + line for line in (*first, f"{last},")]
            lines += ["", f"def leaf_{k}(x):", "    return [", *inner, "    ]", ""]
        names = ", ".join(f"leaf_{k}" for k in range(len(self.leaves)))
        return [*lines, "", f"LEAVES = [{names}]"]

    def gate_function(self) -> list[str]:
        """Return the function that computes the gates of all tests, and the children."""
        lines = ["", "def gates(x):", "    return ["]
        for text in self.gates():
            lines += [self.indent * 2 + line for line in self._wrapped(f"{text},")]
        lines += ["    ]", "", "", "# By test: its children, a test or -1 - the number of a leaf."]
        return [*lines, f"CHILDREN = {self.gate_children()!r}"]

    def comparisons(self) -> list[str]:
        """Return the tables of reasons."""
        made = comparisons_of(self.description)
        lines = [f"NAMES = {[feature.name for feature in self.description.features]!r}"]
        lines += ["# By comparison: for each function its value at the mean, and its terms, which"]
        lines += ["# are feature, level or -1, coefficient and mean.", "COMPARISONS = ["]
        lines += [f"    {rows!r}," for rows in plain_functions(made)]
        lines += ["]", "# By leaf: comparisons, and which function is largest, or -1."]
        return [*lines, "PATHS = [", *(f"    {path!r}," for path in made.paths), "]"]


def python_code(description: Description, reasons: int | None = None) -> str:
    """Return a module with ``predict(row)`` and, of a classifier, ``predict_proba(row)``."""
    writer = PythonWriter(description)
    combination = description.combination
    functions = (
        "predict(row) and predict_proba(row) take" if description.classes else "predict(row) takes"
    )
    lines = [
        f'"""{description.estimator}, written by aslant. This file has no dependencies.',
        "",
        f"{functions} one row: the values in the order of FEATURES, or",
        "a dictionary by name. None and NaN are missing values, and so is an unknown level, unless",
        "UNKNOWN has a code for it.",
        '"""',
        "",
        *writer.constants(),
        *writer.preparation().splitlines(),
    ]
    is_soft = combination is Combination.SOFT
    if is_soft:
        lines += [*fill("python", "gate").splitlines(), *writer.gate_function()]
    if not is_soft or reasons is not None or description.intervals:
        lines += [*writer.tree_functions(), ""]
    lines += writer.outputs()
    if description.has_winners:
        lines.append(f"WINNERS = {[leaf.winner for leaf in writer.leaves]!r}  # classes, by leaf")
    if combination in (Combination.SUM, Combination.VOTES):
        trees = ", ".join(f"tree_{t}" for t in range(len(description.trees)))
        lines.append(f"TREES = [{trees}]")
    if combination is Combination.SUM:
        lines.append(f"WEIGHTS = {list(description.weights)!r}")
        lines.append(f"DIVISOR = {description.divisor!r}")
    leaves = fill("python", "linear_leaves" if description.is_linear else "constant_leaves")
    own = ""
    if description.intervals:
        lines.append(f"INTERVALS = {description.intervals!r}  # around the prediction, by leaf")
        own = fill("python", "interval", coverage=description.coverage)
    if reasons is not None:
        lines += writer.comparisons()
        own += fill("python", "reasons", n_reasons=reasons)
    return "\n".join(lines) + "\n" + leaves + predictions("python", description) + own
