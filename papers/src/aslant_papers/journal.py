"""Finished runs, kept in a file so that nothing is ever computed twice.

One line of JSON a run, appended when the run is finished. A line is written in one piece; one that
was cut off nevertheless, by a full disk or a power failure, is left out when reading.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict
from pathlib import Path

from aslant_papers.cells import Cell
from aslant_papers.records import RunRecord

FILE_NAME = "runs.jsonl"


def default_folder() -> Path:
    """Return the cache folder of the platform."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "aslant"


class Journal:
    """The file of finished runs in a folder, which is made if it does not exist.

    Attributes
    ----------
    path : Path
        The file.
    added : set of str
        Keys of the runs that were added through this object.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / FILE_NAME
        self.added: set[str] = set()

    def read(self) -> dict[str, RunRecord]:
        """Return all finished runs by key; of two with the same key the later one."""
        records: dict[str, RunRecord] = {}
        if not self.path.exists():
            return records
        with open(self.path, encoding="utf-8", errors="replace") as file:
            for line in file:
                try:
                    entry = json.loads(line)
                    records[entry["key"]] = RunRecord(**entry["record"])
                except (ValueError, TypeError, KeyError):  # cut off, or of another version
                    continue
        return records

    def append(self, cell: Cell, record: RunRecord) -> None:
        """Add a finished run."""
        entry = {"key": cell.key, "cell": str(cell), "record": asdict(record)}
        line = json.dumps(entry, separators=(",", ":")) + "\n"
        with open(self.path, "ab+", buffering=0) as file:
            if file.seek(0, os.SEEK_END) > 0:
                file.seek(-1, os.SEEK_END)
                if file.read(1) != b"\n":  # the last line was cut off: begin a new one
                    line = "\n" + line
            file.write(line.encode("utf-8"))
        self.added.add(cell.key)
