"""What Brodley and Utgoff conclude: see `aslant_papers.brodley1995`.

Where the paper speaks of significance, a comparison holds if our test is on the claimed side of
0.05. If it is not, it is open as long as our difference of accuracies is the printed one within the
paper's precision: then both come from the same effect.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise, product
from typing import Any

import numpy as np

from aslant_papers.claims import (
    Check,
    Claim,
    Evidence,
    NotTestableError,
    Outcome,
    Verdict,
    counted,
    verdict_of,
)
from aslant_papers.claims.readers import (
    all_of,
    as_printed,
    better,
    decided,
    group_better,
    not_worse,
    outcome_of,
)

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


def _selection(name: str, data: str) -> tuple[int, str]:
    """Return table and row of a selection in the experiment with multivariate tests alone."""
    return (10, f"{name} (RLS)") if data in _TWO_CLASSES else (11, f"{name} (Thermal)")


def _selected_sets(evidence: Evidence) -> list[str]:
    """Return the data sets of tables 10 and 11 that are there."""
    found = []
    for table, row in ((10, "SBE (RLS)"), (11, "SBE (Thermal)")):
        try:
            found += evidence.datasets(table, row)
        except NotTestableError:
            continue
    return found


def _tested(
    p: float, *, significant: bool, alike: Callable[..., bool], of: tuple[Any, ...]
) -> Outcome:
    """Return whether a test comes to the paper's conclusion; None if the effects are alike."""
    if (p < _SIGNIFICANT) is significant:
        return True
    try:
        return None if alike(*of) else False
    except NotTestableError:
        return False


# ---------------------------------------------------------------------- 6.2, the learners


def _rows_of(learner: str) -> list[str]:
    return [f"{learner} + {selection}" for selection in _WITH_LEARNERS]


def _shown(evidence: Evidence, data: str, measure: str) -> str:
    table = 5 if measure == "accuracy" else 9
    texts = []
    for learner in _LEARNERS:
        means = [evidence.mean(table, row, data, measure) for row in _rows_of(learner)]
        texts.append(f"{learner} {np.mean(means):.1f}")
    return f"{data} {', '.join(texts)}"


def _learner_is_better(
    measure: str, first: str, others: Sequence[str], datasets: Sequence[str], *, most: bool = False
) -> Check:
    """Return the check that a learner is better than others, averaged over the selections."""
    table = 5 if measure == "accuracy" else 9

    def check(evidence: Evidence) -> tuple[Verdict, str]:
        outcomes = [
            group_better(evidence, table, _rows_of(first), _rows_of(other), data, measure)
            for data, other in product(datasets, others)
        ]
        texts = "; ".join(_shown(evidence, data, measure) for data in datasets)
        least = len(outcomes) // 2 + 1 if most else None
        return verdict_of(outcomes, least), f"{counted(outcomes)}: {texts}"

    return check


