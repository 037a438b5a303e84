"""What Tan and Dowe conclude: see `aslant.experiments.tan2004`."""

from __future__ import annotations

from aslant.experiments.claims import Claim, Evidence


def _shorter_code(evidence: Evidence) -> tuple[bool, str]:
    """MML's code length is below C4.5's on every data set."""
    pairs = {
        data: [evidence.mean(1, method, data, "rcl") for method in ("MML oblique tree", "C4.5")]
        for data in evidence.datasets(1, "MML oblique tree", "C4.5")
    }
    below = [data for data, (mml, c45) in pairs.items() if mml < c45]
    figures = ", ".join(f"{data} {mml:.2f} for {c45:.2f}" for data, (mml, c45) in pairs.items())
    return len(below) == len(pairs), f"lower on {len(below)} of {len(pairs)}: {figures}"


CLAIMS = (Claim("MML trees have a lower RCL than C4.5's everywhere", "5", _shorter_code, (1,)),)
