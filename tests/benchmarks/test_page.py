"""The page of the results shows figures, failures and hand-written text, each in its place."""

import page
import pytest
from engine import growth_exponent
from peers import QUICK, exponents
from targets import row

TASK = [1000, 10]


def measured(contestant, task, **figures):
    common = {"kind": "fit", "contestant": contestant, "task": task, "status": "ok", "reason": ""}
    return common | figures


@pytest.fixture
def peers():
    good = {"cpu": 2.0, "cpu_ratio": 0.5, "wall_ratio": 0.6, "accuracy": 0.913, "leaves": 12.4}
    return {
        "environment": {"processor": "p", "system": "s", "python": "3", "command": "peers.py"},
        "versions": {"slow": "1.0"},
        "plan": {
            "data_sets": ["LS10"],
            "rows": [TASK],
            "features": [TASK],
            "prediction": [],
            "prediction_depth": 6,
            "repeats": 5,
            "limit": 10.0,
            "budget": 2.0,
        },
        "exponents": [
            {"contestant": "fast", "in": "rows", "exponent": 1.07, "from": 10, "to": 1000}
        ],
        "measurements": [
            measured("fast", "LS10", **good),
            measured("fast", TASK, **good),
            measured("slow", "LS10", status="failed", reason="ValueError: wrong labels"),
            measured("slow", TASK, status="cut off", reason="more than 10 s"),
        ],
    }


def write(peers, missed="We know why."):
    reached = {
        "environment": {"command": "targets.py --quick"},
        "results": [
            row("fit", "small", 0.3, 0.25),
            row("predict", "wide", 3.0, 2.0, at_least=True),
            row("OC1", "Letter", 0.0, 100) | {"ratio": None, "met": None, "remark": "no data"},
        ],
    }
    before = {"results": [row("fit", "small", 0.6, 0.25)]}
    pictures = dict.fromkeys(("data_sets", "rows", "features"), "p")
    return page.page(peers, reached, before, missed, pictures)


def test_figures_stand_beside_each_other(peers):
    text = write(peers)
    assert "| fast | 91.3 / 12 / 0.5 |" in text
    assert "| fast | 0.5 | 1.07 (to 1,000) |" in text


def test_failures_show_with_their_reasons(peers):
    text = write(peers)
    assert "| slow | failed |" in text
    assert "| slow | more than 10 s | – |" in text
    assert "| slow | LS10 | ValueError: wrong labels |" in text
    assert "| slow | 1,000 x 10 | more than 10 s |" in text


def test_targets_are_met_missed_or_not_measured(peers):
    text = write(peers)
    assert "| fit | small | at most 0.25 | 0.60 | 0.30 | **missed** |" in text
    assert "| predict | wide | at least 2 | – | 3.00 | met |" in text
    assert "| OC1 | Letter | at most 100 | – | not measured | – | no data |" in text


def test_hand_written_text_and_a_rough_run_are_told(peers):
    text = write(peers, missed="Prediction waits for memory.\n")
    assert "### Where a target is missed\n\nPrediction waits for memory.\n" in text
    assert "Measured roughly (`--quick`, smaller data): the targets." in text


def test_a_bar_in_a_reason_does_not_break_the_table(peers):
    peers["measurements"][2]["reason"] = "TypeError: unsupported int | None"
    assert "| slow | LS10 | TypeError: unsupported int \\| None |" in write(peers)


def test_exponents_come_from_the_sizes_that_finished():
    assert growth_exponent([10, 100, 1000], [1.0, 20.0, 400.0]) == pytest.approx(1.30103)
    fits = [measured("STree", size, cpu=float(size[0]) ** 2) for size in QUICK.rows[:2]]
    cut = measured("STree", QUICK.rows[2], status="cut off", cpu=1.0)
    (found,) = exponents([*fits, cut], QUICK)
    assert found["exponent"] == pytest.approx(2.0)
    assert (found["in"], found["to"]) == ("rows", QUICK.rows[1][0])
