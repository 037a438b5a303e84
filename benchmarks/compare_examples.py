"""What `aslant compare` prints for some data sets: the examples of docs/compare.md.

    ASLANT_DATA=... python benchmarks/compare_examples.py

Scores depend on the seed only; times, and how much fits into a budget, on the machine.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

from page_blocks import RESULTS, source
from provenance import environment, read_results, write_results
from sklearn.datasets import load_diabetes

FILE = "compare_examples.json"
COMMAND = "python benchmarks/compare_examples.py"
COMMANDS = {
    "classes": "pima_diabetes.csv --target class --methods quest,ltu,oc1,c45,cart_pruned,hhcart "
    "--budget 90 --jobs 1",
    "numbers": "diabetes.csv --target progression "
    "--methods least_squares,oc1,cart_pruned,ridge,forest --budget 40 --jobs 1",
    "sampled": "adult.csv.gz --target class --drop split --jobs 1",
}
WIDTH = 125


def printed(arguments: str, folder: Path) -> str:
    """Return what the command prints, without its progress."""
    command = [str(Path(sys.executable).with_name("aslant")), "compare", *shlex.split(arguments)]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return run.stdout


def example(name: str) -> str:
    """Return a command and what it prints; long lines are wrapped."""
    command = f"$ aslant compare {COMMANDS[name]}"
    lines = read_results(RESULTS / FILE)[0][name].rstrip().splitlines()
    wrapped = [
        textwrap.fill(line, WIDTH, subsequent_indent="    ") if len(line) > WIDTH else line
        for line in lines
    ]
    return "\n".join(["```", command, *wrapped, "```"]) + "\n" + source(FILE, COMMAND)


def main() -> None:
    begun = environment()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path in Path(os.environ["ASLANT_DATA"]).iterdir():
            (folder / path.name).symlink_to(path)
        table = load_diabetes(as_frame=True, scaled=False).frame
        (folder / "diabetes.csv").unlink(missing_ok=True)
        table.rename(columns={"target": "progression"}).to_csv(folder / "diabetes.csv", index=False)
        write_results(RESULTS / FILE, {n: printed(a, folder) for n, a in COMMANDS.items()}, begun)


if __name__ == "__main__":
    main()
