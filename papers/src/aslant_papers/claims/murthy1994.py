"""What Murthy, Kasif and Salzberg conclude: see `aslant_papers.murthy1994`."""

from __future__ import annotations

import numpy as np

from aslant_papers.claims import Check, Claim, Evidence, NotTestableError, not_testable
from aslant_papers.claims.readers import compared, listed, paired_error
from aslant_papers.murthy1994 import (
    ARTIFICIAL,
    EFFORTS,
    ORDERS,
    RESTARTS,
    criterion_rows,
)

_AXIS_PARALLEL = ("OC1-AP", "CART-AP", "C4.5")
_ROWS = tuple(f"OC1 {r}:{j}" for r, j in EFFORTS)


def _best_or_second(evidence: Evidence) -> tuple[bool, str]:
    """Highest accuracy on Cancer and Diabetes, the second highest on Iris and Housing."""
    rows = ("OC1", "CART-LC", *_AXIS_PARALLEL)
    places = {}
    for data in ("Cancer", "Diabetes", "Iris", "Housing"):
        means = [evidence.mean(1, row, data, "accuracy") for row in rows]
        places[data] = 1 + sum(mean > means[0] for mean in means[1:])
    holds = all(places[data] == 1 for data in ("Cancer", "Diabetes"))
    holds &= all(places[data] <= 2 for data in ("Iris", "Housing"))
    return holds, "OC1 is " + ", ".join(f"{place}. on {data}" for data, place in places.items())


def _smaller_trees(evidence: Evidence) -> tuple[bool, str]:
    """Both oblique methods have fewer leaves than each axis-parallel one, except on Iris."""
    texts, holds = [], True
    for data in ("Cancer", "Housing", "Diabetes"):
        oblique = [evidence.mean(1, row, data, "leaves") for row in ("OC1", "CART-LC")]
        parallel = [evidence.mean(1, row, data, "leaves") for row in _AXIS_PARALLEL]
        holds &= max(oblique) < min(parallel)
        texts.append(f"{data} {listed(oblique, 'leaves')} against {listed(parallel, 'leaves')}")
    return holds, "; ".join(texts)


def _similar_on_iris(evidence: Evidence) -> tuple[bool, str]:
    leaves = [
        evidence.mean(1, row, "Iris", "leaves") for row in ("OC1", "CART-LC", *_AXIS_PARALLEL)
    ]
    return max(leaves) - min(leaves) <= 2.0, f"leaves from {min(leaves):.1f} to {max(leaves):.1f}"


def _every_step_helps(evidence: Evidence) -> tuple[bool, str]:
    """Jumps, restarts and both are more accurate and smaller than neither, on each data set."""
    texts, holds = [], True
    for data in ARTIFICIAL:
        accuracy = [evidence.mean(2, row, data, "accuracy") for row in _ROWS]
        leaves = [evidence.mean(2, row, data, "leaves") for row in _ROWS]
        holds &= min(accuracy[1:]) > accuracy[0] and max(leaves[1:]) < leaves[0]
        texts.append(
            f"{data} {listed(accuracy, 'accuracy')} % and {listed(leaves, 'leaves')} leaves"
        )
    return holds, "; ".join(texts)


def _both_are_best(evidence: Evidence) -> tuple[bool, str]:
    texts, holds = [], True
    for data in ARTIFICIAL:
        accuracy = [evidence.mean(2, row, data, "accuracy") for row in _ROWS]
        leaves = [evidence.mean(2, row, data, "leaves") for row in _ROWS]
        holds &= accuracy[3] == max(accuracy) and leaves[3] == min(leaves)
        texts.append(f"{data} {accuracy[3]:.1f} % (others at most {max(accuracy[:3]):.1f})")
    return holds, "; ".join(texts)


def _jumps_halve(evidence: Evidence) -> tuple[bool, str]:
    ratios = {
        data: evidence.mean(2, "OC1 0:0", data, "leaves")
        / evidence.mean(2, "OC1 0:20", data, "leaves")
        for data in ("POL", "RCB")
    }
    texts = ", ".join(f"{data} by {ratio:.1f}" for data, ratio in ratios.items())
    return min(ratios.values()) >= 1.7, f"leaves fall by a factor of {texts}"


