"""A measurement always ends in a row: whatever the contestant does, the row says it."""

import json
import math
import sys

import peer_process
import pytest


def order(**changes):
    settings = {"kind": "fit", "contestant": "aslant CART", "task": "LS10"}
    return settings | {"repeats": 2, "limit": 60.0, "budget": 60.0} | changes


@pytest.fixture
def worker(tmp_path, monkeypatch):
    """Return a function that puts a program of the given text in the worker's place."""

    def replace(text):
        path = tmp_path / "worker.py"
        path.write_text(text)
        monkeypatch.setattr(peer_process, "WORKER", path)

    return replace


def test_a_tree_is_measured_beside_scikit_learns_on_each_fold():
    row = peer_process.run(sys.executable, order())
    assert (row["status"], row["reason"]) == ("ok", "")
    assert len(row["repeats"]["contestant"]) == len(row["repeats"]["cart"]) == 2
    # Both grow the same kind of tree on the same rows, so they are about as good.
    for ours, theirs in zip(*row["repeats"].values(), strict=True):
        assert ours["accuracy"] == pytest.approx(theirs["accuracy"], abs=0.1)
        assert ours["leaves"] == pytest.approx(theirs["leaves"], rel=0.2)
    assert row["cpu_ratio"] > 0 and row["wall_ratio"] > 0


def test_a_fit_that_takes_too_long_is_cut_off():
    row = peer_process.run(
        sys.executable, order(contestant="aslant OC1", task=[5000, 20], limit=0.3)
    )
    assert (row["status"], row["reason"]) == ("cut off", "more than 0.3 s")
    assert row["repeats"]["contestant"] == []


def test_what_raises_fails_with_its_message():
    row = peer_process.run(sys.executable, order(task="no such data"))
    assert row["status"] == "failed"
    assert row["reason"].startswith("KeyError: 'no such data'")


def test_a_crash_of_the_interpreter_is_a_row(worker):
    worker("import os; os.abort()")
    row = peer_process.run(sys.executable, order())
    assert (row["status"], row["reason"]) == ("failed", "crashed the interpreter (SIGABRT)")


def test_a_missing_interpreter_is_a_row():
    row = peer_process.run("no/such/python", order())
    assert row["status"] == "failed"
    assert "No such file" in row["reason"]


def test_other_output_of_a_library_is_ignored(worker):
    finished = {"cpu": 2.0, "wall": 3.0, "accuracy": 0.5, "leaves": 7}
    lines = ["Training...", *(json.dumps({"role": r, **finished}) for r in ("cart", "contestant"))]
    worker(f"print({chr(10).join(lines)!r})")
    row = peer_process.run(sys.executable, order())
    assert row["status"] == "ok"
    assert (row["cpu_ratio"], row["wall"], row["leaves"]) == (1.0, 3.0, 7)


def test_ratios_are_taken_side_by_side():
    # The machine is ten times slower in the second repeat: the ratio does not see it.
    theirs = [{"cpu": 2.0}, {"cpu": 20.0}]
    cart = [{"cpu": 1.0}, {"cpu": 10.0}, {"cpu": 7.0}]
    brief = peer_process.summary(theirs, cart)
    assert math.isclose(brief["cpu_ratio"], 2.0)
    assert math.isclose(brief["cpu"], 11.0)
