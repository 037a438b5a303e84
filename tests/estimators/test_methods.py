"""The registry of methods: what holds for every line in it."""

import inspect

import numpy as np
import pytest

import aslant
from aslant.estimators.methods import METHODS, find_method

X = np.random.default_rng(0).normal(size=(40, 2))
y = np.where(X.sum(axis=1) > 0, "above", "below")


def test_the_papers_of_the_first_release_are_there():
    papers = {"cart", "c45", "oc1", "cart_lc", "sadt", "kdt", "lmdt", "ltu", "fisher", "quest"}
    assert papers | {"hhcart", "pole_pair", "mml"} <= set(METHODS)


@pytest.mark.parametrize("name", METHODS)
def test_estimator_is_public(name):
    estimator = METHODS[name].estimator
    assert getattr(aslant, estimator.__name__) is estimator


@pytest.mark.parametrize("name", METHODS)
def test_texts_are_single_lines(name):
    for text in (METHODS[name].description, METHODS[name].paper):
        assert text == text.strip() != ""
        assert "\n" not in text


def test_no_two_methods_are_the_same():
    assert len({method.estimator for method in METHODS.values()}) == len(METHODS)
    assert len({method.description for method in METHODS.values()}) == len(METHODS)


@pytest.mark.parametrize("name", METHODS)
def test_parameters_are_those_of_the_constructor(name):
    method = METHODS[name]
    signature = inspect.signature(method.estimator).parameters
    own = {key: value for key, value in method.parameters().items() if "__" not in key}
    assert own == {key: value.default for key, value in signature.items()}


def test_parameters_of_the_pruner_can_be_set():
    model = METHODS["oc1"].make({"pruning__cv": 5, "restarts": 3})
    assert (model.pruning.cv, model.restarts) == (5, 3)
    assert METHODS["oc1"].make({}).pruning.cv is None


@pytest.mark.parametrize("name", METHODS)
def test_made_estimator_learns(name):
    clf = METHODS[name].make({"random_state": 0, "max_leaf_nodes": 8})
    assert clf.get_params()["max_leaf_nodes"] == 8
    assert clf.fit(X, y).score(X, y) >= 0.8


@pytest.mark.parametrize("spelling", ["cart_lc", "CART-LC", " cart lc "])
def test_spellings_of_a_name(spelling):
    assert find_method(spelling) is METHODS["cart_lc"]


def test_unknown_method_names_the_nearest():
    with pytest.raises(ValueError, match=r"got 'oc2'\. Did you mean 'oc1'\?"):
        find_method("oc2")


def test_unknown_parameter_names_the_nearest():
    with pytest.raises(ValueError, match=r"no parameter 'restart'\. Did you mean 'restarts'\?"):
        METHODS["oc1"].make({"restart": 3})


def test_unknown_parameter_without_a_near_one():
    with pytest.raises(ValueError, match=r"CARTClassifier has no parameter 'qqqq'\.$"):
        METHODS["cart"].make({"qqqq": 3})
