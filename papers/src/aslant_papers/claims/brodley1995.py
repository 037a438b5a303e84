"""What Brodley and Utgoff conclude: see `aslant_papers.brodley1995`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from aslant_papers.claims import Check, Claim, Evidence, NotTestableError

_TWO_CLASSES = ("Breast", "Bupa", "Cleveland", "Hepatitis")
_EVERY_SET = (*_TWO_CLASSES, "Glass", "LED", "Segment", "Vowel")
_LEARNERS = ("Pocket", "RLS", "Thermal")
_WITH_LEARNERS = ("DSBE", "SBE", "SFS")
_SELECTIONS = ("DSBE", "HSS", "SBE", "SFS")
_BETAS = tuple(f"CART (beta {beta})" for beta in (0.0, 0.1, 0.2))
_SIGNIFICANT = 0.05
# Table 21: the more accurate of multivariate tests alone (M) and with univariate ones (MU).
_BEST = {
    "Breast": ("MU", "MU", "MU", "MU"),
    "Bupa": ("M", "M", "M", "M"),
    "Cleveland": ("M", "M", "M", "M"),
    "Glass": ("M", "MU", "MU", "MU"),
    "Hepatitis": ("M", "M", "M", "M"),
    "LED": ("MU", "MU", "MU", "MU"),
    "Segment": ("M", "MU", "M", "no difference"),
    "Vowel": ("M", "M", "M", "MU"),
}
_BEST_OF = ("HSS", "DSBE", "SBE", "SFS")


def _present(evidence: Evidence, row: str, *tables: int | str) -> list[str]:
    """Return the data sets, of those that the paper has, on which a row of some tables has runs."""
    found: set[str] = set()
    for table in tables:
        try:
            found |= set(evidence.datasets(table, row))
        except NotTestableError:
            continue
    if not found:
        raise NotTestableError(f"{row} has no runs in {', '.join(map(str, tables))}")
    return [data for data in _EVERY_SET if data in found]


def _table_of_all(data: str, two: int, several: int) -> int:
    """Return the number of the table that has a data set."""
    return two if data in _TWO_CLASSES else several


# ---------------------------------------------------------------------- 6.2, the learners


def _of_learners(evidence: Evidence, data: str, measure: str) -> dict[str, float]:
    """Return the mean of a measure over the selections, for each learner."""
    table = 5 if measure == "accuracy" else 9
    return {
        learner: float(
            np.mean(
                [evidence.mean(table, f"{learner} + {s}", data, measure) for s in _WITH_LEARNERS]
            )
        )
        for learner in _LEARNERS
    }


def _best_learner(measure: str, best: str, sign: int, least: int) -> Check:
    """Return the check that a learner comes first by a measure on so many data sets."""

    def check(evidence: Evidence) -> tuple[bool, str]:
        texts, wins = [], 0
        for data in _TWO_CLASSES:
            means = _of_learners(evidence, data, measure)
            wins += max(means, key=lambda name: sign * means[name]) == best
            texts.append(f"{data} " + ", ".join(f"{name} {v:.1f}" for name, v in means.items()))
        return wins >= least, f"on {wins} of {len(_TWO_CLASSES)}: {'; '.join(texts)}"

    return check


def _cases(measure: str, first: str, second: str, sign: int) -> Check:
    """Return the check that one learner beats another in most cases of data set and selection."""

    def check(evidence: Evidence) -> tuple[bool, str]:
        table = {"accuracy": 5, "cpu_seconds": 8}.get(measure, 9)
        wins = sum(
            sign * evidence.mean(table, f"{first} + {s}", data, measure)
            > sign * evidence.mean(table, f"{second} + {s}", data, measure)
            for data in _TWO_CLASSES
            for s in _WITH_LEARNERS
        )
        return wins > 6, f"in {wins} of 12 cases"

    return check


def _significance(
    table: int | str, comparison: str, datasets: Sequence[str], significant: bool, least: int
) -> Check:
    """Return the check that a test is significant, or is not, on so many data sets."""

    def check(evidence: Evidence) -> tuple[bool, str]:
        p = {data: evidence.p_value(table, comparison, data) for data in datasets}
        good = sum((value < _SIGNIFICANT) == significant for value in p.values())
        text = ", ".join(f"{data} {value:.3f}" for data, value in p.items())
        return good >= least, f"on {good} of {len(p)}: p = {text}"

    return check


def _least_spread(evidence: Evidence) -> tuple[bool, str]:
    """Least squares vary least in accuracy from run to run, in every case."""
    cases = 0
    for data in _TWO_CLASSES:
        for selection in _WITH_LEARNERS:
            sd = {
                learner: np.std(
                    evidence.values(5, f"{learner} + {selection}", data, "accuracy"), ddof=1
                )
                for learner in _LEARNERS
            }
            cases += min(sd, key=lambda name: sd[name]) == "RLS"
    return cases == 12, f"in {cases} of 12 cases"


# ---------------------------------------------------------------------- 6.3.1, the selections


def _only_significant(comparison: str, where: Sequence[str]) -> Check:
    """Return the check that two selections differ significantly on these data sets alone."""

    def check(evidence: Evidence) -> tuple[bool, str]:
        sets = _present(evidence, "SBE", "selections")
        p = {data: evidence.p_value("selections", comparison, data) for data in sets}
        found = [data for data, value in p.items() if value < _SIGNIFICANT]
        text = ", ".join(f"{data} {value:.3f}" for data, value in p.items())
        return set(found) == set(where) & set(sets), f"on {', '.join(found) or 'none'}: p = {text}"

    return check


def _never_worse(evidence: Evidence) -> tuple[bool, str]:
    """HSS is nowhere significantly less accurate than SBE or SFS."""
    worse = [
        f"{data} than {other}"
        for data in _present(evidence, "SBE", 12)
        for other in ("SBE", "SFS")
        if evidence.p_value("selections", f"HSS and {other}", data) < _SIGNIFICANT
        and evidence.mean(12, "HSS", data, "accuracy") < evidence.mean(12, other, data, "accuracy")
    ]
    return not worse, f"significantly worse: {', '.join(worse) or 'nowhere'}"


def _varies(evidence: Evidence) -> tuple[bool, str]:
    """SBE is better than SFS on some data sets and worse on others."""
    better = [
        data
        for data in _present(evidence, "SBE", 12)
        if evidence.mean(12, "SBE", data, "accuracy") > evidence.mean(12, "SFS", data, "accuracy")
    ]
    return 0 < len(better) < len(
        _present(evidence, "SBE", 12)
    ), f"SBE is better on {', '.join(better) or 'none'}"


def _ordered(measure: str, order: Sequence[str], sign: int = 1) -> Check:
    """Return the check that the mean over all data sets rises in this order of selections."""

    def check(evidence: Evidence) -> tuple[bool, str]:
        sets = _present(evidence, "SBE", 12)
        means = [
            float(np.mean([evidence.mean(12, name, data, measure) for data in sets]))
            for name in order
        ]
        holds = all(a < b for a, b in pairwise(means))
        digits = 3 if measure == "cpu_seconds" else 1
        text = ", ".join(f"{n} {v:.{digits}f}" for n, v in zip(order, means, strict=True))
        return holds, f"mean over {len(sets)} sets: {text}"

    return check


# ---------------------------------------------------------------------- 6.3.2, univariate tests

_GROUPS = {
    "CART (Uni)": _BETAS,
    "Uni-G": tuple(f"{name}-G + Uni" for name in _SELECTIONS),
    "Uni-I": tuple(f"{name}-I + Uni" for name in _SELECTIONS),
}


def _some_multivariate_is_better(evidence: Evidence) -> tuple[bool, str]:
    """Except on Glass, some multivariate method beats its univariate control."""
    failing = []
    for data in _present(evidence, "SBE-G + Uni", 13, 14):
        table = _table_of_all(data, 13, 14)
        wins = any(
            evidence.mean(table, method, data, "accuracy")
            > evidence.mean(table, control, data, "accuracy")
            for control, methods in _GROUPS.items()
            for method in methods
        )
        if not wins:
            failing.append(data)
    return set(failing) <= {"Glass"}, f"fails on {', '.join(failing) or 'none'}"


def _fewer_larger_tests(evidence: Evidence) -> tuple[bool, str]:
    """Trees with multivariate tests have fewer tests, of more features."""
    fewer = larger = cases = 0
    for data in _present(evidence, "SBE-G + Uni", 16, 17, 18):
        table = {"Glass": 17, "LED": 17, "Segment": 18, "Vowel": 18}.get(data, 16)
        for control, methods in _GROUPS.items():
            for method in methods:
                cases += 1
                fewer += evidence.mean(table, method, data, "tests") < evidence.mean(
                    table, control, data, "tests"
                )
                larger += evidence.mean(table, method, data, "features_per_test") > 1.0
    text = f"fewer tests in {fewer}, more features a test in {larger} of {cases} cases"
    return fewer > 0.75 * cases and larger > 0.9 * cases, text


def _adding_does_not_help(evidence: Evidence) -> tuple[bool, str]:
    """With univariate tests the trees are not more accurate than with multivariate ones alone."""
    counts = {"M": 0, "MU": 0}
    for data in _present(evidence, "SBE", 21):
        for name in _SELECTIONS:
            if evidence.p_value(21, name, data) < _SIGNIFICANT:
                counts[_best(evidence, data, name)] += 1
    text = f"significantly better alone in {counts['M']}, with univariate ones in {counts['MU']}"
    return counts["M"] >= 5, f"{text} cases (published 7 and 9 of 32)"


def _best(evidence: Evidence, data: str, name: str) -> str:
    alone = evidence.mean(21, name, data, "accuracy")
    both = evidence.mean(21, f"{name}-I + Uni", data, "accuracy")
    return "MU" if both > alone else "M"


def _best_column(evidence: Evidence) -> tuple[bool, str]:
    """Which of the two is more accurate: the column "Best" of table 21."""
    same, compared_cells, texts = 0, 0, []
    for data in _present(evidence, "SBE", 21):
        printed = _BEST[data]
        ours = [_best(evidence, data, name) for name in _BEST_OF]
        texts.append(f"{data} {'/'.join(ours)}")
        for own, theirs in zip(ours, printed, strict=True):
            compared_cells += theirs != "no difference"
            same += own == theirs
    half = compared_cells / 2
    order = "/".join(_BEST_OF)
    return same > half, f"the same in {same} of {compared_cells}; {order}: {', '.join(texts)}"


def _cart_is_behind(evidence: Evidence) -> tuple[bool, str]:
    """SBE with Gini is more accurate than CART with linear combinations, except on Segment."""
    wins = []
    for data in _present(evidence, "SBE-G + Uni", 13, 14):
        table = _table_of_all(data, 13, 14)
        own = evidence.mean(table, "SBE-G + Uni", data, "accuracy")
        others = [evidence.mean(table, beta, data, "accuracy") for beta in _BETAS]
        if own > max(others):
            wins.append(data)
    expected = set(_present(evidence, "SBE-G + Uni", 13, 14)) - {"Segment"}
    return expected <= set(wins), f"on {', '.join(wins) or 'none'}"


def _never_best(evidence: Evidence) -> tuple[bool, str]:
    """CART with linear combinations has the fewest errors nowhere."""
    best = []
    for data in _present(evidence, "SBE-G + Uni", 13, 14):
        table = _table_of_all(data, 13, 14)
        rows = [*_GROUPS, *(method for methods in _GROUPS.values() for method in methods)]
        means = {row: evidence.mean(table, row, data, "accuracy") for row in rows}
        if max(means, key=lambda name: means[name]) in _BETAS:
            best.append(data)
    return not best, f"best on {', '.join(best) or 'none'}"


def _beta(evidence: Evidence) -> tuple[bool, str]:
    """Nowhere do the three values of beta differ significantly."""
    sets = _present(evidence, _BETAS[0], "beta")
    return _significance("beta", "beta", sets, False, len(sets))(evidence)


def _criteria_differ(evidence: Evidence) -> tuple[bool, str]:
    """Gini and gain ratio differ on Cleveland, for every selection but DSBE."""
    p = {name: evidence.p_value(22, name, "Cleveland") for name in _SELECTIONS}
    significant = [name for name, value in p.items() if value < _SIGNIFICANT]
    text = ", ".join(f"{name} {value:.3f}" for name, value in p.items())
    return len(significant) >= 3, f"significant for {len(significant)} of 4: p = {text}"


def _time(first: Sequence[str], second: Sequence[str]) -> Check:
    """Return the check that the slowest of some methods takes less time than all of others."""

    def check(evidence: Evidence) -> tuple[bool, str]:
        sets = _present(evidence, "SBE-G + Uni", 23)

        def mean(row: str) -> float:
            return float(np.mean([evidence.mean(23, row, data, "cpu_seconds") for data in sets]))

        quick, slow = [mean(row) for row in first], [mean(row) for row in second]
        text = f"{max(quick):.3f} s at most against {min(slow):.3f} s at least"
        return max(quick) < min(slow), f"mean over {len(sets)} sets: {text}"

    return check


# ---------------------------------------------------------------------- 6.4, pruning


def _identical(evidence: Evidence) -> tuple[bool, str]:
    """Both ways of pruning give the same trees, except on Hepatitis; the rule is section 5's.

    Multivariate tree pruning only takes features out of tests, so a tree of the same size is the
    same tree.
    """
    texts, holds = [], True
    for ties in (", ties kept", ""):
        counts = []
        for data in _present(evidence, f"SBE, MTP{ties}", "pruning"):
            same = _same_trees(evidence, data, ties)
            counts.append(f"{data} {sum(same)} of {len(same)}")
            holds &= all(same) or data == "Hepatitis" or not ties
        texts.append(f"identical trees{ties or ', ties pruned'}: {', '.join(counts)}")
    return holds, "; ".join(texts)


def _same_trees(evidence: Evidence, data: str, ties: str) -> list[bool]:
    """Return of each tree whether both ways of pruning leave the same."""
    same: list[bool] = []
    for name in _BEST_OF:
        both, branches = (
            [n for run in evidence.runs("pruning", f"{name}, {way}{ties}", data) for n in run.size]
            for way in ("MTP", "BTP")
        )
        same += [a == b for a, b in zip(both, branches, strict=True)]
    return same


def _little_accuracy(evidence: Evidence) -> tuple[bool, str]:
    """Pruning features from tests changes accuracy by less than a point."""
    gains = {
        data: float(
            np.mean(
                [
                    evidence.mean("pruning", f"{name}, MTP", data, "accuracy")
                    - evidence.mean("pruning", f"{name}, BTP", data, "accuracy")
                    for name in _BEST_OF
                ]
            )
        )
        for data in _present(evidence, "SBE, MTP", "pruning")
    }
    text = ", ".join(f"{data} {gain:+.2f}" for data, gain in gains.items())
    return max(map(abs, gains.values())) < 1.0, f"points of accuracy: {text}"


_SIX_OF_EIGHT = "DSBE and SBE differ significantly on Bupa and Segment alone"

CLAIMS = (
    Claim(
        "least squares have the best accuracy of the three learners, except on Breast",
        "6.2, 1",
        _best_learner("accuracy", "RLS", 1, 3),
        (5,),
    ),
    Claim(
        "thermal training is more accurate than the Pocket algorithm in most cases",
        "6.2",
        _cases("accuracy", "Thermal", "Pocket", 1),
        (5,),
    ),
    Claim("the accuracy of least squares varies least, in every case", "6.2", _least_spread, (5,)),
    Claim(
        "the learners differ significantly on all four data sets",
        "6.2, table 6",
        _significance(6, "Algorithm", _TWO_CLASSES, True, 4),
        (6,),
    ),
    Claim(
        "learner and selection do not interact",
        "6.2, 2",
        _significance(6, "Alg-Sel", _TWO_CLASSES, False, 4),
        (6,),
    ),
    Claim(
        "least squares differ from the other two on all four data sets",
        "6.2, table 7",
        _significance(7, "RLS vs. Thermal and Pocket", _TWO_CLASSES, True, 4),
        (7,),
    ),
    Claim(
        "least squares take more time than the other two",
        "6.2, 3",
        _cases("cpu_seconds", "RLS", "Thermal", 1),
        (8,),
    ),
    Claim(
        "trees of recursive least squares have the fewest tests",
        "6.2, 4",
        _best_learner("tests", "RLS", -1, 4),
        (9,),
    ),
    Claim(
        "thermal training has smaller trees than the Pocket algorithm in most cases",
        "6.2",
        _cases("size", "Thermal", "Pocket", -1),
        (9,),
    ),
    Claim("which of SBE and SFS is better varies with the data", "6.3.1, 1", _varies, (12,)),
    Claim(
        "SBE and SFS differ significantly on Bupa, Hepatitis and Vowel alone",
        "6.3.1",
        _only_significant("SBE and SFS", ("Bupa", "Hepatitis", "Vowel")),
        ("selections",),
    ),
    Claim(
        "HSS is never significantly worse than SBE or SFS",
        "6.3.1, 2",
        _never_worse,
        ("selections", 12),
    ),
    Claim(
        _SIX_OF_EIGHT,
        "6.3.1, 3",
        _only_significant("DSBE and SBE", ("Bupa", "Segment")),
        ("selections",),
    ),
    Claim(
        "DSBE takes the least time, then SFS, HSS and SBE",
        "6.3.1, 4",
        _ordered("cpu_seconds", ("DSBE", "SFS", "HSS", "SBE")),
        (12,),
    ),
    Claim(
        "SFS makes tests of fewer features than DSBE, and DSBE than SBE",
        "6.3.1, 5",
        _ordered("features_per_test", ("SFS", "DSBE", "SBE")),
        (12,),
    ),
    Claim(
        "SBE has fewer tests than DSBE, and DSBE than SFS",
        "6.3.1, 5",
        _ordered("tests", ("SBE", "DSBE", "SFS")),
        (12,),
    ),
    Claim(
        "except on Glass, some multivariate method is more accurate than its univariate control",
        "6.3.2, 1",
        _some_multivariate_is_better,
        (13, 14),
    ),
    Claim(
        "multivariate tests make fewer nodes, of more features",
        "6.3.2, 2",
        _fewer_larger_tests,
        (16, 17, 18),
    ),
    Claim(
        "adding univariate tests is no better than multivariate ones alone",
        "6.3.2, 3",
        _adding_does_not_help,
        (21,),
    ),
    Claim("the column Best of table 21", "table 21", _best_column, (21,)),
    Claim(
        "CART does not depend on beta",
        "6.3.2, 4",
        _beta,
        ("beta",),
    ),
    Claim(
        "SBE with Gini is more accurate than CART's linear trees, except on Segment",
        "6.3.2",
        _cart_is_behind,
        (13, 14),
    ),
    Claim("CART's linear trees have the fewest errors nowhere", "6.3.2, 4", _never_best, (13, 14)),
    Claim("Gini and gain ratio differ on Cleveland", "6.3.2, 5", _criteria_differ, (22,)),
    Claim(
        "univariate trees take less time than multivariate ones",
        "6.3.2, 6",
        _time(("C4.5", "Uni-G", "Uni-I"), (*_GROUPS["Uni-G"], *_GROUPS["Uni-I"])),
        (23,),
    ),
    Claim(
        "of the multivariate methods CART takes the least time",
        "6.3.2, 6",
        _time(_BETAS, (*_GROUPS["Uni-G"], *_GROUPS["Uni-I"])),
        (23,),
    ),
    Claim(
        "pruning features, too, changes no tree, except on Hepatitis",
        "6.4",
        _identical,
        ("pruning",),
    ),
    Claim("pruning features, too, hardly changes accuracy", "6.4", _little_accuracy, ("pruning",)),
)
