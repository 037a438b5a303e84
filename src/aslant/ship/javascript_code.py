"""A model as JavaScript without dependencies, for a page or for Node."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from aslant.ship.description import Combination, Description
from aslant.ship.imperative import ImperativeWriter
from aslant.ship.names import comment

_HEAD = """\
// {estimator}, written by aslant. It needs nothing but this file.
//
// aslantModel.predict(row) and .predictProba(row) take one row: the values in the order of
// aslantModel.features, or an object by name. null, undefined and NaN are missing values, and so
// is an unknown level. In Node: const model = require("./model.js").
"use strict";
const aslantModel = (() => {{
"""

_HELPERS = """
function values(row) {
    const given = Array.isArray(row) ? row : FEATURES.map((name) => row[name]);
    if (given.length !== FEATURES.length)
        throw new RangeError(`a row must have ${FEATURES.length} values, got ${given.length}`);
    return given.map((value, place) => {
        const plain = typeof value === "boolean" ? Number(value) : value;
        if (LEVELS.has(place)) {
            const code = LEVELS.get(place).get(plain);
            return code === undefined ? NaN : code;
        }
        return plain === null || plain === undefined ? NaN : Number(plain);
    });
}

const num = (x, fill) => (x === x ? x : fill);
const level = (x, code, fill) => (x === x ? Number(x === code) : fill);

function largest(list) {
    let best = 0;
    for (let k = 1; k < list.length; ++k) if (list[k] > list[best]) best = k;
    return best;
}
"""

_ANSWERS = {
    Combination.SINGLE: """
const predictProba = (row) => PROBABILITIES[tree_0(values(row))].slice();
const predict = (row) => CLASSES[WINNERS[tree_0(values(row))]];
""",
    Combination.SUM: """
function sums(row) {
    const x = values(row);
    const total = CLASSES.map(() => 0);
    TREES.forEach((tree, t) => {
        PROBABILITIES[tree(x)].forEach((share, k) => { total[k] += WEIGHTS[t] * share; });
    });
    return total;
}

const predictProba = (row) => sums(row).map((total) => total / DIVISOR);
const predict = (row) => CLASSES[largest(sums(row))];
""",
    Combination.VOTES: """
function count(row) {
    const x = values(row);
    const votes = CLASSES.map(() => 0);
    const total = CLASSES.map(() => 0);
    for (const tree of TREES) {
        const leaf = tree(x);
        votes[WINNERS[leaf]] += 1;
        PROBABILITIES[leaf].forEach((share, k) => { total[k] += share; });
    }
    return [votes, total];
}

const predictProba = (row) => count(row)[0].map((votes) => votes / TREES.length);

function predict(row) {
    const [votes, total] = count(row);
    return CLASSES[largest(votes.map((v, k) => v + total[k] / (2 * TREES.length + 2)))];
}
""",
}

_END = """
// The leaf that a row reaches in each tree, counted through all trees.
const leaves = (row) => { const x = values(row); return TREES.map((tree) => tree(x)); };
return { features: FEATURES, classes: CLASSES, predict, predictProba, leaves };
})();
if (typeof module !== "undefined") module.exports = aslantModel;
"""


class JavaScriptWriter(ImperativeWriter):
    """Writes JavaScript."""

    end = ";"
    closing = ("}",)
    equals = "==="

    def function(self, name: str, body: Sequence[str]) -> list[str]:
        """Return a function."""
        return [f"function {name}(x) {{", *body, "}"]

    def condition(self, text: Sequence[str]) -> list[str]:
        """Return ``if (text) {``."""
        if len(text) == 1:
            return [f"if ({text[0]}) {{"]
        return ["if (", *(self.indent + line for line in text), ") {"]

    def largest(self, variable: str, values: Sequence[str]) -> list[str]:
        """Return ``const variable = largest([...]);``."""
        inner = (self.indent + line for text in values for line in self._wrapped(f"{text},"))
        return [f"const {variable} = largest([", *inner, "]);"]


def javascript_code(description: Description) -> str:
    """Return a script that defines ``aslantModel``."""
    writer = JavaScriptWriter(description)
    leaves = writer.leaves()
    lines = _HEAD.format(estimator=description.estimator).splitlines()
    lines += [
        f"const FEATURES = {literal([feature.name for feature in description.features])};",
        f"const CLASSES = {literal(list(description.classes))};",
        "const LEVELS = new Map([",
    ]
    for j, feature in enumerate(description.features):
        if feature.levels is not None:
            # A truth value counts as 0 or 1, as it does in Python.
            plain = [int(one) if isinstance(one, bool) else one for one in feature.levels]
            codes = literal([[one, code] for code, one in enumerate(plain)])
            lines.append(f"    [{j}, new Map({codes})],")
    lines.append("]);")
    for j, (name, feature) in enumerate(zip(writer.inputs, description.features, strict=True)):
        lines.append(f"const {name} = {j}; // {comment(feature.name)}")
    lines += [*_HELPERS.splitlines(), "", *writer.tree_functions()]
    trees = ", ".join(f"tree_{t}" for t in range(len(description.trees)))
    lines += [f"const TREES = [{trees}];", "const PROBABILITIES = ["]
    lines += [f"    {literal(list(leaf.probabilities))}," for leaf in leaves]
    lines += ["];", f"const WINNERS = {literal([leaf.winner for leaf in leaves])};"]
    if description.combination is Combination.SUM:
        lines.append(f"const WEIGHTS = {literal(list(description.weights))};")
        lines.append(f"const DIVISOR = {description.divisor!r};")
    return "\n".join(lines) + "\n" + _ANSWERS[description.combination] + _END


def literal(value: Any) -> str:
    """Return JSON that may stand in a script, also one inside a page."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False).replace("<", "\\u003c")
