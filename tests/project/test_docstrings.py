"""Every public class documents what its constructor takes and what fitting sets, truly."""

from __future__ import annotations

import inspect
import re
import warnings
from typing import Any

import pytest
from numpydoc.docscrape import NumpyDocString
from sklearn.datasets import load_iris

import aslant
import aslant.prune
import aslant.search
from aslant.estimators.auto.base import AutoTree
from aslant.estimators.boosting.base import BaseBoosting
from aslant.estimators.classifier import ClassifierParameters, SingleTreeClassifier
from aslant.estimators.ensemble import TreeEnsemble
from aslant.estimators.forest.base import BaseForest
from aslant.estimators.regressor import TreeRegressor
from aslant.search.registry import SEARCHES

CLASSIFIERS = [getattr(aslant, name) for name in aslant.__all__ if name.endswith("Classifier")]
REGRESSORS = [getattr(aslant, name) for name in aslant.__all__ if name.endswith("Regressor")]
ESTIMATORS = CLASSIFIERS + REGRESSORS


def public_classes() -> list[type]:
    """Return the estimators, searches, learners and pruners that have parameters."""
    found = list(ESTIMATORS)
    for module in (aslant.search, aslant.prune):
        members = (getattr(module, name) for name in module.__all__)
        found += [one for one in members if hasattr(one, "get_params")]
    bases = {aslant.search.SplitSearch, aslant.search.Learner, aslant.prune.Pruner}
    return [one for one in found if one not in bases]


every_class = pytest.mark.parametrize("cls", public_classes(), ids=lambda cls: cls.__name__)
every_estimator = pytest.mark.parametrize("cls", ESTIMATORS, ids=lambda cls: cls.__name__)
every_classifier = pytest.mark.parametrize("cls", CLASSIFIERS, ids=lambda cls: cls.__name__)


def parsed(cls: type) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # numpydoc warns of what it does not understand
        return NumpyDocString(inspect.cleandoc(cls.__doc__ or ""))


@every_class
def test_every_parameter_is_documented(cls: type) -> None:
    entries = parsed(cls)["Parameters"]
    assert [entry.name for entry in entries] == list(inspect.signature(cls).parameters)
    for entry in entries:
        assert entry.type, entry.name
        assert "".join(entry.desc).strip().endswith((".", "`")), entry.name


@every_class
def test_documented_defaults_are_true(cls: type) -> None:
    names = {name: getattr(aslant.prune, name) for name in aslant.prune.__all__}
    for entry in parsed(cls)["Parameters"]:
        default = inspect.signature(cls).parameters[entry.name].default
        said = re.search(r", default=(.*)$", entry.type)
        if default is inspect.Parameter.empty:
            assert said is None, entry.name
        else:
            assert said is not None, entry.name
            assert repr(eval(said[1], dict(names))) == repr(default), entry.name


@every_estimator
def test_the_methods_own_parameters_come_first(cls: type) -> None:
    own = [name for name in inspect.get_annotations(cls) if name.strip("_") == name]
    bases = (BaseForest, BaseBoosting, AutoTree, ClassifierParameters, TreeRegressor)
    (base,) = (one for one in bases if issubclass(cls, one))
    names = list(inspect.signature(cls).parameters)
    if base is BaseForest:
        assert names.pop(0) == "n_estimators"  # as in scikit-learn
    shared = {*inspect.signature(base).parameters, "class_weight", "calibrate"} - set(own)
    first = next((k for k, name in enumerate(names) if name in shared), len(names))
    assert [name for name in names[:first] if name in own] == own
    assert set(names[first:]) <= shared


@every_estimator
def test_attributes_are_those_that_fitting_sets(cls: type) -> None:
    X, y = load_iris(return_X_y=True, as_frame=True)
    settings = {"max_depth": 2} if "max_depth" in inspect.signature(cls).parameters else {}
    if "combine" in inspect.signature(cls).parameters:
        settings |= {"n_estimators": 2, "combine": "average"}
    fitted = cls(**settings).fit(X, y)
    documented = {entry.name for entry in parsed(cls)["Attributes"]}
    if issubclass(cls, TreeEnsemble):  # made when they are asked for, or only when asked for
        made = {name for name in documented if isinstance(getattr(cls, name, None), property)}
        documented -= made | {"oob_score_", "oob_decision_function_", "oob_prediction_"}
    assert documented == {name for name in vars(fitted) if name.endswith("_")}
    assert all("".join(entry.desc).strip() for entry in parsed(cls)["Attributes"])


@every_estimator
def test_there_is_an_example(cls: type) -> None:
    example = "\n".join(parsed(cls)["Examples"])
    assert f">>> from aslant import {cls.__name__}" in example


@pytest.mark.parametrize("name", [name for name in aslant.__all__ if name.islower()])
def test_every_argument_of_a_function_is_documented(name: str) -> None:
    function = getattr(aslant, name)
    entries = parsed(function)["Parameters"]
    names = [one.strip() for entry in entries for one in entry.name.split(",")]
    assert names == list(inspect.signature(function).parameters)
    assert all(entry.type and "".join(entry.desc).strip() for entry in entries)


# ------------------------------------------------------------------ defaults of the systems

# Parameters of the same name that mean another thing, or have another default on purpose.
OTHERWISE = {("MMLTreeClassifier", "features_tried")}


@every_classifier
def test_defaults_of_a_system_are_those_of_its_search(cls: type) -> None:
    for search in cls._documented_in:  # type: ignore[attr-defined]
        if search not in SEARCHES.values():
            continue
        of_search = inspect.signature(search).parameters
        of_system = inspect.signature(cls).parameters
        missing = [name for name in of_search if name not in of_system]
        if "search" not in of_system:  # which has the options that are no parameters
            assert missing == [name for one, name in OTHERWISE if one == cls.__name__]
        for name in set(of_search) - set(missing):
            assert of_system[name].default == of_search[name].default, name
        if "criterion" in of_system:
            assert of_system["criterion"].default == search.default_criterion


every_pruned = pytest.mark.parametrize(
    "cls", [cls for cls in CLASSIFIERS if not issubclass(cls, BaseForest)], ids=lambda c: c.__name__
)


@every_pruned
def test_every_object_has_a_pruner_of_its_own(cls: type) -> None:
    one, other = cls(), cls()
    if getattr(one, "pruning", None) is not None:  # type: ignore[attr-defined]
        assert one.pruning is not other.pruning  # type: ignore[attr-defined]
        assert repr(one.pruning) in repr(one).replace("\n", "").replace(" " * 14, " ")  # type: ignore[attr-defined]
        assert isinstance(one.pruning, aslant.prune.Pruner)  # type: ignore[attr-defined]


@every_pruned
@pytest.mark.parametrize("name", sorted(aslant.prune.registry.PRUNERS))
def test_a_name_means_the_same_pruner_everywhere(cls: type, name: str) -> None:
    if "pruning" not in inspect.signature(cls).parameters:
        pytest.skip("it is not for the caller to say how trees are pruned")
    made = cls(pruning=name)._make_pruner()
    assert repr(made) == repr(aslant.prune.registry.PRUNERS[name]())


def test_single_trees_and_ensembles_have_different_bases() -> None:
    several = {cls for cls in CLASSIFIERS if not issubclass(cls, SingleTreeClassifier)}
    forests = {aslant.ObliqueRandomForestClassifier, aslant.ObliqueExtraTreesClassifier}
    assert several == {aslant.KDTClassifier, aslant.ObliqueGradientBoostingClassifier, *forests}
