"""Data sets without a data folder: scikit-learn's copies, OpenML (never really asked), no copy."""

import os
import sys
from urllib.error import URLError

import numpy as np
import pandas as pd
import pytest
import sklearn.datasets
from aslant_papers.datasets import DatasetUnavailableError, available, load_dataset
from aslant_papers.datasets.catalogue import ALIASES, CATALOGUE
from sklearn.utils import Bunch

from aslant.datasets import DatasetError

PLACE = os.environ.get("ASLANT_DATA")


@pytest.fixture(autouse=True)
def no_folder(monkeypatch):
    monkeypatch.delenv("ASLANT_DATA", raising=False)


@pytest.fixture
def openml(monkeypatch):
    """Let OpenML answer with a frame and target, or fail; record what it was asked."""
    asked = []

    def answer(data, target=None):
        reply = without_pandas(data, target) if target is not None else data

        def fetch_openml(*, data_id, as_frame, parser, n_retries):
            asked.append(data_id)
            if isinstance(reply, Exception):
                raise reply
            return reply

        monkeypatch.setattr(sklearn.datasets, "fetch_openml", fetch_openml)
        return asked

    return answer


def without_pandas(frame, target):
    """A frame as scikit-learn returns it with as_frame=False: level codes in a float matrix."""
    levels, columns = {}, []
    for name, column in frame.items():
        if column.dtype == "category":
            levels[name] = list(column.cat.categories)
            columns.append(column.cat.codes.where(column.notna()).to_numpy(float))
        else:
            columns.append(column.to_numpy(float))
    return Bunch(
        data=np.column_stack(columns),
        target=target.to_numpy(),
        feature_names=list(frame),
        categories=levels,
    )


def numeric_frame(rows, columns):
    values = np.random.RandomState(0).uniform(size=(rows, columns)).round(3)
    return pd.DataFrame(values, columns=[f"V{column + 1}" for column in range(columns)])


def repeated(counts):
    labels = [label for label, count in counts.items() for _ in range(count)]
    return pd.Series(labels, dtype=object)


def test_scikit_learns_iris_and_wine():
    iris, wine = load_dataset("iris"), load_dataset("wine")
    assert iris.data.shape == (150, 4)
    assert iris.feature_names == ["sepal_length", "sepal_width", "petal_length", "petal_width"]
    assert set(iris.target) == {"Iris-setosa", "Iris-versicolor", "Iris-virginica"}
    assert wine.data.shape == (178, 13)
    assert np.bincount(wine.target).tolist() == [0, 59, 71, 48]
    assert "scikit-learn" in iris.DESCR


@pytest.mark.skipif(not PLACE, reason="needs the papers' data sets: set ASLANT_DATA")
@pytest.mark.parametrize(("name", "rows_that_differ"), [("iris", 2), ("wine", 0)])
def test_scikit_learns_copies_are_the_papers_files(monkeypatch, name, rows_that_differ):
    copy = load_dataset(name)
    monkeypatch.setenv("ASLANT_DATA", PLACE)
    original = load_dataset(name)
    assert (copy.data != original.data).any(axis=1).sum() == rows_that_differ
    assert np.array_equal(copy.target, original.target)


def test_boston_is_cut_at_21(openml):
    frame = numeric_frame(506, 13)
    frame["V4"] = pd.Categorical(np.where(np.arange(506) % 2, "1", "0"))
    asked = openml(frame, pd.Series(np.arange(506) * 0.1))
    bunch = load_dataset("housing")
    assert asked == [531]
    assert bunch.name == "boston_housing"
    assert bunch.data.dtype == np.float64
    assert bunch.data[:2, 3].tolist() == [0, 1]
    assert np.array_equal(bunch.target, np.where(np.arange(506) * 0.1 < 21, 1, 2))
    assert bunch.split is None
    assert "OpenML, data set 531" in bunch.DESCR


def test_wisconsin_with_and_without_its_incomplete_rows(openml):
    frame = numeric_frame(699, 9)
    frame.loc[:15, "V6"] = np.nan
    openml(frame, repeated({"benign": 458, "malignant": 241}))
    everything, complete = load_dataset("wisconsin"), load_dataset("cancer")
    assert np.isnan(everything.data).sum() == 16
    assert np.unique(everything.target, return_counts=True)[1].tolist() == [458, 241]
    assert complete.data.shape == (683, 9)
    assert not np.isnan(complete.data).any()
    assert complete.target[0] == 2
    assert complete.target[-1] == 4


def test_glass_float_keeps_three_kinds_of_glass(openml):
    kinds = {"build wind float": 70, "build wind non-float": 76, "vehic wind float": 17}
    kinds |= {"containers": 13, "tableware": 9, "headlamps": 29}
    openml(numeric_frame(214, 9), repeated(kinds))
    labels, counts = np.unique(load_dataset("glass_float").target, return_counts=True)
    assert dict(zip(labels, counts, strict=True)) == {"float": 87, "non_float": 76}
    assert np.bincount(load_dataset("glass").target).tolist() == [0, 70, 76, 17, 0, 13, 9, 29]


