"""The suite keeps every fit, says what failed, and ranks without dropping a set."""

import gzip
import json
import signal

import numpy as np
import pytest
import suite
from limits import attempt
from scipy import stats
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
from suite_contestants import ABSENT, OLD, SLOW, Contestant, contestants
from suite_data import CLASSIFICATION, MOST_ROWS, REGRESSION, SuiteSet
from suite_fit import figures
from suite_page import DUELS, SHORT, compact
from suite_results import Results, collected, holm
from suite_results import records_of as records_of_file

import aslant


@pytest.fixture
def data(tmp_path, monkeypatch):
    """Make a suite of one classification and one regression set, and an empty journal."""
    folder = tmp_path / "suite"
    folder.mkdir()
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 3))
    targets = {"classes": (X[:, 0] > 0) + 5.0, "numbers": X[:, 0] + X[:, 1]}
    index = []
    for (name, y), task in zip(targets.items(), (CLASSIFICATION, REGRESSION), strict=True):
        text = "\n".join([",".join("abct"), *(",".join(map(str, row)) for row in np.c_[X, y])])
        (folder / f"{name}.csv.gz").write_bytes(gzip.compress(text.encode()))
        index.append({"name": name, "task": task, "rows": 90, "features": 3, "classes": 2})
    (folder / "index.json").write_text(json.dumps(index))
    monkeypatch.setenv("ASLANT_DATA", str(tmp_path))
    return suite.Journal(tmp_path / "journal" / "suite.jsonl")


def failing():
    raise ValueError("no such thing\nand more")


FIELD = {
    "tree": Contestant(
        "scikit-learn",
        "tree",
        {
            CLASSIFICATION: lambda: DecisionTreeClassifier(random_state=0),
            REGRESSION: lambda: DecisionTreeRegressor(random_state=0),
        },
    ),
    "broken": Contestant("scikit-learn", "tree", {CLASSIFICATION: failing}),
}


def run(journal, monkeypatch, repeats=2):
    monkeypatch.setattr(suite, "contestants", lambda: FIELD)
    suite.run(journal, list(FIELD), suite.suite(), repeats)
    return suite.records(journal.path.parent)


def test_every_fit_is_a_line_and_a_second_run_adds_none(data, monkeypatch):
    records = run(data, monkeypatch)
    assert len(records) == 2 * (3 + 3 + 3)  # the tree on both sets, the broken one on one
    good = [one for one in records if one["contestant"] == "tree"]
    assert all(one["status"] == "ok" and one["fit_seconds"] > 0 for one in good)
    assert all(one["accuracy"] > 0.8 for one in good if one["task"] == CLASSIFICATION)
    assert all({"leaves", "coefficients", "r2"} <= set(one) for one in good if "r2" in one)
    again = run(suite.Journal(data.path), monkeypatch)
    assert again == records


def test_what_fails_says_why_in_one_line(data, monkeypatch):
    records = run(data, monkeypatch, repeats=1)
    reasons = {one["reason"] for one in records if one["contestant"] == "broken"}
    assert reasons == {"ValueError: no such thing"}


def test_forgotten_fits_are_fitted_again(data, monkeypatch):
    run(data, monkeypatch, repeats=1)
    monkeypatch.setattr(suite, "JOURNALS", data.path.parent)
    suite.forget(["tree"])
    left = suite.records(data.path.parent)
    assert left and {one["contestant"] for one in left} == {"broken"}


def test_a_folder_without_data_says_where_they_come_from(tmp_path, monkeypatch):
    monkeypatch.setenv("ASLANT_DATA", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="EpistasisLab/pmlb"):
        suite.suite()


def test_rows_are_always_the_same_and_classes_are_coded(data):
    one = SuiteSet("classes", CLASSIFICATION, 1)
    X, y = one.rows()
    assert set(y) == {0, 1} and len(X) <= MOST_ROWS
    np.testing.assert_array_equal(X, one.rows()[0])
    first, second = (one.folds(X, y, repeat)[0][1] for repeat in (0, 1))
    assert not np.array_equal(first, second)


def test_work_that_takes_too_long_or_crashes_is_told_apart():
    def spin():
        while True:
            pass

    assert attempt(1.0, spin) == (None, "cut off")
    assert attempt(1.0, lambda: signal.raise_signal(signal.SIGKILL)) == (None, "ended with SIGKILL")
    assert attempt(1.0, lambda: 3) == (3, "")