def _in_most_cases(table: int, measure: str, first: str, others: Sequence[str]) -> Check:
    """Return the check that a learner is better in most cases of data set and selection."""

    def check(evidence: Evidence) -> tuple[Verdict, str]:
        outcomes = [
            better(evidence, table, f"{first} + {s}", f"{other} + {s}", data, measure)
            for data, s, other in product(_TWO_CLASSES, _WITH_LEARNERS, others)
        ]
        return verdict_of(outcomes, len(outcomes) // 2 + 1), counted(outcomes)

    return check


def _learners_alike(evidence: Evidence, data: str) -> bool:
    """Whether learners differ as printed, for each selection."""
    return all(
        as_printed(evidence, 5, (f"{a} + {s}",), (f"{b} + {s}",), data)
        for s in _WITH_LEARNERS
        for a, b in (("RLS", "Pocket"), ("RLS", "Thermal"), ("Thermal", "Pocket"))
    )


def _of_learners(
    table: int,
    comparison: str,
    significant: bool,
    alike: Callable[[Evidence, str], bool] = _learners_alike,
) -> Check:
    """Return the check that a test between learners is significant, or is not, on all sets."""

    def check(evidence: Evidence) -> tuple[Verdict, str]:
        p = {data: evidence.p_value(table, comparison, data) for data in _TWO_CLASSES}
        outcomes = [
            _tested(value, significant=significant, alike=alike, of=(evidence, data))
            for data, value in p.items()
        ]
        text = ", ".join(f"{data} {value:.3f}" for data, value in p.items())
        return verdict_of(outcomes), f"{counted(outcomes)}: p = {text}"

    return check


def _squares_alike(evidence: Evidence, data: str) -> bool:
    """Whether least squares differ from the mean of the others as printed."""
    return as_printed(
        evidence, 5, _rows_of("RLS"), [*_rows_of("Thermal"), *_rows_of("Pocket")], data
    )


def _least_spread(evidence: Evidence) -> tuple[Verdict, str]:
    """Least squares vary least in accuracy from run to run, in every case."""
    outcomes: list[Outcome] = []
    lowest = 0
    for data, selection in product(_TWO_CLASSES, _WITH_LEARNERS):
        values = {
            learner: evidence.values(5, f"{learner} + {selection}", data, "accuracy")
            for learner in _LEARNERS
        }
        sd = {name: float(np.std(of, ddof=1)) for name, of in values.items()}
        lowest += min(sd, key=lambda name: sd[name]) == "RLS"
        for other in ("Pocket", "Thermal"):
            # The deviation of ten runs has a relative error of 1 / sqrt(2 * 9).
            error = np.sqrt((sd["RLS"] ** 2 + sd[other] ** 2) / 18.0)
            outcomes.append(outcome_of(sd[other] - sd["RLS"], 2.0 * float(error)))
    return verdict_of(outcomes), f"{counted(outcomes)}; lowest in {lowest} of 12 cases"


# ---------------------------------------------------------------------- 6.3.1, the selections


def _p_of_selections(evidence: Evidence, comparison: str) -> dict[str, float]:
    return {
        data: evidence.p_value("selections", comparison, data)
        for data in _present(evidence, "SBE", "selections")
    }


def _differ_as_printed(evidence: Evidence, first: str, second: str, data: str) -> bool:
    table, row = _selection(first, data)
    return as_printed(evidence, table, (row,), (_selection(second, data)[1],), data)


def _differ(first: str, second: str, where: Sequence[str]) -> Check:
    """Return the check that two selections differ significantly on these data sets alone."""

    def check(evidence: Evidence) -> tuple[Verdict, str]:
        p = _p_of_selections(evidence, f"{first} and {second}")
        outcomes = [
            _tested(
                value,
                significant=data in where,
                alike=_differ_as_printed,
                of=(evidence, first, second, data),
            )
            for data, value in p.items()
        ]
        text = ", ".join(f"{data} {value:.3f}" for data, value in p.items())
        return verdict_of(outcomes), f"{counted(outcomes)}: p = {text}"

    return check


def _do_not_differ_in_six_of_eight(evidence: Evidence) -> tuple[Verdict, str]:
    p = _p_of_selections(evidence, "DSBE and SBE")
    outcomes = [
        _tested(
            value,
            significant=False,
            alike=_differ_as_printed,
            of=(evidence, "DSBE", "SBE", data),
        )
        for data, value in p.items()
    ]
    text = ", ".join(f"{data} {value:.3f}" for data, value in p.items())
    return verdict_of(outcomes, 6), f"{counted(outcomes)}: p = {text}"


def _selection_better(evidence: Evidence, first: str, second: str, data: str) -> Outcome:
    table, row = _selection(first, data)
    return better(evidence, table, row, _selection(second, data)[1], data, "accuracy")


def _never_worse(evidence: Evidence) -> tuple[Verdict, str]:
    """HSS is nowhere significantly less accurate than SBE or SFS."""
    outcomes: list[Outcome] = []
    worse = []
    for data in _present(evidence, "SBE", "selections"):
        for other in ("SBE", "SFS"):
            table, row = _selection("HSS", data)
            rival = _selection(other, data)[1]
            lower = evidence.mean(table, row, data, "accuracy") < evidence.mean(
                table, rival, data, "accuracy"
            )
            p = evidence.p_value("selections", f"HSS and {other}", data)
            if not lower or p >= _SIGNIFICANT:
                outcomes.append(True)
                continue
            worse.append(f"{data} than {other}")
            outcomes.append(None if _differ_as_printed(evidence, "HSS", other, data) else False)
    return verdict_of(outcomes), f"significantly worse: {', '.join(worse) or 'nowhere'}"


def _varies(evidence: Evidence) -> tuple[Verdict, str]:
    """SBE is better than SFS on some data sets and worse on others."""
    found = {d: _selection_better(evidence, "SBE", "SFS", d) for d in _selected_sets(evidence)}
    sides = [
        True if side in found.values() else None if None in found.values() else False
        for side in (True, False)
    ]
    texts = [
        f"{word} on {', '.join(d for d, one in found.items() if one is side) or 'none'}"
        for side, word in ((True, "better"), (False, "worse"))
    ]
    return verdict_of(sides), f"SBE is {', '.join(texts)}"


def _ordered(measure: str, order: Sequence[str]) -> Check:
    """Return the check that the mean over all data sets rises in this order of selections."""

    def check(evidence: Evidence) -> tuple[Verdict, str]:
        sets = _present(evidence, "SBE", 12)
        outcomes = []
        for low, high in pairwise(order):
            gaps = [
                evidence.mean(12, high, data, measure) - evidence.mean(12, low, data, measure)
                for data in sets
            ]
            errors = [evidence.precision(12, ((low,), (high,)), data, measure) for data in sets]
            precision = float(np.sqrt(np.sum(np.square(errors))) / len(sets))
            outcomes.append(outcome_of(float(np.mean(gaps)), precision))
        means = [
            float(np.mean([evidence.mean(12, name, data, measure) for data in sets]))
            for name in order
        ]
        digits = 3 if measure == "cpu_seconds" else 1
        text = ", ".join(f"{n} {v:.{digits}f}" for n, v in zip(order, means, strict=True))
        return verdict_of(outcomes), f"{counted(outcomes)}; mean over {len(sets)} sets: {text}"

    return check


# ---------------------------------------------------------------------- 6.3.2, univariate tests

_GROUPS = {
    "CART (Uni)": _BETAS,
    "Uni-G": tuple(f"{name}-G + Uni" for name in _SELECTIONS),
    "Uni-I": tuple(f"{name}-I + Uni" for name in _SELECTIONS),
}


def _some_multivariate_is_better(evidence: Evidence) -> tuple[Verdict, str]:
    """Except on Glass, some multivariate method beats its univariate control."""
    outcomes: list[Outcome] = []
    texts = []
    for data in _present(evidence, "SBE-G + Uni", 13, 14):
        if data == "Glass":
            continue
        table = _table_of_all(data, 13, 14)
        found = [
            better(evidence, table, method, control, data, "accuracy")
            for control, methods in _GROUPS.items()
            for method in methods
        ]
        outcomes.append(True if True in found else None if None in found else False)
        texts.append(f"{data} {found.count(True)}")
    return verdict_of(outcomes), f"{counted(outcomes)}; methods that are: {', '.join(texts)}"


def _fewer_larger_tests(evidence: Evidence) -> tuple[Verdict, str]:
    """Trees with multivariate tests have fewer tests, of more features."""
    fewer: list[Outcome] = []
    larger: list[Outcome] = []
    for data in _present(evidence, "SBE-G + Uni", 16, 17, 18):
        table = {"Glass": 17, "LED": 17, "Segment": 18, "Vowel": 18}.get(data, 16)
        for control, methods in _GROUPS.items():
            for method in methods:
                fewer.append(better(evidence, table, method, control, data, "tests"))
                size, tests = (
                    evidence.mean(table, method, data, measure) for measure in ("size", "tests")
                )
                larger.append(size > tests)
    both = [verdict_of(outcomes, len(outcomes) // 2 + 1) for outcomes in (fewer, larger)]
    text = f"fewer tests: {counted(fewer)}; more features a test: {counted(larger)}"
    return max(both, key=list(Verdict).index), text


def _alone_and_both(evidence: Evidence, data: str, name: str) -> Outcome:
    """Return whether multivariate tests alone are more accurate than with univariate ones."""
    table, alone = _selection(name, data)
    other, both = _table_of_all(data, 13, 14), f"{name}-I + Uni"
    gap = evidence.mean(table, alone, data, "accuracy") - evidence.mean(
        other, both, data, "accuracy"
    )
    errors = (
        evidence.precision(table, ((alone,),), data, "accuracy"),
        evidence.precision(other, ((both,),), data, "accuracy"),
    )
    return outcome_of(gap, float(np.hypot(*errors)))


def _adding_does_not_help(evidence: Evidence) -> tuple[Verdict, str]:
    """With univariate tests the trees are not more accurate than with multivariate ones alone."""
    found = [
        _alone_and_both(evidence, data, name)
        for data in _selected_sets(evidence)
        for name in _SELECTIONS
    ]
    outcomes = [not_worse(one) for one in found]
    text = f"better alone in {found.count(True)} cases, together in {found.count(False)}"
    text += f", open in {found.count(None)}"
    return verdict_of(outcomes, len(outcomes) // 2 + 1), text


def _best_column(evidence: Evidence) -> tuple[Verdict, str]:
    """Which of the two is more accurate: the column "Best" of table 21."""
    outcomes: list[Outcome] = []
    texts = []
    names = {True: "M", False: "MU", None: "open"}
    for data in _selected_sets(evidence):
        ours = [_alone_and_both(evidence, data, name) for name in _BEST_OF]
        texts.append(f"{data} {'/'.join(names[one] for one in ours)}")
        for own, printed in zip(ours, _BEST[data], strict=True):
            if printed != "no difference":
                outcomes.append(None if own is None else names[own] == printed)
    least = len(outcomes) // 2 + 1
    order = "/".join(_BEST_OF)
    return verdict_of(outcomes, least), f"{counted(outcomes)}; {order}: {', '.join(texts)}"


def _cart_is_behind(evidence: Evidence) -> tuple[Verdict, str]:
    """SBE with Gini is more accurate than CART with linear combinations, except on Segment."""
    outcomes = []
    texts = []
    for data in _present(evidence, "SBE-G + Uni", 13, 14):
        if data == "Segment":
            continue
        table = _table_of_all(data, 13, 14)
        each = [better(evidence, table, "SBE-G + Uni", b, data, "accuracy") for b in _BETAS]
        outcomes += each
        texts.append(f"{data} {each.count(True)} above, {each.count(False)} below")
    return verdict_of(outcomes), f"{counted(outcomes)}: {'; '.join(texts)}"


def _never_best(evidence: Evidence) -> tuple[Verdict, str]:
    """CART with linear combinations has the fewest errors nowhere."""
    outcomes: list[Outcome] = []
    best = []
    rows = [
        *_GROUPS,
        *(method for group in ("Uni-G", "Uni-I") for method in _GROUPS[group]),
    ]
    for data in _present(evidence, "SBE-G + Uni", 13, 14):
        table = _table_of_all(data, 13, 14)
        beaten = []
        for beta in _BETAS:
            each = [better(evidence, table, row, beta, data, "accuracy") for row in rows]
            beaten.append(True if True in each else None if None in each else False)
        outcomes.append(all_of(beaten))
        means = {row: evidence.mean(table, row, data, "accuracy") for row in (*rows, *_BETAS)}
        if max(means, key=lambda name: means[name]) in _BETAS:
            best.append(data)
    return verdict_of(outcomes), f"{counted(outcomes)}; highest mean on {', '.join(best) or 'none'}"


def _beta(evidence: Evidence) -> tuple[Verdict, str]:
    """Nowhere do the three values of beta differ significantly."""
    p = {
        data: evidence.p_value("beta", "beta", data)
        for data in _present(evidence, _BETAS[0], "beta")
    }

    def alike(data: str) -> bool:
        table = _table_of_all(data, 13, 14)
        return all(as_printed(evidence, table, (a,), (b,), data) for a, b in pairwise(_BETAS))

    outcomes = [
        _tested(value, significant=False, alike=alike, of=(data,)) for data, value in p.items()
    ]
    text = ", ".join(f"{data} {value:.3f}" for data, value in p.items())
    return verdict_of(outcomes), f"{counted(outcomes)}: p = {text}"


def _criteria_differ(evidence: Evidence) -> tuple[Verdict, str]:
    """Gini and gain ratio differ on Cleveland, for every selection but DSBE."""
    p = {name: evidence.p_value(22, name, "Cleveland") for name in _SELECTIONS}
    outcomes = [
        _tested(
            value,
            significant=True,
            alike=as_printed,
            of=(evidence, 13, (f"{name}-G + Uni",), (f"{name}-I + Uni",), "Cleveland"),
        )
        for name, value in p.items()
    ]
    text = ", ".join(f"{name} {value:.3f}" for name, value in p.items())
    return verdict_of(outcomes, 3), f"{counted(outcomes)}: p = {text}"


def _time(first: Sequence[str], second: Sequence[str]) -> Check:
    """Return the check that some methods take less time than others, on average."""

    def check(evidence: Evidence) -> tuple[Verdict, str]:
        sets = _present(evidence, "SBE-G + Uni", 23)

        def mean(row: str) -> float:
            return float(np.mean([evidence.mean(23, row, data, "cpu_seconds") for data in sets]))

        quick, slow = [mean(row) for row in first], [mean(row) for row in second]
        text = f"{np.mean(quick):.3f} s against {np.mean(slow):.3f} s"
        holds = float(np.mean(quick)) < float(np.mean(slow))
        return decided(holds), f"mean over {len(sets)} sets: {text}"

    return check


# ---------------------------------------------------------------------- 6.4, pruning


def _identical(evidence: Evidence) -> tuple[Verdict, str]:
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
    return decided(holds), "; ".join(texts)


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


def _little_accuracy(evidence: Evidence) -> tuple[Verdict, str]:
    """Pruning features from tests does not raise accuracy, in most cases."""
    outcomes: list[Outcome] = []
    texts = []
    for data in _present(evidence, "SBE, MTP", "pruning"):
        for name in _BEST_OF:
            both, branches = f"{name}, MTP", f"{name}, BTP"
            found = better(evidence, "pruning", both, branches, data, "accuracy")
            outcomes.append(None if found is None else not found)
        gains = [
            evidence.mean("pruning", f"{name}, MTP", data, "accuracy")
            - evidence.mean("pruning", f"{name}, BTP", data, "accuracy")
            for name in _BEST_OF
        ]
        texts.append(f"{data} {np.mean(gains):+.2f}")
    # An open comparison is none in which accuracy rises.
    outcomes = [one is not False for one in outcomes]
    least = len(outcomes) // 2 + 1
    return verdict_of(
        outcomes, least
    ), f"{counted(outcomes)}; points of accuracy: {', '.join(texts)}"


CLAIMS = (
    Claim(
        "least squares have the best accuracy of the three learners",
        "6.2, 1",
        "overall: above each rival, averaged over selections, in most of 4 sets times 2 rivals",
        _learner_is_better("accuracy", "RLS", ("Pocket", "Thermal"), _TWO_CLASSES, most=True),
        (5,),
    ),
    Claim(
        "thermal training is more accurate than the Pocket algorithm, except on Bupa",
        "6.2",
        "each of the other three sets, averaged over selections",
        _learner_is_better(
            "accuracy", "Thermal", ("Pocket",), ("Breast", "Cleveland", "Hepatitis")
        ),
        (5,),
    ),
    Claim(
        "the accuracy of least squares varies least, in every case",
        "6.2",
        "every case of set and selection: deviation below both rivals'",
        _least_spread,
        (5,),
    ),
    Claim(
        "the learners differ significantly on all four data sets",
        "6.2, table 6",
        "all four sets: p below 0.05",
        _of_learners(6, "Algorithm", True),
        (6, 5),
    ),
    Claim(
        "learner and selection do not interact",
        "6.2, 2",
        "all four sets: p above 0.05",
        _of_learners(6, "Alg-Sel", False),
        (6, 5),
    ),
    Claim(
        "least squares differ from the other two on all four data sets",
        "6.2, table 7",
        "all four sets: p below 0.05",
        _of_learners(7, "RLS vs. Thermal and Pocket", True, _squares_alike),
        (7, 5),
    ),
    Claim(
        "least squares take more time than the other two",
        "6.2, 3",
        "far more: in most of 12 cases times 2 rivals",
        _in_most_cases(8, "cpu_seconds", "RLS", ("Pocket", "Thermal")),
        (8,),
        "by design: ours solve the least squares of all subsets from one factorisation, where the "
        "paper updates a matrix for every row",
    ),
    Claim(
        "trees of recursive least squares have the fewest tests",
        "6.2, 4",
        "in every case: below both rivals on each set, averaged over selections",
        _learner_is_better("tests", "RLS", ("Pocket", "Thermal"), _TWO_CLASSES),
        (9,),
    ),
    Claim(
        "thermal training has smaller trees than the Pocket algorithm",
        "6.2",
        "8 of 12 cases: in most cases of set and selection",
        _in_most_cases(9, "size", "Thermal", ("Pocket",)),
        (9,),
    ),
    Claim(
        "which of SBE and SFS is better varies with the data",
        "6.3.1, 1",
        "varies: SBE better on some set and worse on another",
        _varies,
        (10, 11),
    ),
    Claim(
        "SBE and SFS differ significantly on Bupa, Hepatitis and Vowel alone",
        "6.3.1",
        "the only ones: p below 0.05 on these, above it on each other set",
        _differ("SBE", "SFS", ("Bupa", "Hepatitis", "Vowel")),
        ("selections", 10, 11),
    ),
    Claim(
        "HSS is never significantly worse than SBE or SFS",
        "6.3.1, 2",
        "never: on no set below one of them with p below 0.05",
        _never_worse,
        ("selections", 10, 11),
    ),
    Claim(
        "DSBE and SBE do not differ significantly in six of eight cases",
        "6.3.1, 3",
        "six of eight: p above 0.05",
        _do_not_differ_in_six_of_eight,
        ("selections", 10, 11),
    ),
    Claim(
        "DSBE takes the least time, then SFS, HSS and SBE",
        "6.3.1, 4",
        "mean over the sets rises in this order",
        _ordered("cpu_seconds", ("DSBE", "SFS", "HSS", "SBE")),
        (12,),
        "by the paper's own table HSS takes more time than SBE, on average over the sets",
    ),
    Claim(
        "SFS makes tests of fewer features than DSBE, and DSBE than SBE",
        "6.3.1, 5",
        "mean over the sets rises in this order",
        _ordered("features_per_test", ("SFS", "DSBE", "SBE")),
        (12,),
    ),
    Claim(
        "SBE has fewer tests than DSBE, and DSBE than SFS",
        "6.3.1, 5",
        "mean over the sets rises in this order",
        _ordered("tests", ("SBE", "DSBE", "SFS")),
        (12,),
    ),
    Claim(
        "except on Glass, some multivariate method is more accurate than its univariate control",
        "6.3.2, 1",
        "at least one method, on each other set",
        _some_multivariate_is_better,
        (13, 14),
    ),
    Claim(
        "multivariate tests make fewer nodes, of more features",
        "6.3.2, 2",
        "no quantifier: most cases of set and method",
        _fewer_larger_tests,
        (16, 17, 18),
    ),
    Claim(
        "adding univariate tests is no better than multivariate ones alone",
        "6.3.2, 3",
        "did not perform better: better in no more than half of the 32 cases",
        _adding_does_not_help,
        (10, 11, 13, 14),
    ),
    Claim(
        "the column Best of table 21",
        "table 21",
        "the same in most of 31 cases",
        _best_column,
        (10, 11, 13, 14),
    ),
    Claim(
        "CART does not depend on beta",
        "6.3.2, 4",
        "for any set: p above 0.05 on each",
        _beta,
        ("beta", 13, 14),
    ),
    Claim(
        "SBE with Gini is more accurate than CART's linear trees, except on Segment",
        "6.3.2",
        "always: above each beta on each other set",
        _cart_is_behind,
        (13, 14),
    ),
    Claim(
        "CART's linear trees have the fewest errors nowhere",
        "6.3.2, 4",
        "never: on each set another method above each beta",
        _never_best,
        (13, 14),
    ),
    Claim(
        "Gini and gain ratio differ on Cleveland",
        "6.3.2, 5",
        "as in table 22: p below 0.05 for three selections of four",
        _criteria_differ,
        (22, 13),
    ),
    Claim(
        "univariate trees take less time than multivariate ones",
        "6.3.2, 6",
        "no quantifier: mean over sets and methods",
        _time(("C4.5", "Uni-G", "Uni-I"), (*_GROUPS["Uni-G"], *_GROUPS["Uni-I"])),
        (23,),
    ),
    Claim(
        "of the multivariate methods CART takes the least time",
        "6.3.2, 6",
        "no quantifier: mean over sets and methods",
        _time(_BETAS, (*_GROUPS["Uni-G"], *_GROUPS["Uni-I"])),
        (23,),
        "by design: the other methods' learners are fast here, CART's search is the paper's",
    ),
    Claim(
        "pruning features, too, changes no tree, except on Hepatitis",
        "6.4",
        "identical: every tree of every other set, with the rule of section 5",
        _identical,
        ("pruning",),
    ),
    Claim(
        "pruning features, too, does not improve accuracy",
        "6.4",
        "in most cases of set and selection: not above pruning of branches alone",
        _little_accuracy,
        ("pruning",),
    ),
)
