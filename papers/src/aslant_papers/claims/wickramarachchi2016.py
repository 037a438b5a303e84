"""What Wickramarachchi and others conclude: see `aslant_papers.wickramarachchi2016`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.stats import rankdata

from aslant_papers.claims import Check, Claim, Evidence
from aslant_papers.claims.readers import compared, listed
from aslant_papers.hhcart_geometry import columns_searched, figure_trees

_OTHERS = ("HHCART(D)", "OC1", "OC1-AP", "OC1-LC")


def _means(
    evidence: Evidence, table: int, methods: Sequence[str], data: str, measure: str
) -> list[float]:
    return [evidence.mean(table, method, data, measure) for method in methods]


def _smaller_than_axis_parallel(evidence: Evidence) -> tuple[bool, str]:
    """Each oblique method has fewer leaves than OC1-AP, on every data set."""
    oblique = ("HHCART(A)", "HHCART(D)", "OC1")
    fewer, texts = 0, []
    names = evidence.datasets(2, *oblique, "OC1-AP")
    for data in names:
        found = _means(evidence, 2, (*oblique, "OC1-AP"), data, "leaves")
        fewer += max(found[:-1]) < found[-1]
        texts.append(f"{data} {listed(found[:-1], 'leaves')} against {found[-1]:.1f}")
    return fewer == len(names), f"on {fewer} of {len(names)}: {'; '.join(texts)}"


def _clear_on_bc(evidence: Evidence) -> tuple[bool, str]:
    """More than two deviations above OC1, OC1-AP and OC1-LC."""
    first = evidence.values(2, "HHCART(A)", "BC", "accuracy")
    texts, holds = [], True
    for other in _OTHERS[1:]:
        values = evidence.values(2, other, "BC", "accuracy")
        spread = max(float(np.std(values, ddof=1)), float(np.std(first, ddof=1)))
        gap = float(np.mean(first) - np.mean(values))
        holds &= gap > 2.0 * spread
        texts.append(f"{other} {gap:+.1f} points (deviation {spread:.1f})")
    return holds, "; ".join(texts)


def _no_clear_difference(evidence: Evidence) -> tuple[bool, str]:
    """Apart from BC and LET no method is two deviations away from HHCART(A)."""
    apart, seen = [], 0
    for other in _OTHERS:
        for data in evidence.datasets(2, "HHCART(A)", other):
            if data in ("BC", "LET"):
                continue
            seen += 1
            ours = evidence.values(2, "HHCART(A)", data, "accuracy")
            theirs = evidence.values(2, other, data, "accuracy")
            spread = max(float(np.std(ours, ddof=1)), float(np.std(theirs, ddof=1)))
            gap = float(np.mean(ours) - np.mean(theirs))
            if abs(gap) > 2.0 * spread:
                apart.append(f"{other} on {data} by {gap:+.1f}")
    shown = ", ".join(apart) or "none"
    return not apart, f"of {seen} pairs apart by more than two deviations: {shown}"


def _smallest_trees(evidence: Evidence) -> tuple[bool, str]:
    """HHCART(A) has the fewest leaves, except on HRT, PIND and SUR."""
    names = [
        d for d in evidence.datasets(2, "HHCART(A)", *_OTHERS) if d not in ("HRT", "PIND", "SUR")
    ]
    smallest, texts = [], []
    for data in names:
        found = _means(evidence, 2, ("HHCART(A)", *_OTHERS), data, "leaves")
        if found[0] == min(found):
            smallest.append(data)
        texts.append(f"{data} {listed(found, 'leaves')}")
    return len(smallest) == len(names), f"on {len(smallest)} of {len(names)}: {'; '.join(texts)}"


def _dominant_as_all(evidence: Evidence) -> tuple[bool, str]:
    """Compare the variants, except on BS and WINE: they must be within two deviations."""
    texts, holds = [], True
    for data in evidence.datasets(2, "HHCART(A)", "HHCART(D)"):
        if data in ("BS", "WINE"):
            continue
        a, d = (evidence.values(2, f"HHCART({v})", data, "accuracy") for v in "AD")
        gap, spread = float(np.mean(d) - np.mean(a)), float(np.std(a, ddof=1))
        holds &= abs(gap) <= 2.0 * max(spread, 0.05)
        texts.append(f"{data} {gap:+.2f} (deviation {spread:.2f})")
    return holds, "D less A: " + "; ".join(texts)


def _minorities_do_worse(evidence: Evidence) -> tuple[bool, str]:
    """Mean true positive rate of the smaller class of two, and of the larger one."""
    pairs = {
        "BC": ("BC 2(239)", "BC 1(444)"),
        "BUPA": ("BUPA 1(145)", "BUPA 2(200)"),
        "PIND": ("PIND 2(268)", "PIND 1(500)"),
        "SUR": ("SUR 2(81)", "SUR 1(225)"),
    }
    texts, lower, seen = [], 0, 0
    for data, (small, large) in pairs.items():
        for method in ("HHCART(A)", *_OTHERS):
            rates = [
                evidence.mean(3, method, label, "true_positive_rate") for label in (small, large)
            ]
            seen += 1
            lower += rates[0] < rates[1]
            texts.append(f"{data} {method} {rates[0]:.2f} / {rates[1]:.2f}")
    return lower > 0.75 * seen, f"lower in {lower} of {seen}: {'; '.join(texts)}"


def _mean_ranks(evidence: Evidence) -> tuple[bool, str]:
    """OC1 and HHCART(D) have the best mean ranks of the minority classes."""
    groups = (
        ("BS 1(49)",),
        ("BC 2(239)",),
        ("BUPA 1(145)",),
        ("GLS 3(17)", "GLS 5(13)", "GLS 6(9)"),
        ("PIND 2(268)",),
        ("SHUT 2(13)", "SHUT 3(39)", "SHUT 6(4)", "SHUT 7(2)"),
        ("SUR 2(81)",),
    )
    rows = ("HHCART(A)", *_OTHERS)
    scores = [
        [
            float(np.mean([evidence.mean(3, row, label, "true_positive_rate") for label in group]))
            for row in rows
        ]
        for group in groups
    ]
    ranks = np.mean([rankdata([-value for value in line]) for line in scores], axis=0)
    order = sorted(zip(ranks, rows, strict=True))
    texts = ", ".join(f"{row} {rank:.1f}" for rank, row in order)
    return {row for _, row in order[:2]} == {"OC1", "HHCART(D)"}, f"mean ranks: {texts}"


def _same_f(evidence: Evidence) -> tuple[bool, str]:
    """Macro F of A and D within two deviations, except BS (A higher) and SHUT (D higher)."""
    texts, holds = [], True
    for data in evidence.datasets(4, "HHCART(A)", "HHCART(D)"):
        a, d = (evidence.values(4, f"HHCART({v})", data, "macro_f") for v in "AD")
        gap = float(np.mean(d) - np.mean(a))
        spread = max(float(np.std(a, ddof=1)), float(np.std(d, ddof=1)), 0.005)
        if data == "BS":
            holds &= gap < 0.0
        elif data == "SHUT":
            holds &= gap > 0.0
        else:
            holds &= abs(gap) <= 2.0 * spread
        texts.append(f"{data} {gap:+.2f}")
    return holds, "D less A: " + ", ".join(texts)


def _smaller_than_fisher(evidence: Evidence) -> tuple[bool, str]:
    texts, holds = [], True
    for data in evidence.datasets(5, "HHCART(A)", "HHCART(D)", "FDT (one tree on all rows)"):
        found = _means(evidence, 5, ("HHCART(A)", "HHCART(D)"), data, "leaves")
        fdt = evidence.mean(5, "FDT (one tree on all rows)", data, "leaves")
        holds &= max(found) < fdt
        texts.append(f"{data} {listed(found, 'leaves')} against {fdt:.0f}")
    return holds, "; ".join(texts)


def _above_fisher(datasets: Sequence[str], measure: str, *, deviations: float = 0.0) -> Check:
    def check(evidence: Evidence) -> tuple[bool, str]:
        texts, holds = [], True
        for data in datasets:
            first = evidence.values(5, "HHCART(A)", data, measure)
            fdt = evidence.values(5, "FDT", data, measure)
            gap = float(np.mean(first) - np.mean(fdt))
            holds &= gap > deviations * float(np.std(fdt, ddof=1))
            texts.append(f"{data} {np.mean(first):.2f} against {np.mean(fdt):.2f}")
        return holds, "; ".join(texts)

    return check


def _income(evidence: Evidence) -> tuple[bool, str]:
    """More accurate than QUEST by over two deviations, and smaller."""
    a, quest = (evidence.values(7, m, "Income", "accuracy") for m in ("HHCART(A)", "QUEST"))
    sizes = _means(evidence, 7, ("HHCART(A)", "QUEST"), "Income", "leaves")
    gap, spread = float(np.mean(a) - np.mean(quest)), float(np.std(quest, ddof=1))
    text = f"{np.mean(a):.2f} against {np.mean(quest):.2f} ± {spread:.2f} %"
    holds = gap > 2.0 * spread and sizes[0] < sizes[1]
    return holds, f"{text}, {sizes[0]:.1f} against {sizes[1]:.1f} leaves"


def _larger_dominant(evidence: Evidence) -> tuple[bool, str]:
    texts, holds = [], True
    for data in evidence.datasets(7, "HHCART(A)", "HHCART(D)"):
        found = _means(evidence, 7, ("HHCART(A)", "HHCART(D)"), data, "leaves")
        holds &= found[1] > found[0]
        texts.append(f"{data} {found[1]:.1f} against {found[0]:.1f}")
    return holds, "; ".join(texts)


def _figure(number: int) -> Check:
    def check(evidence: Evidence) -> tuple[bool, str]:
        found = [figure_trees(number, seed) for seed in range(10)]
        reflected = [tree.reflected for tree in found]
        parallel = [tree.axis_parallel for tree in found]
        leaves = float(np.mean([tree.cart_leaves for tree in found]))
        text = f"ten draws: one reflected split has {100 * min(reflected):.1f} % or more"
        holds = min(reflected) > max(parallel) and min(reflected) > 0.99
        return (
            holds,
            f"{text}, any other {100 * max(parallel):.1f} %; CART needs {leaves:.0f} leaves",
        )

    return check


def _growth(vary: str) -> Check:
    """Columns searched at a root grow as the appendix says."""

    def check(evidence: Evidence) -> tuple[bool, str]:
        sizes = (4, 8, 16) if vary == "features" else (2, 4, 8)
        texts, holds = [], True
        powers = {"all": 2, "dominant": 1} if vary == "features" else {"all": 1, "dominant": 1}
        for variant, power in powers.items():
            counts = [
                columns_searched(variant, *((size, 3) if vary == "features" else (6, size)))
                for size in sizes
            ]
            slope = float(np.polyfit(np.log(sizes), np.log(counts), 1)[0])
            holds &= abs(slope - power) < 0.2
            texts.append(f"{variant}: {', '.join(map(str, counts))} columns, power {slope:.2f}")
        return holds, f"with {', '.join(map(str, sizes))} {vary}: {'; '.join(texts)}"

    return check


def _cheap_beside_oc1(evidence: Evidence) -> tuple[bool, str]:
    """Processor time a tree on the largest set of table 2 that both have."""
    data = next(
        d for d in ("LET", "SHUT", "PIND", "BS") if d in evidence.datasets(2, "HHCART(A)", "OC1")
    )
    found = _means(evidence, 2, ("HHCART(A)", "HHCART(D)", "OC1"), data, "cpu_seconds")
    ratios = [found[2] / value for value in found[:2]]
    text = f"OC1 takes {ratios[0]:.1f} times as long as A and {ratios[1]:.1f} as D"
    return min(ratios) > 1.0, f"{data}: {text}"


CLAIMS = (
    Claim(
        "HHCART(A) is the most accurate on BS, BH, WINE and SUR",
        "4.1.1",
        compared(2, "accuracy", "HHCART(A)", _OTHERS, ("BS", "BH", "WINE", "SUR")),
        (2,),
    ),
    Claim("HHCART(A) is clearly above the OC1 programs on BC", "4.1.1", _clear_on_bc, (2,)),
    Claim("elsewhere, but for LET, nothing is clearly apart", "4.1.1", _no_clear_difference, (2,)),
    Claim(
        "oblique trees are smaller than axis-parallel ones",
        "4.1.1",
        _smaller_than_axis_parallel,
        (2,),
    ),
    Claim(
        "HHCART(A) has the smallest trees but on HRT, PIND and SUR", "4.1.1", _smallest_trees, (2,)
    ),
    Claim("HHCART(D) is as accurate as (A) but on BS and WINE", "4.1.1", _dominant_as_all, (2,)),
    Claim(
        "minority classes have the lower true positive rates", "4.1.1", _minorities_do_worse, (3,)
    ),
    Claim("OC1 and HHCART(D) do best by minority classes", "4.1.1", _mean_ranks, (3,)),
    Claim("macro F of both variants is the same but on BS and SHUT", "4.1.1", _same_f, (4,)),
    Claim("HHCART's trees are much smaller than Fisher's", "4.1.2", _smaller_than_fisher, (5,)),
    Claim(
        "HHCART(A) is clearly more accurate than Fisher's tree on BC, PIND and SUR",
        "4.1.2",
        _above_fisher(("BC", "PIND", "SUR"), "accuracy", deviations=1.0),
        (5,),
    ),
    Claim(
        "HHCART(A) has the higher F on BC, BUPA, PIND and SUR",
        "4.1.2",
        _above_fisher(("BC", "BUPA", "PIND", "SUR"), "macro_f"),
        (5,),
    ),
    Claim("on Income HHCART(A) beats QUEST clearly, with smaller trees", "4.2", _income, (7,)),
    Claim("HHCART(D)'s trees are larger than (A)'s with categories", "4.2", _larger_dominant, (7,)),
    Claim("one reflected split follows a border along a class", "figure 1", _figure(1)),
    Claim("one reflected split follows a border across a class", "figure 2", _figure(2)),
    Claim("work of (A) grows with p squared, of (D) with p", "appendix", _growth("features")),
    Claim("work of both grows with the number of classes", "appendix", _growth("classes")),
    Claim("HHCART takes less time than OC1 on many rows", "3", _cheap_beside_oc1, (2,)),
)
