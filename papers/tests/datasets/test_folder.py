"""The data folder: the papers' files as its index describes them, and a damaged folder."""

import gzip
import hashlib
import json
import os
from pathlib import Path

import numpy as np
import pytest
from aslant_papers.datasets import available, load_dataset
from aslant_papers.datasets.catalogue import CATALOGUE

from aslant.datasets import DatasetError

PLACE = os.environ.get("ASLANT_DATA")
INDEX = json.loads(Path(PLACE, "index.json").read_text())["datasets"] if PLACE else []

needs_data = pytest.mark.skipif(not PLACE, reason="needs the papers' data sets: set ASLANT_DATA")


@needs_data
@pytest.mark.parametrize("entry", INDEX, ids=lambda entry: entry["name"])
def test_every_set_is_as_its_index_says(entry):
    bunch = load_dataset(entry["name"])
    types = [column["type"] for column in entry["columns"]]
    assert bunch.data.shape == (entry["rows"], len(types))
    assert bunch.feature_names == [column["name"] for column in entry["columns"]]
    assert bunch.categorical.tolist() == [kind == "categorical" for kind in types]
    if bunch.categorical.any():
        assert [str(kind) for kind in bunch.data.dtypes] == [
            "category" if kind == "categorical" else "float64" for kind in types
        ]
        missing = bunch.data.isna().to_numpy()
    else:
        assert bunch.data.dtype == np.float64
        missing = np.isnan(bunch.data)
    assert missing.sum() == entry["missing_values"]
    assert missing.any(axis=1).sum() == entry["rows_with_missing"]
    labels, counts = np.unique(bunch.target, return_counts=True)
    assert dict(zip(labels.astype(str), counts, strict=True)) == entry["class_counts"]
    if "split" in entry["meta_columns"]:
        assert set(bunch.split) == {"train", "test"}
    else:
        assert bunch.split is None
    assert not set(entry["meta_columns"]) & set(bunch.feature_names)
    assert entry["file"] in bunch.DESCR


@needs_data
@pytest.mark.parametrize("entry", INDEX, ids=lambda entry: entry["name"])
def test_the_catalogue_agrees_with_the_papers_files(entry):
    known = CATALOGUE[entry["name"]]
    types = [column["type"] for column in entry["columns"]]
    assert (known.rows, known.features) == (entry["rows"], len(types))
    assert (known.classes, known.missing) == (entry["n_classes"], entry["missing_values"])
    assert known.categorical == tuple(np.flatnonzero(np.array(types) == "categorical"))
    if known.openml is not None and known.openml.labels is not None:
        assert set(known.openml.labels.values()) == set(entry["class_counts"])


@needs_data
def test_splits_have_the_published_sizes():
    for name, train, test in [("vowel", 528, 462), ("shuttle", 43500, 14500)]:
        split = load_dataset(name).split
        assert ((split == "train").sum(), (split == "test").sum()) == (train, test)


TEXT = "size,colour,split,y\n1,7,train,a\n2.5,8,test,b\n,,train,a\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Write an index with one data set, changed as asked, and set ASLANT_DATA."""

    def write(text=TEXT, compress=False, **changes):
        entry = {
            "name": "mine",
            "file": "mine.csv",
            "sha256": hashlib.sha256(text.encode()).hexdigest(),
            "rows": 3,
            "columns": [
                {"name": "size", "type": "numeric"},
                {"name": "colour", "type": "categorical"},
            ],
            "meta_columns": ["split"],
            "target": "y",
            "n_classes": 2,
            "missing_values": 2,
            **changes,
        }
        entry = {key: value for key, value in entry.items() if value is not None}
        content = text.encode()
        (tmp_path / "mine.csv").write_bytes(gzip.compress(content) if compress else content)
        (tmp_path / "index.json").write_text(json.dumps({"datasets": [entry]}))
        monkeypatch.setenv("ASLANT_DATA", str(tmp_path))

    return write


@pytest.mark.parametrize("compress", [False, True])
def test_a_set_the_catalogue_does_not_know(folder, compress):
    folder(compress=compress)
    bunch = load_dataset("mine")
    assert bunch.data["colour"].tolist()[:2] == ["7", "8"]
    assert bunch.data.isna().to_numpy().sum() == 2
    assert bunch.target.tolist() == ["a", "b", "a"]
    assert bunch.split.tolist() == ["train", "test", "train"]
    assert bunch.categorical.tolist() == [False, True]
    info = {entry.name: entry for entry in available()}["mine"]
    assert (info.rows, info.features, info.categorical, info.classes) == (3, 2, 1, 2)
    assert (info.missing, info.papers, info.source, info.here) == (2, (), "folder", True)


def test_the_folder_comes_before_other_copies_and_aliases(folder):
    folder(name="iris")
    assert load_dataset("iris").data.shape == (3, 2)
    assert {entry.name: entry for entry in available()}["iris"].rows == 3
    folder(name="cancer")
    assert load_dataset("cancer").data.shape == (3, 2)
    folder(name="pol")
    assert load_dataset("pol").data.shape == (2000, 2)
    assert {entry.name: entry for entry in available()}["pol"].source == "generator"


def test_only_an_empty_cell_is_missing(folder):
    text = "size,colour,split,y\n1,NA,train,?\n2,?,test,b\n"
    folder(text)
    bunch = load_dataset("mine")
    assert bunch.data["colour"].tolist() == ["NA", "?"]
    assert bunch.target.tolist() == ["?", "b"]


BAD_FOLDERS = {
    "checksum": ({"sha256": "0" * 64}, "mine.csv: the checksum .* changed or damaged"),
    "no file": ({"file": "other.csv"}, "other.csv: there is no such file"),
    "no target": ({"target": "label"}, "column 'label' of index.json is not there"),
    "no meta": ({"meta_columns": ["split", "who"]}, "column 'who' of index.json is not there"),
    "no rows key": ({"rows": None}, r"data set 1 \(mine\) has no 'rows'"),
    "file is a number": ({"file": 5}, "'file' must be text, got 5"),
    "no columns": ({"columns": []}, "must list at least one column"),
    "odd type": ({"columns": [{"name": "size", "type": "real"}]}, "numeric, categorical, got"),
    "text in a numeric column": (
        {"text": "size,colour,split,y\nbig,1,train,a\n"},
        "'size' is declared numeric but holds text",
    ),
    "odd split": ({"text": "size,colour,split,y\n1,1,Train,a\n"}, "line 2 has 'Train'"),
    "no label": ({"text": "size,colour,split,y\n1,1,train,\n"}, "line 2 has no value"),
}


@pytest.mark.parametrize("case", BAD_FOLDERS)
def test_damage_is_one_clear_error(folder, case):
    changes, message = BAD_FOLDERS[case]
    folder(**changes)
    with pytest.raises(DatasetError, match=message):
        load_dataset("mine")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "must name a folder with an index.json"),
        ("{", "is not valid JSON"),
        ("[]", "must hold an object with a list 'datasets'"),
        ('{"datasets": [1]}', "data set 1 must be an object, got 1"),
    ],
)
def test_a_bad_index_is_never_passed_over(tmp_path, monkeypatch, content, message):
    if content is not None:
        (tmp_path / "index.json").write_text(content)
    monkeypatch.setenv("ASLANT_DATA", str(tmp_path))
    for use in (available, lambda: load_dataset("iris")):
        with pytest.raises(DatasetError, match=message):
            use()