def _minimal_trees(evidence: Evidence) -> tuple[bool, str]:
    """POL's five leaves in most trees; RCB's eight nearly."""
    pol = np.concatenate([run.leaves for run in evidence.runs(2, "OC1 20:20", "POL")])
    rcb = np.concatenate([run.leaves for run in evidence.runs(2, "OC1 20:20", "RCB")])
    share = float(np.mean(pol == 5))
    text = f"POL: {100 * share:.0f} % of {len(pol)} trees have 5 leaves; RCB: {np.mean(rcb):.1f}"
    return share > 0.5 and float(np.mean(rcb)) < 9.0, f"{text} leaves, the least is 8"


def _separator_missed_at_20_20(evidence: Evidence) -> tuple[bool, str]:
    leaves = np.concatenate([run.leaves for run in evidence.runs(2, "OC1 20:20", "LS10")])
    return not np.any(leaves == 2), f"{np.sum(leaves == 2)} of {len(leaves)} trees have 2 leaves"


def _separator_always_found(evidence: Evidence) -> tuple[bool, str]:
    leaves, ours = (
        np.concatenate([run.leaves for run in evidence.runs("separator", row, "LS10")])
        for row in ("OC1 10:200", "our OC1 10:200")
    )
    text = f"{np.sum(leaves == 2)} of {len(leaves)} trees have 2 leaves, the mean is"
    text += f" {np.mean(leaves):.2f}; of our OC1's {np.sum(ours == 2)} of {len(ours)}"
    return bool(np.all(leaves == 2)), text


def _lmdt(evidence: Evidence) -> tuple[bool, str]:
    """LMDT leads on LS10 and is behind deterministic OC1 on POL and RCB, in both measures."""
    accuracy = {d: evidence.mean(2, "LMDT", d, "accuracy") for d in ARTIFICIAL}
    leaves = {d: evidence.mean(2, "LMDT", d, "leaves") for d in ARTIFICIAL}
    oc1 = {d: evidence.mean(2, "OC1 0:0", d, "accuracy") for d in ARTIFICIAL}
    size = {d: evidence.mean(2, "OC1 0:0", d, "leaves") for d in ARTIFICIAL}
    behind = [d for d in ("POL", "RCB") if accuracy[d] < oc1[d] and leaves[d] > size[d]]
    texts = (
        f"{d} {accuracy[d]:.1f} / {leaves[d]:.1f} for {oc1[d]:.1f} / {size[d]:.1f}" for d in oc1
    )
    return len(behind) == 2, "; ".join(texts)


def _lmdt_on_ls10(evidence: Evidence) -> tuple[bool, str]:
    found = evidence.mean(2, "LMDT", "LS10", "accuracy")
    others = [evidence.mean(2, row, "LS10", "accuracy") for row in (*_ROWS, "SADT")]
    return found > max(others), f"{found:.1f} against {listed(others, 'accuracy')}"


def _sadt_effort(evidence: Evidence) -> tuple[bool, str]:
    ratios = [
        evidence.mean(2, "SADT", data, "hyperplanes")
        / evidence.mean(2, "OC1 20:20", data, "hyperplanes")
        for data in ARTIFICIAL
    ]
    texts = ", ".join(f"{r:.0f} on {data}" for r, data in zip(ratios, ARTIFICIAL, strict=True))
    return min(ratios) >= 10.0, f"times as many hyperplanes: {texts}"


def _sum_minority_fails(evidence: Evidence) -> tuple[bool, str]:
    rows = criterion_rows("OC1")
    leaves = {name: evidence.mean("criteria", row, "RCB", "leaves") for name, row in rows.items()}
    accuracy = evidence.mean("criteria", rows["sum_minority"], "RCB", "accuracy")
    best = evidence.mean("criteria", rows["twoing"], "RCB", "accuracy")
    text = f"{accuracy:.1f} % and {leaves['sum_minority']:.1f} leaves, twoing {best:.1f} %"
    failed = leaves["sum_minority"] > 2.0 * leaves["twoing"] and accuracy < best
    return failed, f"{text} and {leaves['twoing']:.1f}"


