"""Gradient boosting as an estimator: rounds, early stopping, constraints, inputs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn.metrics import log_loss
from sklearn.model_selection import GridSearchCV

from aslant import ObliqueGradientBoostingClassifier, ObliqueGradientBoostingRegressor

RNG = np.random.default_rng(0)
X = RNG.normal(size=(600, 5))
NOISY = X[:, 0] + X[:, 1] - X[:, 2] * X[:, 3] + RNG.normal(size=600)
TWO = (NOISY > 0).astype(int)
THREE = np.array(["a", "b", "c"])[np.digitize(NOISY, [-1.0, 1.0])]
FEW: dict[str, Any] = {"max_iter": 12, "random_state": 0}


# ---------------------------------------------------------------------- rounds


@pytest.mark.parametrize("y", [TWO, THREE], ids=["two", "three"])
def test_stages_end_at_the_predictions(y: np.ndarray) -> None:
    model = ObliqueGradientBoostingClassifier(**FEW).fit(X, y)
    stages = list(model.staged_predict_proba(X))
    assert len(stages) == model.n_iter_ == 12
    np.testing.assert_allclose(stages[-1], model.predict_proba(X))
    losses = [log_loss(y, proba) for proba in stages]
    assert (np.diff(losses) < 0).all()
    assert np.array_equal(list(model.staged_predict(X))[-1], model.predict(X))
    scores = list(model.staged_decision_function(X))[-1]
    np.testing.assert_allclose(scores, model.decision_function(X))
    assert scores.shape == ((600,) if len(np.unique(y)) == 2 else (600, 3))


def test_stages_of_regression() -> None:
    model = ObliqueGradientBoostingRegressor(**FEW).fit(X, NOISY)
    stages = list(model.staged_predict(X))
    errors = [np.mean((NOISY - stage) ** 2) for stage in stages]
    assert (np.diff(errors) < 0).all()
    np.testing.assert_allclose(stages[-1], model.predict(X))


def test_predictions_are_the_sums_of_the_trees() -> None:
    model = ObliqueGradientBoostingClassifier(**FEW).fit(X, THREE)
    raw = np.repeat(model.baseline_[None], len(X), axis=0)
    for i, member in enumerate(model.estimators_):
        raw[:, i % 3] += member.predict(X)
    np.testing.assert_allclose(model.decision_function(X), raw)
    assert model.apply(X).shape == (600, 36)


def test_warm_start_continues() -> None:
    for kind, y in (
        (ObliqueGradientBoostingClassifier, THREE),
        (ObliqueGradientBoostingRegressor, NOISY * 2.0**80),
    ):
        whole = kind(**FEW).fit(X, y)
        grown = kind(warm_start=True, **{**FEW, "max_iter": 5}).fit(X, y)
        kept = grown.trees_[0]
        grown.set_params(max_iter=12).fit(X, y)
        assert grown.trees_[0] is kept
        assert grown.n_iter_ == 12
        answer = "predict_proba" if y is THREE else "predict"
        np.testing.assert_allclose(getattr(grown, answer)(X), getattr(whole, answer)(X))
        with pytest.raises(ValueError, match=r"max_iter=3 must be larger .* n_iter_=12"):
            grown.set_params(max_iter=3).fit(X, y)


def test_a_warm_start_with_target_encoding_is_refused() -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"level": [f"v{i}" for i in rng.integers(0, 120, 600)], "x": rng.random(600)})
    y = X["x"].to_numpy() + rng.random(600)
    model = ObliqueGradientBoostingRegressor(max_iter=2, warm_start=True).fit(X, y)
    assert model.encoder_.target_encoded
    with pytest.raises(ValueError, match="warm_start must be False with categories encoded by"):
        model.set_params(max_iter=3).fit(X, y)


def test_a_warm_start_goes_on_with_the_scores() -> None:
    given = {"early_stopping": True, "n_iter_no_change": 50, "random_state": 0}
    whole = ObliqueGradientBoostingClassifier(max_iter=9, **given).fit(X, TWO)
    grown = ObliqueGradientBoostingClassifier(max_iter=4, warm_start=True, **given).fit(X, TWO)
    grown.set_params(max_iter=9).fit(X, TWO)
    np.testing.assert_allclose(grown.validation_score_, whole.validation_score_)
    np.testing.assert_allclose(grown.train_score_, whole.train_score_)


def test_gains_are_the_importances() -> None:
    model = ObliqueGradientBoostingClassifier(max_iter=30, random_state=0)
    noise = np.column_stack([X[:, :2], RNG.normal(size=(600, 2))])
    model.fit(noise, X[:, 0] + X[:, 1] > 0)
    found = model.feature_importances_
    assert found.sum() == pytest.approx(1.0)
    assert found[:2].min() > 3 * found[2:].max()


# ---------------------------------------------------------------------- early stopping


@pytest.mark.parametrize("scoring", ["loss", "accuracy", None])
def test_early_stopping_goes_back_to_the_best_round(scoring: Any) -> None:
    model = ObliqueGradientBoostingClassifier(
        max_iter=200, early_stopping=True, scoring=scoring, n_iter_no_change=5, random_state=0
    ).fit(X, TWO)
    scores = model.validation_score_
    assert len(scores) < 201
    assert len(scores) == len(model.train_score_) >= model.n_iter_ + 1
    assert model.n_iter_ == max(1, scores.argmax())
    assert len(model.trees_) == model.n_iter_


def test_the_scores_are_those_of_the_given_rows() -> None:
    model = ObliqueGradientBoostingClassifier(max_iter=5, random_state=0)
    model.fit(X[:400], THREE[:400], X_val=X[400:], y_val=THREE[400:])
    assert not model.do_early_stopping_  # "auto" needs more rows
    model.set_params(early_stopping=True)
    model.fit(X[:400], THREE[:400], X_val=X[400:], y_val=THREE[400:])
    expected = [log_loss(THREE[400:], p) for p in model.staged_predict_proba(X[400:])]
    np.testing.assert_allclose(-model.validation_score_[1 : 1 + len(expected)], expected)
    expected = [log_loss(THREE[:400], p) for p in model.staged_predict_proba(X[:400])]
    np.testing.assert_allclose(-model.train_score_[1 : 1 + len(expected)], expected)


def test_losses_are_in_the_units_of_the_target() -> None:
    large = NOISY * 2.0**100
    model = ObliqueGradientBoostingRegressor(max_iter=4, early_stopping=True, random_state=0)
    model.fit(X[:400], large[:400], X_val=X[400:], y_val=large[400:])
    errors = [0.5 * np.mean((large[400:] - p) ** 2) for p in model.staged_predict(X[400:])]
    np.testing.assert_allclose(-model.validation_score_[1 : 1 + len(errors)], errors)


def test_scorers_may_be_functions_and_see_weights() -> None:
    seen = []

    def scorer(model: Any, table: Any, y: Any, sample_weight: Any = None) -> float:
        seen.append(None if sample_weight is None else len(sample_weight))
        return float(model.score(table, y, sample_weight))

    model = ObliqueGradientBoostingClassifier(
        max_iter=3, early_stopping=True, scoring=scorer, validation_fraction=100
    )
    model.fit(X, THREE, np.arange(600) % 3 + 1.0)
    assert set(seen) == {500, 100}
    model.fit(X, THREE)
    assert seen[-1] is None


def test_without_validation_rows_the_training_score_decides() -> None:
    model = ObliqueGradientBoostingRegressor(
        max_iter=300, early_stopping=True, validation_fraction=None, tol=0.01, n_iter_no_change=3
    ).fit(X, NOISY)
    assert model.n_iter_ < 300
    assert len(model.train_score_) == model.n_iter_ + 1
    assert len(model.validation_score_) == 0


def test_validation_rows_are_checked() -> None:
    model = ObliqueGradientBoostingClassifier(early_stopping=True)
    with pytest.raises(ValueError, match="X_val is provided, but y_val was not"):
        model.fit(X, TWO, X_val=X)
    with pytest.raises(ValueError, match="y_val must hold classes that y holds"):
        model.fit(X, TWO, X_val=X, y_val=TWO + 1)
    with pytest.raises(ValueError, match="early_stopping is False"):
        model.set_params(early_stopping=False).fit(X, TWO, X_val=X, y_val=TWO)
    with pytest.raises(ValueError, match="sample_weight_val must not be zero"):
        model.set_params(early_stopping=True).fit(
            X, TWO, X_val=X, y_val=TWO, sample_weight_val=np.zeros(600)
        )


# ---------------------------------------------------------------------- constraints


@pytest.mark.parametrize("sign", [1, -1])
def test_monotonic_constraints(sign: int) -> None:
    y = NOISY + 2.0 * np.sin(3.0 * X[:, 4])
    model = ObliqueGradientBoostingRegressor(
        monotonic_cst=[0, 0, 0, 0, sign], min_samples_leaf=3, **FEW
    ).fit(X, y)
    grid = np.linspace(-3, 3, 41)
    for row in X[:20]:
        rows = np.repeat(row[None], len(grid), axis=0)
        rows[:, 4] = grid
        assert (sign * np.diff(model.predict(rows)) >= 0).all()
    several = [tree.features_in_test > 1 for tree in model.trees_]
    assert any(found.any() for found in several)  # other features are still combined
    for tree in model.trees_:
        for node in np.flatnonzero(tree.features_in_test > 1):
            assert tree.split(node).coef[4] == 0.0


def test_monotonic_constraints_by_name_and_their_refusals() -> None:
    frame = pd.DataFrame(X, columns=list("abcde")).assign(f=np.where(X[:, 0] > 0, "u", "v"))
    by_name = ObliqueGradientBoostingClassifier(monotonic_cst={"b": 1}, **FEW).fit(frame, TWO)
    by_place = ObliqueGradientBoostingClassifier(monotonic_cst=[0, 1, 0, 0, 0, 0], **FEW)
    assert np.array_equal(
        by_name.predict_proba(frame), by_place.fit(frame, TWO).predict_proba(frame)
    )
    with pytest.raises(ValueError, match="names 'z', which is not a column"):
        by_name.set_params(monotonic_cst={"z": 1}).fit(frame, TWO)
    with pytest.raises(ValueError, match="Categorical features cannot have monotonic"):
        by_name.set_params(monotonic_cst={"f": 1}).fit(frame, TWO)
    with pytest.raises(ValueError, match="not supported for multiclass"):
        by_name.set_params(monotonic_cst={"b": 1}).fit(frame, THREE)


@pytest.mark.parametrize("groups", [[{0, 1}, {2, 3, 4}], "pairwise", "no_interactions", [{0, 1}]])
def test_interaction_constraints(groups: Any) -> None:
    model = ObliqueGradientBoostingRegressor(interaction_cst=groups, **FEW).fit(X, NOISY)
    allowed = {
        "pairwise": [{i, j} for i in range(5) for j in range(i)],
        "no_interactions": [{i} for i in range(5)],
    }.get(groups if isinstance(groups, str) else "", [{0, 1}, {2, 3, 4}])
    several = 0
    for tree in model.trees_:
        used: dict[int, set[int]] = {0: set()}
        for node in range(tree.n_nodes):
            if not tree.is_leaf[node]:
                tested = set(np.flatnonzero(tree.split(node).coef))
                several += len(tested) > 1
                for child in tree.children[node]:
                    used[int(child)] = used[node] | tested
            assert any(used[node] <= group for group in allowed)
    assert (several > 0) == (groups != "no_interactions")


# ---------------------------------------------------------------------- inputs


def test_sparse_rows_are_the_same_as_dense_ones() -> None:
    table = np.where(np.abs(X) < 0.7, 0.0, X)
    dense = ObliqueGradientBoostingClassifier(**FEW).fit(table, THREE)
    sparse = ObliqueGradientBoostingClassifier(**FEW).fit(csr_array(table), THREE)
    assert np.array_equal(dense.predict_proba(table), sparse.predict_proba(table))
    assert np.array_equal(dense.predict_proba(table), dense.predict_proba(csr_array(table)))


def test_whole_weights_are_copies_where_leaves_are_large() -> None:
    weight = np.random.default_rng(0).integers(0, 4, len(X))
    given = {"oblique": False, "min_samples_leaf": 1, "max_bins": 15, "max_leaf_nodes": 4, **FEW}
    weighted = ObliqueGradientBoostingRegressor(**given).fit(X, NOISY, weight)
    copied = ObliqueGradientBoostingRegressor(**given)
    copied.fit(np.repeat(X, weight, axis=0), np.repeat(NOISY, weight))
    np.testing.assert_allclose(weighted.predict(X), copied.predict(X), rtol=1e-5)


def test_class_weights_move_the_probabilities() -> None:
    plain = ObliqueGradientBoostingClassifier(**FEW).fit(X, TWO).predict_proba(X)[:, 1]
    heavy = ObliqueGradientBoostingClassifier(class_weight={0: 1, 1: 5}, **FEW).fit(X, TWO)
    assert heavy.predict_proba(X)[:, 1].mean() > plain.mean() + 0.1


def test_categories_with_missing_and_unknown_levels() -> None:
    level = np.array(["p", "q", "r", "s"], dtype=object)[RNG.integers(0, 4, 600)]
    y = NOISY + 3.0 * np.isin(level, ["p", "s"])
    level[::9] = None
    frame = pd.DataFrame({"level": level, "a": X[:, 0], "b": X[:, 1]})
    model = ObliqueGradientBoostingRegressor(**FEW).fit(frame, y)
    assert np.array_equal(model.is_categorical_, [True, False, False])
    assert model.feature_importances_[0] > 0.3
    other = frame.head(3).assign(level=["never seen", None, "p"])
    found = model.predict(other)
    missing = model.predict(other.assign(level=None))
    assert found[0] == missing[0]
    assert found[1] == missing[1]
    assert found[2] != missing[2]


def test_extreme_targets_and_features() -> None:
    given = {"max_iter": 3, "min_samples_leaf": 5, "random_state": 0}
    plain = ObliqueGradientBoostingRegressor(**given).fit(X, NOISY).predict(X)
    for exponent in (900, -900):
        scaled = ObliqueGradientBoostingRegressor(**given).fit(X, np.ldexp(NOISY, exponent))
        np.testing.assert_allclose(np.ldexp(scaled.predict(X), -exponent), plain, rtol=1e-6)
    for loss in ("poisson", "gamma"):
        y = np.ldexp(np.abs(NOISY) + 0.1, 200)
        found = ObliqueGradientBoostingRegressor(loss=loss, **given).fit(X, y).predict(X)
        assert 0.5 < found.mean() / y.mean() < 2.0
    huge = ObliqueGradientBoostingRegressor(**given).fit(X * 1e300, NOISY)
    assert huge.score(X * 1e300, NOISY) > 0.1
    missing = np.where(np.abs(X) > 1.0, np.nan, X) * 1e300
    with_missing = ObliqueGradientBoostingRegressor(**given).fit(missing, NOISY)
    assert np.isfinite(with_missing.predict(X)).all()


def test_targets_that_do_not_suit_a_loss_are_refused() -> None:
    for loss, word in (("gamma", "above zero"), ("poisson", "not negative")):
        with pytest.raises(ValueError, match=f"loss='{loss}' needs y .*{word}"):
            ObliqueGradientBoostingRegressor(loss=loss).fit(X, NOISY)
    with pytest.raises(ValueError, match="needs a quantile"):
        ObliqueGradientBoostingRegressor(loss="quantile").fit(X, NOISY)
    with pytest.raises(ValueError, match="quantile has no effect"):
        ObliqueGradientBoostingRegressor(quantile=0.5).fit(X, NOISY)
    with pytest.raises(ValueError, match="predicts one output, got y with 2"):
        ObliqueGradientBoostingRegressor().fit(X, np.column_stack([NOISY, NOISY]))


def test_quantiles_cover_their_fraction() -> None:
    for quantile in (0.1, 0.9):
        model = ObliqueGradientBoostingRegressor(loss="quantile", quantile=quantile, max_iter=60)
        covered = (model.fit(X, NOISY).predict(X) >= NOISY).mean()
        assert covered == pytest.approx(quantile, abs=0.05)


def test_grid_search() -> None:
    grid = GridSearchCV(
        ObliqueGradientBoostingClassifier(max_iter=5),
        {"oblique": [True, False], "max_leaf_nodes": [4, 8]},
        cv=2,
    ).fit(X, TWO)
    assert grid.best_score_ > 0.6


def test_progress_counts_rounds() -> None:
    seen: list[tuple[int, int]] = []
    ObliqueGradientBoostingRegressor(
        max_iter=3, verbose=lambda done, total: seen.append((done, total))
    ).fit(X, NOISY)
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_seeds_decide_the_draws() -> None:
    wide = np.random.default_rng(1).normal(size=(300, 30))
    y = wide.sum(axis=1)
    given: dict[str, Any] = {"max_iter": 3, "max_features": 0.4}

    def fitted(seed: int) -> np.ndarray:
        model = ObliqueGradientBoostingRegressor(random_state=seed, **given)
        return np.asarray(model.fit(wide, y).predict(wide))

    assert np.array_equal(fitted(0), fitted(0))
    assert not np.array_equal(fitted(0), fitted(1))


# ---------------------------------------------------------------------- one tree


def test_a_distilled_tree_predicts_what_the_model_predicts() -> None:
    clear = np.array(["a", "b", "c"])[np.digitize(X[:, 0] + X[:, 1], [-1.0, 1.0])]
    model = ObliqueGradientBoostingClassifier(**FEW).fit(X, clear)
    tree = model.distil(X, clear, sizes=(4, 16))
    assert tree.get_n_leaves() <= 16
    assert (tree.predict(X) == model.predict(X)).mean() > 0.9
    numbers = ObliqueGradientBoostingRegressor(loss="poisson", **FEW).fit(X, np.round(NOISY**2))
    tree = numbers.distil(X, np.round(NOISY**2), sizes=(8,), extra_rows=100)
    assert np.corrcoef(tree.predict(X), numbers.predict(X))[0, 1] > 0.7
