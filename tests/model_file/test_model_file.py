"""Saving and loading: the same predictions, and one clear error for every broken file."""

import datetime
import json
import os
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.problems import examples
from sklearn.base import clone, is_regressor
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import make_pipeline
from zoo import RandomDirections

from aslant import (
    C45Classifier,
    CARTClassifier,
    KDTClassifier,
    MMLTreeClassifier,
    ObliqueDecisionTreeClassifier,
    OC1Classifier,
    export_text,
    load,
    save,
)
from aslant.model_file import ModelFileError
from aslant.model_file.file import _checksum
from aslant.model_file.values import NotRebuilt
from aslant.prune import CostComplexity
from aslant.search import OC1, AxisParallel, BestOf, Standardize

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3))
Y = np.where(X[:, 0] + X[:, 1] > 0.3, "up", np.where(X[:, 2] > 0, "left", "right"))
FRAME = pd.DataFrame(X, columns=["a", "b", "c"]).assign(
    colour=RNG.choice(["red", "blue", "grün"], 60), rank=RNG.choice([1, 2, 3], 60)
)
FRAME.loc[::7, ["a", "colour"]] = None


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.aslant"


def saved_and_loaded(clf, path):
    save(clf, path)
    return load(path)


def assert_same_model(clf, other, rows):
    assert type(other) is type(clf)
    assert other.get_params().keys() == clf.get_params().keys()
    np.testing.assert_array_equal(other.predict(rows), clf.predict(rows))
    np.testing.assert_array_equal(other.predict_proba(rows), clf.predict_proba(rows))
    np.testing.assert_array_equal(other.feature_importances_, clf.feature_importances_)
    assert other.n_hyperplanes_ == clf.n_hyperplanes_
    assert other.n_classes_ == clf.n_classes_


# ---------------------------------------------------------------------- round trip


@pytest.mark.parametrize(
    "clf",
    [
        CARTClassifier(categorical_features=["colour", "rank"]),
        C45Classifier(),
        OC1Classifier(random_state=0, restarts=2, pruning=CostComplexity(validation=0.2)),
        KDTClassifier(n_estimators=3, random_state=0, voting="soft"),
        ObliqueDecisionTreeClassifier(
            BestOf([AxisParallel(), Standardize(OC1(restarts=2))]), random_state=1, max_depth=3
        ),
    ],
    ids=lambda clf: type(clf).__name__,
)
def test_every_estimator_comes_back(clf, path):
    clf.fit(FRAME, Y)
    other = saved_and_loaded(clf, path)
    assert_same_model(clf, other, FRAME)
    assert repr(other) == repr(clf)
    assert other.feature_names_in_.tolist() == list(FRAME.columns)
    if not isinstance(clf, KDTClassifier):
        assert other.tree_ == clf.tree_
        assert export_text(other) == export_text(clf)
    unseen = FRAME.assign(colour="never seen")
    np.testing.assert_array_equal(other.predict(unseen), clf.predict(unseen))


@pytest.mark.parametrize(
    "labels",
    [
        [0, 1, 2],
        [True, False, True],
        ["a", "b", "ç"],
        [1.0, 2.0, 3.0],
        np.array([3, 4, 5], dtype=np.uint8),
        np.array([1, 2, 3], dtype=np.float32),
        np.array(["x", "y", "longer"], dtype=object),
    ],
    ids=repr,
)
def test_labels_keep_their_type(labels, path):
    labels = np.asarray(labels)
    y = labels[np.arange(60) % 3]
    clf = CARTClassifier().fit(X, y)
    other = saved_and_loaded(clf, path)
    assert other.classes_.dtype.kind == clf.classes_.dtype.kind
    assert [type(label) for label in other.classes_] == [type(label) for label in clf.classes_]
    np.testing.assert_array_equal(other.predict(X), clf.predict(X))


def test_arrays_without_names_have_none_after_loading(path):
    other = saved_and_loaded(CARTClassifier().fit(X, Y), path)
    assert not hasattr(other, "feature_names_in_")
    assert other.n_features_in_ == 3


def test_polars_frames(path):
    frame = pl.DataFrame({"a": X[:, 0], "b": [None, *X[1:, 1]], "c": ["x", None, "z"] * 20})
    clf = CARTClassifier().fit(frame, Y)
    assert_same_model(clf, saved_and_loaded(clf, path), frame)


