"""What Hinton and Revow conclude: see `aslant_papers.hinton1996`.

The paper's figures are those of single divisions, so its precision is that of one division: errors
of one division of ours are two deviations of twenty.
"""

from __future__ import annotations

import numpy as np

from aslant_papers.claims import Check, Claim, Evidence, Outcome, Verdict, counted, verdict_of
from aslant_papers.claims.readers import all_of, better, outcome_of

_METHODS = ("cart", "linear", "pole")


def _errors(evidence: Evidence, size: str) -> dict[str, dict[str, float]]:
    """Return the relative errors of the three methods by data set."""
    rows = {name: f"{name} ({size})" for name in _METHODS}
    return {
        data: {name: evidence.mean(2, row, data, "relative_error") for name, row in rows.items()}
        for data in evidence.datasets(2, *rows.values())
    }


def _lower_in_the_majority(size: str) -> Check:
    def check(evidence: Evidence) -> tuple[Verdict, str]:
        errors = _errors(evidence, size)
        found, texts = [], []
        for rival, name in (("cart", "axis-parallel"), ("linear", "linear")):
            outcomes = [
                better(evidence, 2, f"pole ({size})", f"{rival} ({size})", data, "relative_error")
                for data in errors
            ]
            found.append(verdict_of(outcomes, len(errors) // 2 + 1))
            lower = sum(error["pole"] < error[rival] for error in errors.values())
            texts.append(f"lower mean than {name} on {lower} of {len(errors)}, {counted(outcomes)}")
        worst = max(found, key=list(Verdict).index)
        return worst, "; ".join(texts)

    return check


def _more_on_small_sets(evidence: Evidence) -> tuple[Verdict, str]:
    """Compare mean ratios of the error of pole pairs to that of the better rival."""
    gains: dict[str, dict[str, float]] = {}
    for size in ("small", "large"):
        gains[size] = {
            data: float(np.log(max(e["pole"], 0.1) / max(min(e["cart"], e["linear"]), 0.1)))
            for data, e in _errors(evidence, size).items()
        }
    both = sorted(gains["small"].keys() & gains["large"].keys())
    differences = [gains["large"][data] - gains["small"][data] for data in both]
    error = float(np.std(differences, ddof=1) / np.sqrt(len(differences)))
    means = {
        size: 100.0 * (np.exp(np.mean([of_size[d] for d in both])) - 1)
        for size, of_size in gains.items()
    }
    text = ", ".join(f"{size} {mean:+.1f} %" for size, mean in means.items())
    outcome = outcome_of(float(np.mean(differences)), 2.0 * error)
    return verdict_of([outcome]), f"error against the better rival, {len(both)} sets: {text}"


def _often_significant(evidence: Evidence) -> tuple[Verdict, str]:
    """Significantly better than a rival on more sets than it is significantly worse."""
    better_on: set[str] = set()
    worse_on: set[str] = set()
    sets: set[str] = set()
    for size in ("small", "large"):
        errors = _errors(evidence, size)
        sets |= errors.keys()
        for data in errors:
            for rival in ("cart", "linear"):
                p = evidence.p_value(3, f"{rival} and pole ({size})", data)
                if p >= 0.05:
                    continue
                first = {
                    name: evidence.values(2, f"{name} ({size})", data, "relative_error")[0]
                    for name in (rival, "pole")
                }
                (better_on if first["pole"] < first[rival] else worse_on).add(data)
    n = len(sets)
    # How many sets come out is the sum of so many draws with their own probabilities.
    error = np.sqrt(len(better_on) * (n - len(better_on)) / n)
    outcomes = [outcome_of(len(better_on) - n / 2, 2.0 * float(error))]
    outcomes.append(len(worse_on) <= 2 or (None if len(worse_on) <= 2 + 2.0 * error else False))
    text = f"better on {len(better_on)} of {n} sets ({', '.join(sorted(better_on)) or 'none'})"
    text += f", worse on {len(worse_on)} ({', '.join(sorted(worse_on)) or 'none'})"
    return verdict_of(outcomes), f"one division each: {text}"


def _variants_differ_little(evidence: Evidence) -> tuple[Verdict, str]:
    """Unscaled inputs, or poles of any class, keep the advantage over single features."""
    variants = (
        "opposite poles scaled",
        "any poles scaled",
        "opposite poles raw",
        "any poles raw",
    )
    outcomes: list[Outcome] = []
    texts = []
    for size in ("small", "large"):
        rows = [f"{name} ({size})" for name in (*variants, "cart")]
        data = evidence.datasets("variants", *rows)
        means = [
            float(np.mean([evidence.mean("variants", row, d, "relative_error") for d in data]))
            for row in rows
        ]
        each = []
        for row, mean in zip(rows[:-1], means[:-1], strict=True):
            errors = [
                evidence.precision("variants", ((row,), (rows[-1],)), d, "relative_error")
                for d in data
            ]
            precision = float(np.sqrt(np.sum(np.square(errors))) / len(data))
            each.append(outcome_of(means[-1] - mean, precision))
        outcomes.append(all_of(each))
        shown = ", ".join(
            f"{name} {mean:.1f}" for name, mean in zip((*variants, "cart"), means, strict=True)
        )
        texts.append(f"{size}, mean over {len(data)} sets: {shown}")
    return verdict_of(outcomes), "; ".join(texts)


CLAIMS = (
    Claim(
        "pole pairs have the lower error on most sets, small training sets",
        "5",
        "the majority of data sets, against each of the two rivals",
        _lower_in_the_majority("small"),
        (2,),
    ),
    Claim(
        "pole pairs have the lower error on most sets, large training sets",
        "5",
        "the majority of data sets, against each of the two rivals",
        _lower_in_the_majority("large"),
        (2,),
    ),
    Claim(
        "the advantage is greater on small training sets",
        "abstract",
        "on average over the sets: error relative to the better rival",
        _more_on_small_sets,
        (2,),
    ),
    Claim(
        "significantly better than a rival on most sets, worse on two at most",
        "5",
        "most tasks: better on over half of the sets; only two: worse on no more",
        _often_significant,
        (2, 3),
    ),
    Claim(
        "unscaled inputs or poles of one class make little difference",
        "6",
        "to the overall advantage: the mean error of each variant is below that of single features",
        _variants_differ_little,
        ("variants",),
    ),
)
