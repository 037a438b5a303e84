"""Our trees and other people's on the same data in one run: time, accuracy, leaves, scaling.

    python benchmarks/peers.py [--quick] [--treeple PYTHON] [--out benchmarks/results/peers.json]

`make bench-peers` prepares the environments and runs this. Every measurement is a process of its
own, in which scikit-learn's CART is measured beside the contestant, one thread each. A contestant
that raises, crashes the interpreter, or needs more CPU time than the limit becomes a row that says
so. treeple works only with an old scikit-learn: it runs in the environment whose interpreter is
given, beside the CART of that environment. The file is written after each contestant; with `--only`
the others of the same plan stay in it.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeAlias

from contestants import CONTESTANTS
from engine import growth_exponent
from peer_process import Measurement, run
from problems import names
from provenance import described, environment, finished
from rich.console import Console

Size: TypeAlias = tuple[int, int]  # rows, features
CONSOLE = Console()


@dataclass(frozen=True)
class Plan:
    """What is measured, and how long anything may take."""

    data_sets: tuple[str, ...]
    rows: tuple[Size, ...]  # ever more rows of as many features
    features: tuple[Size, ...]  # as many rows of ever more features
    prediction: tuple[Size, ...]
    prediction_depth: int = 6
    repeats: int = 5
    limit: float = 60.0  # CPU seconds that one fit may take
    budget: float = 10.0  # CPU seconds after which a measurement is not repeated

    def order(self, kind: str, contestant: str, task: Any) -> dict[str, Any]:
        """Return what peer_worker.py is told."""
        depth = {"depth": self.prediction_depth} if kind == "prediction" else {}
        limits = {"repeats": self.repeats, "limit": self.limit, "budget": self.budget}
        return {"kind": kind, "contestant": contestant, "task": task, **depth, **limits}


FULL = Plan(
    data_sets=tuple(names()),
    rows=tuple((n, 10) for n in (10_000, 50_000, 200_000, 1_000_000)),
    features=tuple((10_000, d) for d in (10, 30, 100, 200)),
    prediction=((1_000_000, 10), (1_000_000, 50)),
)
QUICK = Plan(
    data_sets=("LS10", "RCB"),
    rows=((2_000, 10), (10_000, 10), (50_000, 10)),
    features=((2_000, 10), (2_000, 50)),
    prediction=((100_000, 10),),
    repeats=2,
    limit=10.0,
    budget=2.0,
)


def series(python: str, contestant: str, sizes: list[Size], plan: Plan) -> Iterator[Measurement]:
    """Fit ever larger data, until a fit is cut off or the next one is sure to be."""
    seconds_per_value = 0.0
    for n, d in sizes:
        expected = seconds_per_value * n * d
        if expected > plan.limit:
            reason = f"not tried: {expected:.0f} s to be expected, the limit is {plan.limit:g} s"
            task = {"kind": "fit", "contestant": contestant, "task": (n, d)}
            yield {**task, "status": "cut off", "reason": reason}
            return
        measured = run(python, plan.order("fit", contestant, (n, d)))
        yield measured
        if measured["status"] == "cut off":
            return
        seconds_per_value = measured.get("cpu", 0.0) / (n * d)


def measurements(python: str, contestant: str, plan: Plan) -> Iterator[Measurement]:
    """Measure everything about one contestant."""
    for name in plan.data_sets:
        yield run(python, plan.order("fit", contestant, name))
    more_features = [size for size in plan.features if size not in plan.rows]
    yield from series(python, contestant, [*plan.rows], plan)
    yield from series(python, contestant, more_features, plan)
    for task in plan.prediction:
        yield run(python, plan.order("prediction", contestant, task))


def exponents(results: list[Measurement], plan: Plan) -> list[dict[str, Any]]:
    """Return the slopes of log time over log rows and over log features, where two sizes ran."""
    found = []
    for contestant in CONTESTANTS:
        fits = {
            tuple(row["task"]): row["cpu"]
            for row in results
            if row["contestant"] == contestant and row["kind"] == "fit"
            if row["status"] == "ok" and not isinstance(row["task"], str)
        }
        for axis, number, sizes in (("rows", 0, plan.rows), ("features", 1, plan.features)):
            done = [size for size in sizes if size in fits]
            if len(done) > 1:
                along = [size[number] for size in done]
                slope = growth_exponent(along, [fits[size] for size in done])
                ends = {"from": along[0], "to": along[-1]}
                found.append({"contestant": contestant, "in": axis, "exponent": slope, **ends})
    return found


def versions(pythons: dict[str, str]) -> dict[str, str]:
    """Return the version of every package that takes part, asked in its environment."""
    ask = "import sys, importlib.metadata as m; print(m.version(sys.argv[1]))"
    found = {}
    for name, contestant in CONTESTANTS.items():
        command = [pythons[name], "-c", ask, contestant.package]
        try:
            answer = subprocess.run(command, capture_output=True, text=True, check=True)
            found[contestant.package] = answer.stdout.strip()
        except (OSError, subprocess.CalledProcessError):
            found[contestant.package] = "not installed"
    return found


def kept(path: Path, plan: Plan, again: list[str]) -> tuple[list[Measurement], dict[str, Any]]:
    """Return what a file has of the same plan, but for those who are measured again.

    The second value is the note about it in the environment of the new file.
    """
    if not path.exists():
        return [], {}
    before = json.loads(path.read_text())
    rows = [row for row in before["measurements"] if row["contestant"] not in again]
    if not rows or before["plan"] != json.loads(json.dumps(asdict(plan))):
        return [], {}
    others = "; ".join(dict.fromkeys(row["contestant"] for row in rows))
    return rows, {"note": f"{others}: of an earlier run ({described(before['environment'])})"}


def tell(row: Measurement) -> None:
    task = row["task"] if isinstance(row["task"], str) else "{:,} x {}".format(*row["task"])
    result = f"{row['cpu_ratio']:.2f} x CART" if "cpu_ratio" in row else row["reason"]
    CONSOLE.print(f"{row['contestant']}, {row['kind']}, {task}: {result}", highlight=False)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a rough picture in a few minutes")
    parser.add_argument("--treeple", default="no interpreter given", help="treeple's interpreter")
    parser.add_argument("--only", nargs="+", choices=CONTESTANTS, default=list(CONTESTANTS))
    parser.add_argument("--out", type=Path, default=Path("benchmarks/results/peers.json"))
    options = parser.parse_args()
    plan = QUICK if options.quick else FULL
    pythons = dict.fromkeys(CONTESTANTS, sys.executable) | {"treeple": options.treeple}
    found = versions(pythons)
    results, note = kept(options.out, plan, options.only)
    begun = environment() | note
    order = list(CONTESTANTS)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    for contestant in options.only:
        for row in measurements(pythons[contestant], contestant, plan):
            tell(row)
            results.append(row)
        written = {
            "environment": finished(begun),
            "versions": found,
            "plan": asdict(plan),
            "exponents": exponents(results, plan),
            "measurements": sorted(results, key=lambda row: order.index(row["contestant"])),
        }
        options.out.write_text(json.dumps(written, indent=1) + "\n")
    print(f"written to {options.out}")


if __name__ == "__main__":
    main()
