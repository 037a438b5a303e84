"""A model as one file of C99 that allocates nothing."""

from __future__ import annotations

from collections.abc import Sequence

from aslant.ship.description import Combination, Description, Label
from aslant.ship.imperative import ImperativeWriter
from aslant.ship.names import comment, identifiers

_HEAD = """\
/* {estimator}, written by aslant. C99; nothing is allocated, and nothing but NAN and strcmp is
   needed of the standard library.

     int {name}_predict(const double *x);                       place of the class in {name}_classes
     void {name}_predict_proba(const double *x, double *proba); one probability for each class

   x holds the features in the order of the constants X_... below; NAN is a missing value. A
   category is the code that {name}_code_... returns, which is NAN for an unknown level.

   Sums are written out in the order in which aslant adds. Compile without fused multiply-add
   (-std=c99 or -ffp-contract=off) and without -ffast-math, and every row gets the same leaf. */
#include <math.h>
#include <string.h>

#if !defined(__GNUC__) || defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif
"""

_HELPERS = {
    "num": """
static double num(double x, double fill) { return x == x ? x : fill; }
""",
    "level": """
static double level(double x, int code, double fill) {
    return x == x ? (x == code ? 1.0 : 0.0) : fill;
}
""",
    "largest": """
static int largest(int n, const double *values) {
    int best = 0;
    for (int k = 1; k < n; ++k)
        if (values[k] > values[best]) best = k;
    return best;
}
""",
}

_ANSWERS = {
    Combination.SINGLE: """
void {name}_predict_proba(const double *x, double *proba) {{
    const int leaf = tree_0(x);
    for (int k = 0; k < N_CLASSES; ++k) proba[k] = probabilities[leaf][k];
}}

int {name}_predict(const double *x) {{ return winners[tree_0(x)]; }}
""",
    Combination.SUM: """
static void sums(const double *x, double *sum) {{
    for (int k = 0; k < N_CLASSES; ++k) sum[k] = 0.0;
    for (int t = 0; t < N_TREES; ++t) {{
        const int leaf = trees[t](x);
        for (int k = 0; k < N_CLASSES; ++k) sum[k] += weights[t] * probabilities[leaf][k];
    }}
}}

void {name}_predict_proba(const double *x, double *proba) {{
    sums(x, proba);
    for (int k = 0; k < N_CLASSES; ++k) proba[k] /= {divisor!r};
}}

int {name}_predict(const double *x) {{
    double sum[N_CLASSES];
    sums(x, sum);
    return largest(N_CLASSES, sum);
}}
""",
    Combination.VOTES: """
static void count(const double *x, double *votes, double *sum) {{
    for (int k = 0; k < N_CLASSES; ++k) votes[k] = sum[k] = 0.0;
    for (int t = 0; t < N_TREES; ++t) {{
        const int leaf = trees[t](x);
        votes[winners[leaf]] += 1.0;
        for (int k = 0; k < N_CLASSES; ++k) sum[k] += probabilities[leaf][k];
    }}
}}

void {name}_predict_proba(const double *x, double *proba) {{
    double sum[N_CLASSES];
    count(x, proba, sum);
    for (int k = 0; k < N_CLASSES; ++k) proba[k] /= N_TREES;
}}

int {name}_predict(const double *x) {{
    double votes[N_CLASSES], sum[N_CLASSES];
    count(x, votes, sum);
    for (int k = 0; k < N_CLASSES; ++k) votes[k] += sum[k] / (2.0 * N_TREES + 2.0);
    return largest(N_CLASSES, votes);
}}
""",
}