def test_extreme_numbers_are_exact(path):
    wide = X * [1e-300, 1e300, 1.0]
    clf = CARTClassifier().fit(wide, Y)
    assert saved_and_loaded(clf, path).tree_ == clf.tree_


def test_parameters_of_any_plain_type(path):
    clf = CARTClassifier(
        class_weight={"up": 2.0, "left": 1, "right": np.float64(0.1)},
        max_depth=np.int64(4),
        min_samples_leaf=0.05,
        categorical_features=np.array([False, False, True]),
    ).fit(np.round(X), Y)
    other = saved_and_loaded(clf, path)
    assert other.class_weight == clf.class_weight
    assert type(other.max_depth) is np.int64
    assert other.categorical_features.tolist() == [False, False, True]
    np.testing.assert_array_equal(other.predict(np.round(X)), clf.predict(np.round(X)))


def test_a_loaded_model_can_be_cloned_fitted_and_saved_again(path):
    clf = OC1Classifier(random_state=3, restarts=2).fit(X, Y)
    other = saved_and_loaded(clf, path)
    assert clone(other).fit(X, Y).tree_ == clf.tree_
    first = path.read_bytes()
    save(other, path)
    assert path.read_bytes() == first


def test_a_search_of_ones_own_is_kept_as_text(path):
    clf = ObliqueDecisionTreeClassifier(RandomDirections(n=7), random_state=0).fit(X, Y)
    with pytest.warns(UserWarning, match=r"keeps RandomDirections\(n=7\) as text only"):
        save(clf, path)
    other = load(path)
    np.testing.assert_array_equal(other.predict(X), clf.predict(X))
    assert isinstance(other.search, NotRebuilt)
    with pytest.raises(TypeError, match=r"search must be .*RandomDirections\(n=7\), not rebuilt"):
        other.fit(X, Y)
    assert other.set_params(search=RandomDirections(n=7)).fit(X, Y).tree_ == clf.tree_


def test_a_random_generator_is_kept_as_text(path):
    clf = OC1Classifier(random_state=np.random.RandomState(0), restarts=1).fit(X, Y)
    with pytest.warns(UserWarning, match="RandomState"):
        save(clf, path)
    np.testing.assert_array_equal(load(path).predict(X), clf.predict(X))


# ---------------------------------------------------------------------- what cannot be saved


def test_what_cannot_be_saved(path):
    class Mine(CARTClassifier):
        pass

    with pytest.raises(NotFittedError):
        save(CARTClassifier(), path)
    with pytest.raises(TypeError, match=r"save needs an estimator of aslant .*, got Mine"):
        save(Mine().fit(X, Y), path)
    with pytest.raises(TypeError, match="got Mine"):
        save(make_pipeline(Mine()).fit(X, Y), path)
    dates = pd.DataFrame({"day": [datetime.date(2020, 1, d % 2 + 1) for d in range(60)]})
    clf = CARTClassifier(categorical_features=["day"]).fit(dates, Y)
    with pytest.raises(TypeError, match=r"categories that are text, numbers or .* of type date"):
        save(clf, path)
    assert not path.exists()


def test_a_failed_save_leaves_the_old_model(path, monkeypatch):
    clf = CARTClassifier().fit(X, Y)
    save(clf, path)

    def full(_descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left on device"):
        save(CARTClassifier(max_depth=1).fit(X, Y), path)
    assert load(path).tree_ == clf.tree_
    assert list(path.parent.iterdir()) == [path]


# ---------------------------------------------------------------------- what cannot be loaded


@pytest.fixture(scope="module")
def small_model(tmp_path_factory):
    """A small model and the text of its file."""
    path = tmp_path_factory.mktemp("small") / "model.aslant"
    clf = CARTClassifier(max_depth=2).fit(FRAME[["a", "colour"]], Y)
    save(clf, path)
    return clf, path.read_bytes()


def load_bytes(content, path):
    path.write_bytes(content)
    return load(path)


def test_missing_files_and_folders(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"No such file or directory: .*gone"):
        load(tmp_path / "gone.aslant")
    with pytest.raises(OSError, match="directory"):
        load(tmp_path)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"1e999",
        b"9" * 5000,
        b"[" * 9999,
        b"\x80\x04pickle",
        b"\xff\xfe",
        b'{"format": "other"}',
        b'{"format": "aslant-model"}',
    ],
)
def test_files_that_are_not_models(content, path):
    with pytest.raises(ModelFileError, match=r"Cannot load '.*model.aslant': it.*\.$"):
        load_bytes(content, path)


