"""What Brodley and Utgoff conclude: see `aslant.experiments.brodley1995`."""

from __future__ import annotations

from aslant.experiments.claims import Claim, Evidence

_SELECTIONS = ("DSBE", "SBE", "SFS")
_LEARNERS = ("Pocket", "RLS", "Thermal")


def _fewest_tests(evidence: Evidence) -> tuple[bool, str]:
    """Recursive least squares have the fewest tests on every two-class data set."""
    lines, holds = [], True
    rows = [f"{learner} + {selection}" for learner in _LEARNERS for selection in _SELECTIONS]
    for data in evidence.datasets(9, *rows):
        means = {
            learner: sum(
                evidence.mean(9, f"{learner} + {selection}", data, "tests")
                for selection in _SELECTIONS
            )
            / len(_SELECTIONS)
            for learner in _LEARNERS
        }
        holds &= min(means, key=lambda name: means[name]) == "RLS"
        lines.append(f"{data} " + ", ".join(f"{name} {v:.1f}" for name, v in means.items()))
    return holds, "; ".join(lines)


CLAIMS = (
    Claim("trees of recursive least squares have the fewest tests", "6.2", _fewest_tests, (9,)),
)