def test_vowel_leaves_the_speaker_out(openml):
    frame = numeric_frame(990, 10)
    frame.columns = [f"Feature_{column}" for column in range(10)]
    frame.insert(0, "Speaker_Number", pd.Categorical(["Andrew"] * 990))
    words = ["hid", "hId", "hEd", "hAd", "hYd", "had", "hOd", "hod", "hUd", "hud", "hed"]
    openml(frame, pd.Series(words * 90, dtype=object))
    bunch = load_dataset("vowel")
    assert bunch.feature_names == [f"Feature_{column}" for column in range(10)]
    assert bunch.target[:11].tolist() == list(range(11))


def test_types_are_the_papers_not_openmls(openml):
    frame = numeric_frame(270, 13)
    frame["V2"] = np.arange(270) % 2 * 1.0
    frame.loc[0, "V2"] = np.nan
    openml(frame, repeated({"absent": 150, "present": 120}))
    bunch = load_dataset("heart")
    assert np.flatnonzero(bunch.categorical).tolist() == [1, 2, 5, 6, 8, 10, 12]
    assert bunch.data["V2"].isna().tolist()[:2] == [True, False]
    assert bunch.data["V2"].tolist()[1:3] == ["1.0", "0.0"]
    assert bunch.data["V1"].dtype == np.float64


@pytest.mark.parametrize(
    ("frame", "target", "message"),
    [
        (numeric_frame(845, 18), repeated({"a": 800, "b": 15, "c": 15, "d": 15}), "845 rows, 18"),
        (numeric_frame(846, 19), repeated({"a": 800, "b": 16, "c": 15, "d": 15}), "19 features"),
        (numeric_frame(846, 18), repeated({"a": 800, "b": 16, "c": 30}), "and 3 classes"),
        (
            numeric_frame(846, 18).assign(V3=pd.Categorical(["text"] * 846)),
            repeated({"a": 800, "b": 16, "c": 15, "d": 15}),
            "'V3' holds text",
        ),
    ],
)
def test_a_copy_of_another_shape_is_refused(openml, frame, target, message):
    openml(frame, target)
    with pytest.raises(DatasetUnavailableError, match=message):
        load_dataset("vehicle")


def test_a_target_that_cannot_be_cut_is_refused(openml):
    openml(numeric_frame(506, 13), pd.Series(["P", "N"] * 253, dtype=object))
    with pytest.raises(DatasetUnavailableError, match="has 0 rows"):
        load_dataset("boston")


@pytest.mark.parametrize(
    ("failure", "reason"),
    [
        (URLError("no route to host"), "no route to host"),
        (TimeoutError("timed out"), "timed out"),
        (ValueError("Dataset with data_id 54 not found."), "not found"),
    ],
)
def test_without_openml_one_sentence_says_what_to_do(openml, failure, reason):
    openml(failure)
    with pytest.raises(DatasetUnavailableError, match=reason) as caught:
        load_dataset("vehicle")
    message = str(caught.value)
    assert "'vehicle'" in message
    assert "ASLANT_DATA is not set" in message
    assert "\n" not in message
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None


@pytest.mark.parametrize("name", ["bupa", "cleveland", "german_credit_numeric", "bright", "dim"])
def test_sets_that_only_a_folder_can_have(openml, name):
    asked = openml(AssertionError("OpenML was asked"))
    with pytest.raises(DatasetUnavailableError, match=r"no copy of data set .* set ASLANT_DATA"):
        load_dataset(name)
    assert asked == []


def test_openml_needs_no_pandas(openml, monkeypatch):
    frame = numeric_frame(286, 9).round().astype(str).astype("category")
    openml(frame, repeated({"no-recurrence-events": 201, "recurrence-events": 85}))
    expected = load_dataset("ljubljana").data.to_numpy(dtype=object)
    monkeypatch.setitem(sys.modules, "pandas", None)
    assert np.array_equal(load_dataset("ljubljana").data, expected)


@pytest.mark.parametrize(
    ("wrong", "nearest"),
    [("irs", "iris"), ("wave form", "waveform"), ("breast_cancer", "breast_cancer_wisconsin")],
)
def test_unknown_name_gets_the_nearest(wrong, nearest):
    with pytest.raises(DatasetError, match=rf"did you mean {nearest!r}\? .*available\(\)"):
        load_dataset(wrong)


def test_name_that_resembles_nothing_and_name_that_is_no_name():
    with pytest.raises(DatasetError, match=r"no data set 'zzzzzz'; .*available\(\) lists them all"):
        load_dataset("zzzzzz")
    with pytest.raises(TypeError, match="must be a string, got 3"):
        load_dataset(3)


def test_aliases_lead_to_catalogued_names_and_hide_none():
    assert set(ALIASES.values()) <= set(CATALOGUE)
    assert not set(ALIASES) & set(CATALOGUE)


def test_every_recorded_set_has_a_place_or_a_reason():
    for info in available():
        entry = CATALOGUE[info.name]
        if info.source == "openml":
            assert entry.openml is not None
        elif info.source == "folder":
            assert entry.no_openml
        assert info.here == (info.source in ("generator", "scikit-learn"))


def test_available_is_sorted_and_lists_every_name_once():
    names = [info.name for info in available()]
    assert names == sorted(CATALOGUE)
    assert {info.name for info in available() if info.here} == {
        *("iris", "wine"),
        *("ls10", "pol", "rcb", "local_minimum", "led", "waveform"),
    }
