"""Where a result comes from: version, commit, date, machine and load go into every result file."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

UNKNOWN = "unknown"
_ROOT = Path(__file__).parents[1]


def environment() -> dict[str, Any]:
    """Return what a result file says about its run; `finished` adds the load at the end."""
    return {
        **{name: package_version(name) for name in ("aslant", "scikit-learn", "numpy", "scipy")},
        "commit": commit(),
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "python": platform.python_version(),
        "system": platform.platform(),
        "processor": processor(),
        "cores": os.cpu_count(),
        "load": [load()],
        "command": " ".join(["python", *sys.argv]),
    }


def finished(begun: dict[str, Any]) -> dict[str, Any]:
    """Return the environment of a run that ends now, with the load at its begin and its end."""
    return begun | {"load": [begun["load"][0], load()]}


def described(known: dict[str, Any]) -> str:
    """Return version, commit, date, machine and load of an environment, in one line.

    Files from before these were kept say "unknown" for what they do not have.
    """
    cores = f" ({known['cores']} cores)" if "cores" in known else ""
    loads = " to ".join(f"{one:.1f}" for one in known.get("load", []))
    parts = {
        "version": f"aslant {known['aslant']}" if "aslant" in known else "",
        "commit": f"commit {known['commit']}" if "commit" in known else "",
        "date": known.get("date", ""),
        "machine": f"{known['processor']}{cores}" if "processor" in known else "",
        "load": f"load {loads}" if loads else "",
    }
    told = ", ".join(text for text in parts.values() if text)
    *others, last = [name for name, text in parts.items() if not text] or [""]
    untold = f"{', '.join(others)}{' and ' if others else ''}{last} {UNKNOWN}" if last else ""
    return "; ".join(part for part in (told, untold, known.get("note", "")) if part)


def write_results(
    path: Path, results: Any, begun: dict[str, Any], earlier: dict[str, Any] | None = None
) -> None:
    """Write results with where they come from; `begun` is the environment before the run.

    If some of the results are of an earlier run, `earlier` is its environment.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    if earlier is not None:
        begun = begun | {"note": f"some figures are of an earlier run ({described(earlier)})"}
    content = {"environment": finished(begun), "results": results}
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def read_results(path: Path) -> tuple[Any, dict[str, Any]]:
    """Return the results of a file and its environment, an empty one in files of older versions."""
    content = json.loads(path.read_text(encoding="utf-8"))
    if isinstance(content, dict) and {"environment", "results"} <= set(content):
        return content["results"], content["environment"]
    return content, {}


def package_version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def commit() -> str:
    """Return the commit of the sources, with a plus if they were changed since."""
    try:
        name = _git("rev-parse", "--short=9", "HEAD")
        return name + ("+" if _git("status", "--porcelain", "src") else "")
    except (OSError, subprocess.CalledProcessError):
        return UNKNOWN


def _git(*words: str) -> str:
    command = ["git", "-C", str(_ROOT), *words]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def processor() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        if names:
            return names[0].split(":", 1)[1].strip()
    return platform.processor() or UNKNOWN


def load() -> float:
    """Return the mean number of runnable processes in the last minute."""
    return round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else -1.0
