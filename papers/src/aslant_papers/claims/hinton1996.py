"""What Hinton and Revow conclude: see `aslant_papers.hinton1996`."""

from __future__ import annotations

import numpy as np

from aslant_papers.claims import Check, Claim, Evidence

_METHODS = ("cart", "linear", "pole")


def _errors(evidence: Evidence, size: str) -> dict[str, dict[str, float]]:
    """Return the relative errors of the three methods by data set."""
    rows = {name: f"{name} ({size})" for name in _METHODS}
    return {
        data: {name: evidence.mean(2, row, data, "relative_error") for name, row in rows.items()}
        for data in evidence.datasets(2, *rows.values())
    }


def _wins(errors: dict[str, dict[str, float]], other: str) -> int:
    return sum(error["pole"] < error[other] for error in errors.values())


def _lower_in_the_majority(size: str) -> Check:
    def check(evidence: Evidence) -> tuple[bool, str]:
        errors = _errors(evidence, size)
        cart, linear = _wins(errors, "cart"), _wins(errors, "linear")
        best = sum(error["pole"] == min(error.values()) for error in errors.values())
        half = len(errors) / 2
        text = f"of {len(errors)} sets lower than axis-parallel on {cart}, than linear on {linear}"
        return cart > half and linear > half, f"{text}, lowest on {best}"

    return check


def _more_on_small_sets(evidence: Evidence) -> tuple[bool, str]:
    """Compare mean ratios of the error of pole pairs to that of the better rival."""
    gains = {}
    for size in ("small", "large"):
        errors = _errors(evidence, size)
        gains[size] = {
            data: float(np.log(max(e["pole"], 0.1) / max(min(e["cart"], e["linear"]), 0.1)))
            for data, e in errors.items()
        }
    both = gains["small"].keys() & gains["large"].keys()
    means = {size: 100.0 * (np.exp(np.mean([g[d] for d in both])) - 1) for size, g in gains.items()}
    text = ", ".join(f"{size} {mean:+.1f} %" for size, mean in means.items())
    return means["small"] < means[
        "large"
    ], f"error against the better rival, {len(both)} sets: {text}"


def _often_significant(evidence: Evidence) -> tuple[bool, str]:
    """Significantly better than a rival on more sets than it is significantly worse."""
    better: set[str] = set()
    worse: set[str] = set()
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
                (better if first["pole"] < first[rival] else worse).add(data)
    text = f"better on {len(better)} of {len(sets)} sets ({', '.join(sorted(better)) or 'none'})"
    text += f", worse on {len(worse)} ({', '.join(sorted(worse)) or 'none'})"
    return len(better) > len(sets) / 2 and len(worse) <= 2, f"one division each: {text}"


def _variants_differ_little(evidence: Evidence) -> tuple[bool, str]:
    """Unscaled inputs, or poles of any class, keep the advantage over single features."""
    texts, holds = [], True
    variants = (
        "opposite poles scaled",
        "any poles scaled",
        "opposite poles raw",
        "any poles raw",
    )
    for size in ("small", "large"):
        rows = [f"{name} ({size})" for name in (*variants, "cart")]
        data = evidence.datasets("variants", *rows)
        means = [
            float(np.mean([evidence.mean("variants", row, d, "relative_error") for d in data]))
            for row in rows
        ]
        holds &= max(means[:-1]) < means[-1]
        shown = ", ".join(
            f"{name} {mean:.1f}" for name, mean in zip((*variants, "cart"), means, strict=True)
        )
        texts.append(f"{size}, mean over {len(data)} sets: {shown}")
    return holds, "; ".join(texts)


CLAIMS = (
    Claim(
        "pole pairs have the lower error on most sets, small training sets",
        "5",
        _lower_in_the_majority("small"),
        (2,),
    ),
    Claim(
        "pole pairs have the lower error on most sets, large training sets",
        "5",
        _lower_in_the_majority("large"),
        (2,),
    ),
    Claim("the advantage is greater on small training sets", "abstract", _more_on_small_sets, (2,)),
    Claim(
        "significantly better than a rival on most sets, worse on two at most",
        "5",
        _often_significant,
        (2, 3),
    ),
    Claim(
        "unscaled inputs or poles of one class make little difference",
        "6",
        _variants_differ_little,
        ("variants",),
    ),
)