def _sum_minority_on_pol(evidence: Evidence) -> tuple[bool, str]:
    """Count the trees of minimal size by criterion: nearly all must have it with this one."""
    rows = criterion_rows("OC1")
    exact, planes = {}, {}
    for name, row in rows.items():
        runs = evidence.runs("criteria", row, "POL")
        exact[name] = float(np.mean(np.concatenate([run.leaves for run in runs]) == 5))
        planes[name] = evidence.mean("criteria", row, "POL", "hyperplanes")
    holds = exact["sum_minority"] >= max(exact.values()) and exact["sum_minority"] > 0.9
    texts = (f"{name} {100 * exact[name]:.0f} % ({planes[name]:.0f} planes)" for name in rows)
    return holds, "trees of 5 leaves: " + ", ".join(texts)


def _three_criteria_lead(system: str, table: str) -> Check:
    def check(evidence: Evidence) -> tuple[bool, str]:
        rows = criterion_rows(system)
        data = evidence.datasets(table, *rows.values())
        means = {
            name: float(np.mean([evidence.mean(table, row, d, "accuracy") for d in data]))
            for name, row in rows.items()
        }
        leading = ("entropy", "gini", "twoing")
        others = [value for name, value in means.items() if name not in leading]
        texts = ", ".join(f"{name} {value:.1f}" for name, value in means.items())
        holds = min(means[name] for name in leading) > max(others)
        return holds, f"mean accuracy over {', '.join(data)}: {texts}"

    return check


def _entropy_as_twoing(evidence: Evidence) -> tuple[bool, str]:
    """Less than two published deviations apart on each artificial data set."""
    rows = criterion_rows("OC1")
    texts, holds = [], True
    for data in ARTIFICIAL:
        entropy, twoing = (
            evidence.values("criteria", rows[name], data, "accuracy")
            for name in ("entropy", "twoing")
        )
        spread = float(np.std(twoing, ddof=1)) if len(twoing) > 1 else np.nan
        difference = float(np.mean(entropy) - np.mean(twoing))
        holds &= abs(difference) <= 2.0 * spread
        texts.append(f"{data} {difference:+.2f} points (deviation {spread:.2f})")
    return holds, "; ".join(texts)


def _single_jump(evidence: Evidence) -> tuple[bool, str]:
    texts, holds = [], True
    for data in evidence.datasets("jumps", "jumps=0", "jumps=1"):
        none, one = (evidence.mean("jumps", f"jumps={j}", data, "accuracy") for j in (0, 1))
        holds &= one > none
        texts.append(f"{data} {none:.1f} to {one:.1f}")
    return holds, "; ".join(texts)


def _levels_off(evidence: Evidence) -> tuple[bool, str]:
    """From one start to twenty the accuracy grows; from fifty to a hundred it does not."""
    texts, holds = [], True
    rows = [f"restarts={r}" for r in RESTARTS]
    for data in evidence.datasets("restarts", *rows):
        values = [evidence.values("restarts", row, data, "accuracy") for row in rows]
        means = [float(np.mean(value)) for value in values]
        gain = means[RESTARTS.index(100)] - means[RESTARTS.index(50)]
        error = paired_error(values[RESTARTS.index(100)], values[RESTARTS.index(50)])
        holds &= means[RESTARTS.index(20)] > means[0] and gain <= 2.0 * error
        texts.append(f"{data} {listed(means, 'accuracy')}")
    return holds, f"with {', '.join(map(str, RESTARTS))} starts: {'; '.join(texts)}"


def _order_matters_less(evidence: Evidence) -> tuple[bool, str]:
    """Compare how far orders are apart with how far 0:0 is from 20:20."""
    texts, holds = [], True
    for data in evidence.datasets("orders", *ORDERS):
        orders = [evidence.mean("orders", order, data, "accuracy") for order in ORDERS]
        effort = [evidence.mean(2, row, data, "accuracy") for row in ("OC1 0:0", "OC1 20:20")]
        spread, gain = max(orders) - min(orders), effort[1] - effort[0]
        holds &= spread < gain
        texts.append(f"{data} orders {spread:.1f} points apart, randomisation gains {gain:.1f}")
    return holds, "; ".join(texts)


