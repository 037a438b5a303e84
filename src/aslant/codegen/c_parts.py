"""Pieces of C that an exported file is made of."""

from __future__ import annotations

from aslant.codegen.description import Combination

HEAD = """\
/* {estimator}, written by aslant. C99; nothing is allocated, and nothing but {needs} is
   needed of the standard library.

{functions}
   x holds the features in the order of the constants X_... below; NAN is a missing value. A
   category is the code that {name}_code_... returns, which is NAN for an unknown level unless the
   model has a code for those. A date is the days since 1970 began, a duration is days.

   Sums are written out in the order in which aslant adds. Compile without fused multiply-add
   (-std=c99 or -ffp-contract=off) and without -ffast-math, and every row gets the same leaf. */
#include <math.h>
#include <string.h>

#if !defined(__GNUC__) || defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif
"""

FUNCTIONS = {
    True: """\
     int {name}_predict(const double *x);                       place of the class in {name}_classes
     void {name}_predict_proba(const double *x, double *proba); one probability for each class
""",
    False: """\
     double {name}_predict(const double *x);                    the predicted number
""",
    None: """\
     void {name}_predict(const double *x, double *numbers);     the predicted numbers
""",
}

#: Each is written only where it is called, so that no compiler warns.
HELPERS = {
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
    "gate": """
static double gate(double score) { return 1.0 / (1.0 + exp(-score)); }
""",
    "between": """
static double between(double low, double x, double high) {
    return x < low ? low : (x > high ? high : x);
}
""",
    "date_part": """
/* Year, month or day ('y', 'm', 'd') of the days since 1970 began; years are counted from March. */
static double date_part(double days, char part) {
    if (days != days) return NAN;
    const double shifted = floor(days) + 719468.0, era = floor(shifted / 146097.0);
    const long rest = (long)(shifted - era * 146097.0);
    const long year = (rest - rest / 1460 + rest / 36524 - rest / 146096) / 365;
    const long day = rest - (365 * year + year / 4 - year / 100), month = (5 * day + 2) / 153;
    if (part == 'y') return (double)(year + (month > 9)) + 400.0 * era;
    return (double)(part == 'm' ? (month + 2) % 12 + 1 : day - (153 * month + 2) / 5 + 1);
}
""",
}

_SUMS = """
static void mean(const double *given, double *sum) {{
    {x}
    for (int k = 0; k < N_OUTPUTS; ++k) sum[k] = 0.0;
    for (int t = 0; t < N_TREES; ++t) {{
        const int leaf = trees[t](x);
        {said}
        for (int k = 0; k < N_OUTPUTS; ++k) sum[k] += weights[t] * said[k];
    }}
    for (int k = 0; k < N_OUTPUTS; ++k) sum[k] /= {divisor!r};
}}
"""

_REACHED = """
/* What all leaves say, as far as a row reaches them: leaves first, then tests. */
static void mean(const double *given, double *sum) {{
    {x}
    double passes[N_TESTS + 1], reached[2 * N_TESTS + 2];
    gates(x, passes);
    reached[N_LEAVES] = reached[0] = 1.0;
    for (int test = 0; test < N_TESTS; ++test) {{
        const double here = reached[N_LEAVES + test];
        reached[children[test][0]] = here * (1.0 - passes[test]);
        reached[children[test][1]] = here * passes[test];
    }}
    for (int k = 0; k < N_OUTPUTS; ++k) sum[k] = 0.0;
    for (int leaf = 0; leaf < N_LEAVES; ++leaf) {{
        {said}
        for (int k = 0; k < N_OUTPUTS; ++k) sum[k] += reached[leaf] * said[k];
    }}
}}
"""

_LARGEST = """
int {name}_predict(const double *given) {{
    double proba[N_OUTPUTS];
    {name}_predict_proba(given, proba);
    return largest(N_OUTPUTS, proba);
}}
"""

#: By whether there are classes, and by how trees are combined. ``{x}`` makes features of inputs.
ANSWERS = {
    (True, Combination.SINGLE): """
void {name}_predict_proba(const double *given, double *proba) {{
    {x}
    const int leaf = tree_0(x);
    for (int k = 0; k < N_OUTPUTS; ++k) proba[k] = outputs[leaf][k];
}}

int {name}_predict(const double *given) {{
    {x}
    return winners[tree_0(x)];
}}
""",
    (True, Combination.SUM): _SUMS
    + """
void {name}_predict_proba(const double *given, double *proba) {{ mean(given, proba); }}
"""
    + _LARGEST,
    (True, Combination.VOTES): """
static void count(const double *given, double *votes, double *sum) {{
    {x}
    for (int k = 0; k < N_OUTPUTS; ++k) votes[k] = sum[k] = 0.0;
    for (int t = 0; t < N_TREES; ++t) {{
        const int leaf = trees[t](x);
        votes[winners[leaf]] += 1.0;
        for (int k = 0; k < N_OUTPUTS; ++k) sum[k] += outputs[leaf][k];
    }}
}}

void {name}_predict_proba(const double *given, double *proba) {{
    double sum[N_OUTPUTS];
    count(given, proba, sum);
    for (int k = 0; k < N_OUTPUTS; ++k) proba[k] /= N_TREES;
}}

int {name}_predict(const double *given) {{
    double votes[N_OUTPUTS], sum[N_OUTPUTS];
    count(given, votes, sum);
    for (int k = 0; k < N_OUTPUTS; ++k) votes[k] += sum[k] / (2.0 * N_TREES + 2.0);
    return largest(N_OUTPUTS, votes);
}}
""",
    (True, Combination.SOFT): _REACHED
    + """
void {name}_predict_proba(const double *given, double *proba) {{
    double greatest = 0.0, total = 0.0;
    mean(given, proba);
    for (int k = 0; k < N_OUTPUTS; ++k)
        if (proba[k] > greatest) greatest = proba[k];
    for (int k = 0; k < N_OUTPUTS; ++k) {{
        const double least = proba[k] > 1e-300 ? proba[k] : 1e-300;
        proba[k] = pow(least / greatest, {exponent!r});
        total += proba[k];
    }}
    for (int k = 0; k < N_OUTPUTS; ++k) proba[k] /= total;
}}
"""
    + _LARGEST,
    (False, Combination.SINGLE): """
{type} {name}_predict(const double *given{argument}) {{
    {x}
    const int leaf = tree_0(x);
    {said}
    {answer}
}}
""",
    (False, Combination.SOFT): _REACHED
    + """
{type} {name}_predict(const double *given{argument}) {{
    double said[N_OUTPUTS];
    mean(given, said);
    {answer}
}}
""",
    (False, Combination.SUM): _SUMS
    + """
{type} {name}_predict(const double *given{argument}) {{
    double said[N_OUTPUTS];
    mean(given, said);
    {answer}
}}
""",
}
