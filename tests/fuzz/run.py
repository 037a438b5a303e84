"""Random models on random data, in a process of their own, so that a crash is only a report.

    python tests/fuzz/run.py 3600          tries for an hour, from seed 0 on
    python tests/fuzz/run.py 60 12345      from seed 12345 on
    python tests/fuzz/run.py --seed 17     one try, with what it consists of

A try must end in a fitted model with sound predictions or in one clear ValueError or TypeError;
never in another exception, in a warning of NumPy, in a crash, or not at all. What does not is
printed with its seed. The exit code is 1 if there was any.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from queue import Empty, Queue

TESTS = Path(__file__).parents[1]
# A try takes milliseconds, a few a second or two; on a loaded machine more.
SECONDS_A_TRY = 180.0


def child(first: int) -> None:
    """Try one seed after the other, saying so."""
    from fuzz.trying import outcome

    for seed in range(first, sys.maxsize):
        print(f"begin {seed}", flush=True)
        end, wrong = outcome(seed)
        print(f"wrong {seed} {wrong!r}" if wrong else f"ended {seed} {end}", flush=True)


class Child:
    """A process that tries, and its lines as they come."""

    def __init__(self, first: int) -> None:
        environment = {**os.environ, "PYTHONPATH": str(TESTS), "PYTHONFAULTHANDLER": "1"}
        self._said = tempfile.TemporaryFile("w+")  # noqa: SIM115 - open as long as the process
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--child", str(first)],
            stdout=subprocess.PIPE,
            stderr=self._said,
            text=True,
            env=environment,
        )
        self.lines: Queue[str | None] = Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as lines:
            for line in lines:
                self.lines.put(line)
        self.lines.put(None)

    def end(self) -> str:
        """Stop; return what it wrote to the standard error stream."""
        self.process.kill()
        self.process.wait()
        self._reader.join()
        with self._said as said:
            said.seek(0)
            return said.read()[-3000:]


def run(seconds: float, first: int = 0) -> tuple[Counter[str], dict[int, str]]:
    """Try for so long; return how many tries ended how, and what was wrong, by seed."""
    ends: Counter[str] = Counter()
    wrong: dict[int, str] = {}
    seed = first
    until = time.monotonic() + seconds
    worker = Child(seed)
    while time.monotonic() < until:
        try:
            line = worker.lines.get(timeout=SECONDS_A_TRY)
        except Empty:
            wrong[seed] = _shown(seed, f"{worker.end()}\nno end within {SECONDS_A_TRY:.0f} s")
            worker = Child(seed + 1)
            continue
        if line is None:
            code = worker.process.wait()
            wrong[seed] = _shown(seed, f"{worker.end()}\na crash, exit code {code}")
            worker = Child(seed + 1)
            continue
        word, number, *rest = line.split(" ", 2)
        seed = int(number)
        if word == "ended":
            ends[rest[0].strip()] += 1
        if word == "wrong":
            wrong[seed] = _shown(seed, ast.literal_eval(rest[0]))
    worker.end()
    return ends, wrong


def _shown(seed: int, wrong: str) -> str:
    """Print what was wrong as soon as it is known; return it."""
    print(f"---------------- seed {seed}\n{wrong}", flush=True)
    return wrong


def main(arguments: list[str]) -> int:
    """Run from the command line."""
    sys.path.insert(0, str(TESTS))
    if arguments[:1] == ["--child"]:
        child(int(arguments[1]))
    if arguments[:1] == ["--seed"]:
        from fuzz.trying import description, outcome

        print(description(int(arguments[1])))
        end, wrong = outcome(int(arguments[1]))
        print(wrong or end)
        return 1 if wrong else 0
    ends, found = run(float(arguments[0]), int(arguments[1]) if len(arguments) > 1 else 0)
    kinds = Counter(wrong.strip().splitlines()[-1][:100] for wrong in found.values())
    for kind, count in kinds.most_common():
        print(f"{count:5d}  {kind}")
    told = ", ".join(f"{count} {end}" for end, count in ends.most_common())
    print(f"{ends.total()} tries ended well ({told}), {len(found)} did not")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