def test_files_cut_off_anywhere(small_model, path):
    _, content = small_model
    whole = len(content.rstrip())
    for length in range(0, whole, 7):
        with pytest.raises(ModelFileError):
            load_bytes(content[:length], path)
    with pytest.raises(ModelFileError):
        load_bytes(content[: whole - 1], path)


@examples(300)
@given(data=st.data())
def test_any_changed_byte_is_noticed(small_model, tmp_path_factory, data):
    clf, content = small_model
    position = data.draw(st.integers(0, len(content) - 1))
    byte = data.draw(st.integers(0, 255))
    path = tmp_path_factory.getbasetemp() / "changed.aslant"
    try:
        other = load_bytes(content[:position] + bytes([byte]) + content[position + 1 :], path)
    except ModelFileError:
        return
    assert_same_model(clf, other, FRAME[["a", "colour"]])  # the same byte, or white space


def edited(content, edit):
    """Return the file after an edit that puts the checksum right, too."""
    document = json.loads(content)
    edit(document)
    return json.dumps({**document, "sha256": _checksum(document)}).encode()


def set_entry(*keys, value):
    def edit(document):
        for key in keys[:-1]:
            document = document[key]
        document[keys[-1]] = value

    return edit


def all_values(name, value):
    def edit(document):
        entry = document["state"]["tree"][name]["__array__"]
        entry["values"] = [value] * len(entry["values"])

    return edit


NAN = {"__float__": "nan"}


def array(dtype, *values):
    return {"__array__": {"type": dtype, "shape": [len(values)], "values": list(values)}}


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (
            set_entry("version", value=3),
            "version 3 of the format, .* reads version 2: a newer",
        ),
        (set_entry("version", value="1"), "its version '1' is not a version"),
        (set_entry("version", value=True), "its version True is not a version"),
        (set_entry("estimator", "class", value="os.system"), "has no estimator 'os.system'"),
        (set_entry("estimator", "class", value=["x"]), "has no estimator"),
        (set_entry("estimator", "parameters", "depth", value=3), "has no parameter 'depth'"),
        (set_entry("estimator", value=None), "expected the keys class and parameters"),
        (set_entry("state", value=[]), "expected a dict"),
        (set_entry("state", "tree", "children", value=array("int32", 1, 2)), "it holds no model"),
        (set_entry("state", "tree", "offset", value=array("float64")), "not a valid tree"),
        (set_entry("state", "tree", value={"n_features": 2}), "arrays missing"),
        (set_entry("state", "classes", value=["a", "b", "c"]), "do not agree"),
        (set_entry("state", "classes", value=array("str", "a")), "it holds no model"),
        (set_entry("state", "n_features_in", value=9), "do not agree"),
        (set_entry("state", "feature_names_in", 0, value="x"), "do not agree"),
        (set_entry("state", "encoder", "columns", value=[]), "it holds no model"),
        (set_entry("state", "encoder", "columns", 0, "name", value=1), "encoder is not valid"),
        (set_entry("state", "encoder", "columns", 0, "kind", value="x"), "encoder is not valid"),
        (set_entry("state", "encoder", "derived", value=[[0, "x", 0]]), "no feature 'x'"),
        (set_entry("state", "encoder", "shares", value=[[0, 1.0]]), "the target encodings"),
        (set_entry("state", "importances", value=array("float64", 1.0)), "do not agree"),
        (set_entry("state", "importances", value=array("str", "a", "b")), "are not numbers"),
        (set_entry("state", "importances", value=array("float64", 3.0, 0.5)), "do not sum to 1"),
        (set_entry("state", "importances", value=array("float64", 1.5, -0.5)), "do not sum to 1"),
        (set_entry("state", "n_hyperplanes", value="7"), "expected an integer, got '7'"),
        (set_entry("state", "n_hyperplanes", value=-7), "number of hyperplanes"),
        (set_entry("state", "n_features_in", value=2.0), "expected an integer, got 2.0"),
        (set_entry("state", "classes", value=array("str", "a", "a", "b")), "sorted and distinct"),
        (set_entry("state", "classes", value=array("str", "b", "a", "c")), "sorted and distinct"),
        (set_entry("state", "classes", value=array("float64", 1, 2, NAN)), "not a finite number"),
        (set_entry("state", "encoder", "columns", 1, "levels", value=[["r"], ["g"]]), "levels of"),
        (set_entry("state", "encoder", "columns", 1, "levels", value=["r", "r", "g"]), "levels of"),
        (set_entry("state", "encoder", "columns", 1, "levels", value=["r", NAN, "g"]), "levels of"),
        (set_entry("estimator", "parameters", "n_jobs", value="x"), "n_jobs must be an integer"),
        (all_values("value", 0.0), "do not have a positive, finite sum"),
        (all_values("value", 1e308), "do not have a positive, finite sum"),
        (all_values("n_node_samples", 0), "a node has no rows"),
        (all_values("impurity", NAN), "an impurity is not finite"),
        (
            set_entry("state", "encoder", value={"__object__": {"class": "OC1", "parameters": {}}}),
            "has no class 'OC1'",
        ),
    ],
)
def test_made_up_files_with_a_right_checksum(small_model, path, edit, message):
    _, content = small_model
    with pytest.raises(ModelFileError, match=message):
        load_bytes(edited(content, edit), path)