class CWriter(ImperativeWriter):
    """Writes C."""

    end = ";"
    closing = ("}",)

    def function(self, name: str, body: Sequence[str]) -> list[str]:
        """Return a static function."""
        unread = [] if any("x[" in line or "(x)" in line for line in body) else ["    (void)x;"]
        return [f"static int {name}(const double *x) {{", *unread, *body, "}"]

    def condition(self, text: Sequence[str]) -> list[str]:
        """Return ``if (text) {``."""
        if len(text) == 1:
            return [f"if ({text[0]}) {{"]
        return ["if (", *(self.indent + line for line in text), ") {"]

    def largest(self, variable: str, values: Sequence[str]) -> list[str]:
        """Return the values as a compound literal, and the place of the largest."""
        inner = (self.indent + line for text in values for line in self._wrapped(f"{text},"))
        return [f"const int {variable} = largest({len(values)}, (const double[]){{", *inner, "});"]


def c_code(description: Description, name: str) -> str:
    """Return the source of a file with ``name_predict`` and ``name_predict_proba``."""
    writer = CWriter(description)
    leaves = writer.leaves()
    lines = _HEAD.format(estimator=description.estimator, name=name).splitlines()
    lines += [
        "",
        f"enum {{ N_FEATURES = {len(description.features)} }};",
        f"enum {{ N_CLASSES = {len(description.classes)}, N_TREES = {len(description.trees)} }};",
    ]
    for j, (place, feature) in enumerate(zip(writer.inputs, description.features, strict=True)):
        lines.append(f"enum {{ {place} = {j} }}; /* {comment(feature.name)} */")
    names = ", ".join(c_string(str(label)) for label in description.classes)
    lines += ["", f"const char *const {name}_classes[N_CLASSES] = {{{names}}};"]
    for place, feature in zip(
        identifiers((f.name for f in description.features), ""), description.features, strict=True
    ):
        if feature.levels is not None:
            lines += _codes(f"{name}_code_{place.lower()}", feature.levels)
    trees = writer.tree_functions()
    answers = _ANSWERS[description.combination].format(name=name, divisor=description.divisor)
    for helper, text in _HELPERS.items():
        if any(f"{helper}(" in line for line in [*trees, answers]):  # no compiler's warning
            lines += text.splitlines()
    lines += ["", *trees, "static const double probabilities[][N_CLASSES] = {"]
    lines += [f"    {{{', '.join(map(repr, leaf.probabilities))}}}," for leaf in leaves]
    lines += ["};", f"static const int winners[] = {{{', '.join(str(n.winner) for n in leaves)}}};"]
    if description.combination is not Combination.SINGLE:
        names = ", ".join(f"tree_{t}" for t in range(len(description.trees)))
        lines.append(f"static int (*const trees[N_TREES])(const double *) = {{{names}}};")
    if description.combination is Combination.SUM:
        weights = ", ".join(map(repr, description.weights))
        lines.append(f"static const double weights[N_TREES] = {{{weights}}};")
    return "\n".join(lines) + "\n" + answers


def _codes(function: str, levels: Sequence[Label]) -> list[str]:
    """Return the functions that turn levels into codes: of text, of numbers, or both."""
    texts = [(c_string(level), code) for code, level in enumerate(levels) if isinstance(level, str)]
    numbers = [
        (repr(float(level)), code)
        for code, level in enumerate(levels)
        if not isinstance(level, str)
    ]
    lines = []
    if texts or not numbers:
        suffix = "_text" if numbers else ""
        lines += ["", f"double {function}{suffix}(const char *level) {{"]
        lines += [f"    if (!strcmp(level, {text})) return {code};" for text, code in texts]
        lines += ["    (void)level;", "    return NAN;", "}"]
    if numbers:
        suffix = "_number" if texts else ""
        lines += ["", f"double {function}{suffix}(double level) {{"]
        lines += [f"    if (level == {value}) return {code};" for value, code in numbers]
        lines += ["    return NAN;", "}"]
    return lines


def c_string(text: str) -> str:
    """Return a string literal; bytes that are not plain ASCII are written in octal."""
    return '"' + "".join(_escaped(byte) for byte in text.encode("utf-8")) + '"'


def _escaped(byte: int) -> str:
    character = chr(byte)
    if character in '"\\?' or not 32 <= byte < 127:
        return f"\\{byte:03o}"
    return character
