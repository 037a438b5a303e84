"""Starting a measurement as a process of its own, and saying in words how it ended."""

from __future__ import annotations

import json
import os
import signal
import statistics
import subprocess
from pathlib import Path
from typing import Any, TypeAlias

Measurement: TypeAlias = dict[str, Any]
Times: TypeAlias = dict[str, float]

WORKER = Path(__file__).with_name("peer_worker.py")
ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"), "1"
)


def run(python: str, order: dict[str, Any]) -> Measurement:
    """Carry out one order of peer_worker.py with the given interpreter."""
    # For a contestant that hangs without using the CPU; ample, because the machine may be busy.
    patience = 120.0 + 10 * order["limit"]
    errors = ""
    code: int | None = None
    try:
        ended = subprocess.run(
            [python, str(WORKER), json.dumps(order)],
            capture_output=True,
            text=True,
            timeout=patience,
            env=os.environ | ONE_THREAD,
        )
        printed, errors, code = ended.stdout, ended.stderr, ended.returncode
    except subprocess.TimeoutExpired as late:
        printed = (late.stdout or b"").decode()
    except OSError as error:
        printed, errors, code = "", str(error), 1
    finished: dict[str, list[Any]] = {"contestant": [], "cart": [], "failure": []}
    for line in printed.splitlines():
        if line.startswith('{"role"'):
            report = json.loads(line)
            finished[report.pop("role")].append(report)
    status, reason = outcome(code, finished["failure"], errors, order["limit"], patience)
    return {
        "kind": order["kind"],
        "contestant": order["contestant"],
        "task": order["task"],
        # What was finished counts, even when a later repeat was cut off.
        "status": "ok" if finished["contestant"] and status == "cut off" else status,
        "reason": reason,
        **summary(finished["contestant"], finished["cart"]),
        "repeats": {role: finished[role] for role in ("contestant", "cart")},
    }


def outcome(
    code: int | None, failures: list[dict[str, str]], errors: str, limit: float, patience: float
) -> tuple[str, str]:
    """Return how a worker ended ("ok", "cut off" or "failed"), and the reason in words."""
    if code is None:
        return "failed", f"no answer within {patience:g} s"
    if code == -signal.SIGPROF:
        return "cut off", f"more than {limit:g} s"
    if failures:
        return "failed", failures[0]["reason"]
    if code < 0:
        return "failed", f"crashed the interpreter ({signal.Signals(-code).name})"
    if code > 0:
        return "failed", (errors.strip().splitlines() or [f"exit code {code}"])[-1][:200]
    return "ok", ""


def summary(theirs: list[Times], cart: list[Times]) -> Times:
    """Return medians of times and of ratios taken side by side, means of accuracy and leaves."""
    brief: Times = {}
    if not theirs:
        return {"cart_cpu": cart[0]["cpu"]} if cart else brief
    for clock in ("cpu", "wall", "one_row"):
        if clock in theirs[0]:
            ratios = [a[clock] / b[clock] for a, b in zip(theirs, cart, strict=False)]
            brief[clock] = statistics.median(times[clock] for times in theirs)
            brief[f"cart_{clock}"] = statistics.median(times[clock] for times in cart)
            brief[f"{clock}_ratio"] = statistics.median(ratios)
    for figure in ("accuracy", "leaves"):
        if figure in theirs[0]:
            brief[figure] = statistics.fmean(times[figure] for times in theirs)
    return brief