@pytest.mark.filterwarnings("ignore:Mean of empty slice", "ignore:invalid value")
def test_an_ensemble_without_trees(path):
    save(KDTClassifier(n_estimators=2, random_state=0).fit(X, Y), path)
    content = edited(path.read_bytes(), set_entry("state", "members", value=[]))
    with pytest.raises(ModelFileError):
        load_bytes(content, path)


@pytest.mark.parametrize("bits", [NAN, {"__float__": "inf"}, "12", None])
def test_message_lengths_that_are_none(path, bits):
    save(MMLTreeClassifier(random_state=0, restarts=2).fit(X, Y), path)
    content = edited(path.read_bytes(), set_entry("state", "message", "leaves", value=bits))
    with pytest.raises(ModelFileError, match="it holds no model"):
        load_bytes(content, path)


def test_a_changed_threshold_is_noticed(small_model, path):
    _, content = small_model
    document = json.loads(content)
    document["state"]["tree"]["offset"]["__array__"]["values"][0] += 1e-9
    with pytest.raises(ModelFileError, match="checksum is wrong: it was damaged or changed"):
        load_bytes(json.dumps(document).encode(), path)


def test_repeated_keys_are_refused(small_model, path):
    _, content = small_model
    repeated = content.replace(b'"version": 2,', b'"version": 2, "version": 2,', 1)
    with pytest.raises(ModelFileError, match="damaged or cut off"):
        load_bytes(repeated, path)


def places(value, here=()):
    """Yield the path to every part of a document."""
    yield here
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], (*here, key))


JUNK = [None, True, 0, -1, 2**31, 2**70, 1.5, -1e308, "", "x", [], [[]], {}, {"__array__": {}}]


@pytest.mark.filterwarnings("ignore:X has feature names")  # where the file lost its own
@examples(250)
@given(data=st.data())
def test_no_made_up_file_breaks_loading(small_model, tmp_path_factory, data):
    _, content = small_model
    document = json.loads(content)
    place = data.draw(st.sampled_from([p for p in places(document) if len(p) > 1]))
    edit = set_entry(*place, value=data.draw(st.sampled_from(JUNK)))
    path = tmp_path_factory.getbasetemp() / "made-up.aslant"
    try:
        other = load_bytes(edited(content, edit), path)
    except ModelFileError:
        return
    # It may be another model, or one with odd parameters; but it is whole.
    share = other.predict_proba(pd.DataFrame({"a": [0.0], "colour": ["red"]}))
    assert share.shape == (1, len(other.classes_))
    np.testing.assert_allclose(share.sum(), 1.0)
    assert other.predict(FRAME[["a", "colour"]]).shape == (len(FRAME),)
    assert other.tree_.n_classes == len(other.classes_)
    assert isinstance(export_text(other), str)


