"""What Tan and Dowe conclude: see `aslant_papers.tan2004`."""

from __future__ import annotations

from aslant_papers.claims import Check, Claim, Evidence
from aslant_papers.claims.readers import compared, number

_MML, _C45 = "MML oblique tree", "C4.5"


def _below_guessing(evidence: Evidence) -> tuple[bool, str]:
    """C4.5 is worse than guessing somewhere, MML nowhere."""
    means = {
        data: [evidence.mean(1, method, data, "rcl") for method in (_MML, _C45)]
        for data in evidence.datasets(1, _MML, _C45)
    }
    mml = [data for data, (own, _) in means.items() if own > 1.0]
    c45 = [data for data, (_, other) in means.items() if other > 1.0]
    text = f"above 1: MML on {', '.join(mml) or 'none'}, C4.5 on {', '.join(c45) or 'none'}"
    return not mml and bool(c45), text


def _more_accurate(except_for: tuple[str, ...]) -> Check:
    """Return the check that MML is more accurate than C4.5, but for some sets."""

    def check(evidence: Evidence) -> tuple[bool, str]:
        pairs = {
            data: [evidence.mean(1, method, data, "accuracy") for method in (_MML, _C45)]
            for data in evidence.datasets(1, _MML, _C45)
        }
        above = [data for data, (own, other) in pairs.items() if own > other]
        text = ", ".join(
            f"{data} {number(own, 'accuracy')} for {number(other, 'accuracy')}"
            for data, (own, other) in pairs.items()
        )
        holds = set(pairs) - set(except_for) <= set(above)
        return holds, f"higher on {len(above)} of {len(pairs)}: {text}"

    return check


CLAIMS = (
    Claim(
        "MML trees have a lower RCL than C4.5's everywhere",
        "4",
        compared(1, "rcl", _MML, (_C45,)),
        (1,),
    ),
    Claim(
        "MML trees are more accurate than C4.5's, except on Bupa, Wine and Cleveland",
        "4",
        _more_accurate(("Bupa", "Wine", "Cleveland")),
        (1,),
    ),
    Claim(
        "MML trees are much smaller than C4.5's everywhere",
        "4",
        compared(1, "nodes", _MML, (_C45,)),
        (1,),
    ),
    Claim("C4.5 is often worse than guessing in RCL, MML never", "4", _below_guessing, (1,)),
)
