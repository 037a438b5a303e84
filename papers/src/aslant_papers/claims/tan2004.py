"""What Tan and Dowe conclude: see `aslant_papers.tan2004`."""

from __future__ import annotations

from aslant_papers.claims import (
    Claim,
    Evidence,
    NotTestableError,
    Outcome,
    Verdict,
    counted,
    verdict_of,
)
from aslant_papers.claims.readers import all_of, better, compared, number, outcome_of

_MML, _C45 = "MML oblique tree", "C4.5"
_CLOSE = ("Bupa", "Wine", "Cleveland")


def _below_guessing(evidence: Evidence) -> tuple[Verdict, str]:
    """C4.5 is worse than guessing somewhere, MML nowhere."""
    above: dict[str, dict[str, Outcome]] = {}
    for method in (_MML, _C45):
        above[method] = {
            data: outcome_of(
                evidence.mean(1, method, data, "rcl") - 1.0,
                evidence.precision(1, ((method,),), data, "rcl"),
            )
            for data in evidence.datasets(1, _MML, _C45)
        }
    worse = list(above[_C45].values())
    often = verdict_of(worse, 2)
    never: list[Outcome] = [None if one is None else not one for one in above[_MML].values()]
    outcome = all_of(
        [
            {Verdict.confirmed: True, Verdict.contradicted: False}.get(often),
            all_of(never),
        ]
    )
    texts = (
        f"{method} on {', '.join(d for d, one in found.items() if one) or 'none'}"
        for method, found in above.items()
    )
    return verdict_of([outcome]), f"above 1: {'; '.join(texts)}"


def _more_accurate(evidence: Evidence) -> tuple[Verdict, str]:
    """MML is more accurate than C4.5, except on three sets."""
    outcomes, texts = [], []
    for data in evidence.datasets(1, _MML, _C45):
        own, other = (evidence.mean(1, method, data, "accuracy") for method in (_MML, _C45))
        texts.append(f"{data} {number(own, 'accuracy')} for {number(other, 'accuracy')}")
        if data not in _CLOSE:
            outcomes.append(better(evidence, 1, _MML, _C45, data, "accuracy"))
    return verdict_of(outcomes), f"{counted(outcomes)}: {', '.join(texts)}"


def _leaves(evidence: Evidence, method: str, data: str) -> float:
    """Return the mean number of leaves; the paper prints nodes of binary trees for C4.5."""
    try:
        return evidence.mean(1, method, data, "leaves")
    except NotTestableError:
        return (evidence.mean(1, method, data, "nodes") + 1.0) / 2.0


def _smaller(evidence: Evidence) -> tuple[Verdict, str]:
    outcomes: list[Outcome] = []
    texts = []
    for data in evidence.datasets(1, _MML, _C45):
        own, other = (_leaves(evidence, method, data) for method in (_MML, _C45))
        precision = evidence.precision(1, ((_MML,), (_C45,)), data, "leaves")
        outcomes.append(outcome_of(other - own, precision))
        texts.append(f"{data} {own:.1f} for {other:.1f}")
    return verdict_of(outcomes), f"{counted(outcomes)}: {', '.join(texts)}"


CLAIMS = (
    Claim(
        "MML trees have a lower RCL than C4.5's everywhere",
        "4",
        "on all data sets",
        compared(1, "rcl", (_MML,), (_C45,)),
        (1,),
    ),
    Claim(
        "MML trees are more accurate than C4.5's, except on Bupa, Wine and Cleveland",
        "4",
        "on all others",
        _more_accurate,
        (1,),
    ),
    Claim(
        "MML trees are much smaller than C4.5's everywhere",
        "4",
        "fewer leaves on each set",
        _smaller,
        (1,),
    ),
    Claim(
        "C4.5 is often worse than guessing in RCL, MML never",
        "4",
        "often: C4.5 above 1 on at least two sets; MML above 1 on none",
        _below_guessing,
        (1,),
    ),
)