# ---------------------------------------------------------------------- models of old releases

MODELS = sorted((Path(__file__).parent / "models").glob("*.aslant"))


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.stem)
def test_models_of_old_releases_load_and_predict_as_then(model):
    clf = load(model)
    expected = json.loads(model.with_suffix(".json").read_text(encoding="utf-8"))
    rows = np.array(expected["rows"], dtype=float if expected["columns"] is None else object)
    if expected["columns"] is not None:
        rows = pd.DataFrame(rows, columns=expected["columns"])
    if is_regressor(clf):  # other releases of NumPy round exp differently
        np.testing.assert_allclose(clf.predict(rows), expected["predict"], rtol=1e-12)
    else:
        assert clf.predict(rows).tolist() == expected["predict"]
    assert hasattr(clf, "predict_proba") == ("predict_proba" in expected)
    if "predict_proba" in expected:
        np.testing.assert_allclose(clf.predict_proba(rows), expected["predict_proba"], rtol=1e-12)


def test_the_documented_reader_needs_nothing_but_the_file():
    document = Path(__file__).parents[2] / "docs" / "model-file.md"
    code = document.read_text(encoding="utf-8").split("```python\n")[1].split("```")[0]
    reader = {}
    exec(code, reader)
    model = Path(__file__).parent / "models" / "v2-oc1.aslant"
    expected = json.loads(model.with_suffix(".json").read_text(encoding="utf-8"))
    classes, tree = reader["read"](model)
    rows = np.array(expected["rows"], dtype=float)
    assert [reader["classify"](classes, tree, row) for row in rows] == expected["predict"]


def test_there_are_models_of_every_version():
    assert {model.stem.split("-")[0] for model in MODELS} == {"v2"}


def test_there_are_models_of_every_kind():
    kinds = {json.loads(model.read_text("utf-8"))["estimator"]["class"] for model in MODELS}
    families = ("Forest", "ExtraTrees", "Auto", "KDT", "MML", "LMDT", "C45", "OC1Reg", "Squares")
    assert all(any(family in kind for kind in kinds) for family in families)


def test_renamed_parameters_and_values(path):
    """Files of older releases have other names."""
    X, y = [["a", 0.0], ["b", 1.0], ["a", 2.0], ["b", 3.0]], [0, 1, 0, 1]
    save(
        KDTClassifier("oc1", n_estimators=2, random_state=0).fit(np.array(X, dtype=object), y), path
    )

    def edit(document):
        own = document["estimator"]["parameters"]
        own.pop("n_trees", None)
        own["n_trees"] = own.pop("n_estimators")
        own["many_levels"] = "shares"

    loaded = load_bytes(edited(path.read_bytes(), edit), path)
    assert loaded.n_estimators == 2 or loaded.n_trees == 2  # until n_trees is gone
    assert loaded.high_cardinality == "target"


def test_version_1_was_never_released(path):
    save(CARTClassifier().fit([[0.0], [1.0]], [0, 1]), path)
    content = edited(path.read_bytes(), set_entry("version", value=1))
    with pytest.raises(ModelFileError, match=r"version 1 of the format, .* reads version 2"):
        load_bytes(content, path)


@pytest.mark.parametrize("chosen", [pd.Index([0]), pd.Series([0]), range(1), np.array([0]), (0,)])
def test_columns_chosen_in_any_form_can_be_fitted_again(chosen, path):
    X, y = [[1, 0.0], [2, 1.0], [1, 2.0], [2, 3.0]], [0, 1, 0, 1]
    tree = CARTClassifier(categorical_features=chosen).fit(X, y)
    save(tree, path)
    again = load(path).fit(X, y)
    assert again.encoder_.columns_[0].kind == "category"
    assert export_text(again) == export_text(tree)


def test_a_model_fitted_on_an_arrow_table_loads(path):
    pa = pytest.importorskip("pyarrow")
    table = pa.table({"width": [1.0, 2.0, 3.0, 4.0], "color": ["red", "blue", "red", "red"]})
    tree = CARTClassifier().fit(table, [0, 1, 0, 1])
    save(tree, path)
    loaded = load(path)
    assert loaded.encoder_.input_names == ["width", "color"]
    assert np.array_equal(loaded.predict(table), tree.predict(table))