def _order_is_not_uniform(evidence: Evidence) -> tuple[bool, str]:
    data = evidence.datasets("orders", *ORDERS)
    best = [max(ORDERS, key=lambda o: evidence.mean("orders", o, d, "accuracy")) for d in data]
    pairs = ", ".join(f"{o} on {d}" for o, d in zip(best, data, strict=True))
    if len(data) < 2:
        raise NotTestableError("it takes two data sets to tell")
    return len(set(best)) > 1, f"best: {pairs}"


CLAIMS = (
    Claim(
        "OC1 is more accurate than CART-LC on every data set",
        "4.2",
        compared(1, "accuracy", "OC1", ("CART-LC",)),
        (1,),
    ),
    Claim(
        "OC1 is first on Cancer and Diabetes, at least second elsewhere",
        "4.2",
        _best_or_second,
        (1,),
    ),
    Claim("oblique trees have fewer leaves than axis-parallel ones", "4.2", _smaller_trees, (1,)),
    Claim("on Iris all trees have about the same size", "4.2", _similar_on_iris, (1,)),
    Claim(
        "on the star/galaxy sets OC1 is the most accurate, with far smaller trees on the dim one",
        "4.2",
        not_testable("no public copy of the star/galaxy sets"),
    ),
    Claim("jumps, restarts and both help on all artificial sets", "4.3", _every_step_helps, (2,)),
    Claim("jumps alone halve the trees of POL and RCB", "4.3", _jumps_halve, (2,)),
    Claim(
        "restarts alone help more than jumps alone on LS10",
        "4.3",
        compared(2, "accuracy", "OC1 20:0", ("OC1 0:20",), ("LS10",)),
        (2,),
    ),
    Claim("restarts and jumps together are best everywhere", "4.3", _both_are_best, (2,)),
    Claim("20:20 finds POL's smallest tree mostly, RCB's nearly", "4.3", _minimal_trees, (2,)),
    Claim("20:20 does not find LS10's plane", "4.3", _separator_missed_at_20_20, (2,)),
    Claim(
        "10 restarts and 200 jumps always find LS10's plane",
        "4.3",
        _separator_always_found,
        ("separator",),
    ),
    Claim("LMDT is the best on LS10", "4.3", _lmdt_on_ls10, (2,)),
    Claim("on POL and RCB LMDT is behind even OC1 0:0, in accuracy and size", "4.3", _lmdt, (2,)),
    Claim(
        "SADT considers at least ten times the hyperplanes of OC1 20:20", "4.3", _sadt_effort, (2,)
    ),
    Claim("Sum Minority fails on RCB", "4.3", _sum_minority_fails, ("criteria",)),
    Claim(
        "Sum Minority finds POL's exact tree, the others less easily",
        "3.3, 4.3",
        _sum_minority_on_pol,
        ("criteria",),
    ),
    Claim(
        "information gain gives no other accuracy than twoing",
        "4.3",
        _entropy_as_twoing,
        ("criteria",),
    ),
    Claim(
        "information gain, Gini and twoing lead on average, oblique trees",
        "3.3",
        _three_criteria_lead("OC1", "criteria on real data"),
        ("criteria on real data",),
    ),
    Claim(
        "information gain, Gini and twoing lead on average, axis-parallel trees",
        "3.3",
        _three_criteria_lead("OC1-AP", "criteria on real data"),
        ("criteria on real data",),
    ),
    Claim("a single jump improves every data set", "3.2", _single_jump, ("jumps",)),
    Claim(
        "accuracy grows with restarts and levels off after 20 to 50",
        "3.2",
        _levels_off,
        ("restarts",),
    ),
    Claim(
        "the order of coefficients matters less than randomisation",
        "3.1",
        _order_matters_less,
        ("orders", 2),
    ),
    Claim("no order of coefficients is best everywhere", "3.1", _order_is_not_uniform, ("orders",)),
)