def test_probabilities_of_a_perfect_model_have_no_loss():
    X = np.repeat([[0.0], [1.0]], 20, axis=0)
    y = X[:, 0].astype(int)
    work = (lambda: DecisionTreeClassifier(), CLASSIFICATION, (X, y, X, y))
    found, reason = attempt(10.0, figures, *work)
    assert reason == "" and found["accuracy"] == found["auc"] == 1.0
    assert found["log_loss"] < 1e-5 and found["leaves"] == 2 and found["coefficients"] == 1


def test_a_result_file_has_all_that_a_journal_needs(data, monkeypatch):
    records = run(data, monkeypatch)
    content = collected(records, [ENVIRONMENT])
    again = records_of_file(json.loads(compact(content)))
    assert sorted(again, key=suite.place) == sorted(records, key=suite.place)


ENVIRONMENT = {"versions": {"aslant": "1"}, "scikit-learn": "1", "load": [0.1], "commit": "abc"}


def test_the_result_file_names_all_commits_of_our_fits():
    records = records_of({"a": {"x": 0.9}})
    peers = ENVIRONMENT | {"versions": {"lightgbm": "4"}, "commit": "other"}
    later = ENVIRONMENT | {"commit": "def"}
    known = collected(records, [ENVIRONMENT, later, peers, later])["environment"]
    assert known["commit"] == "def"
    assert known["note"] == "in runs at the commits abc, def"
    assert "note" not in collected(records, [ENVIRONMENT, peers])["environment"]


def records_of(scores):
    """Return records of one repeat of three folds: {contestant: {set: score or None}}."""
    return [
        {"repeat": 0, "set": name, "contestant": contestant, "fold": fold, "task": CLASSIFICATION}
        | ({"status": "failed", "reason": "r"} if score is None else
           {"status": "ok", "accuracy": score + 0.001 * fold})
        for contestant, of in scores.items()
        for name, score in of.items()
        for fold in range(3)
    ]  # fmt: skip


def test_a_set_without_figures_has_the_last_rank_and_stays():
    scores = {"a": {"x": 0.9, "y": 0.5}, "b": {"x": None, "y": 0.6}, "c": {"x": 0.8, "y": 0.4}}
    results = Results(collected(records_of(scores), [ENVIRONMENT]))
    ranks = results.ranks(CLASSIFICATION, "accuracy", ["a", "b", "c"])
    np.testing.assert_array_equal(ranks, [[1, 3, 2], [2, 1, 3]])
    assert results.failures() == {("b", "r"): ["x"]}


def test_a_contestant_that_did_not_finish_a_repeat_takes_no_part():
    records = records_of({"a": {"x": 0.9, "y": 0.5}, "b": {"x": 0.7}})
    content = collected(records, [ENVIRONMENT])
    assert content["repeats"] == {"a": 1, "b": 0}
    assert Results(content).contestants(CLASSIFICATION) == ["a"]


def test_duels_count_both_sides():
    scores = {"a": {"x": 0.9, "y": 0.5, "z": 0.7}, "b": {"x": 0.6, "y": 0.6, "z": None}}
    duel = Results(collected(records_of(scores), [ENVIRONMENT])).duel(
        CLASSIFICATION, "accuracy", "a", "b"
    )
    assert (duel.sets, duel.better, duel.worse) == (2, 1, 1)
    assert duel.difference == pytest.approx(0.1)
    assert (duel.best[0], duel.worst[0]) == ("x", "y")
    assert (duel.clearly_better, duel.clearly_worse) == (1, 1)  # the folds differ equally


def test_holm_agrees_with_its_definition():
    given = np.array([0.01, 0.04, 0.03, 0.5])
    assert holm(given) == pytest.approx([0.04, 0.09, 0.09, 0.5])
    independent = stats.false_discovery_control  # another correction, which is never stricter
    assert np.all(np.array(holm(given)) >= independent(given) - 1e-12)


def test_the_result_file_is_json_with_short_lines():
    content = {"a": [1, 2, 3], "b": {"c": [{"d": [4]}], "e": "x"}}
    text = compact(content)
    assert json.loads(text) == content
    assert '"a": [ 1, 2, 3 ]' in text


def test_all_our_estimators_take_part_and_all_names_are_known():
    names = contestants()
    ours = {name for name in aslant.__all__ if name.endswith(("Classifier", "Regressor"))}
    made = {
        type(make()).__name__
        for contestant in names.values()
        if contestant.package == "aslant"
        for make in contestant.makers.values()
    }
    assert made == ours
    asked = {*SLOW, *OLD, *SHORT, *DUELS, *(name for others in DUELS.values() for name in others)}
    assert asked <= set(names)
    assert not set(ABSENT) & set(names)
