"""Trees at the end of pipelines, brought back to the units of the input."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import is_regressor
from sklearn.compose import make_column_transformer
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    MaxAbsScaler,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    RobustScaler,
    StandardScaler,
)

from aslant import (
    AutoTreeClassifier,
    CARTClassifier,
    KDTClassifier,
    LeastSquaresTreeRegressor,
    LMDTClassifier,
    ObliqueGradientBoostingClassifier,
    ObliqueRandomForestClassifier,
    OC1Classifier,
    explain,
    export_code,
    export_graphviz,
    export_text,
    load,
    save,
)
from aslant.inspection.resolve import resolve

IRIS = load_iris(as_frame=True)
X, Y = IRIS.data, IRIS.target_names[IRIS.target]
HOLES = X.mask(np.random.default_rng(0).random(X.shape) < 0.1)

SCALERS: dict[str, Any] = {
    "standard": StandardScaler(),
    "centred only": StandardScaler(with_std=False),
    "scaled only": StandardScaler(with_mean=False),
    "min-max": MinMaxScaler((-3.0, 5.0)),
    "max-abs": MaxAbsScaler(),
    "robust": RobustScaler(),
    "two after another": make_pipeline(MinMaxScaler(), StandardScaler()),
    "some columns": make_column_transformer(
        (StandardScaler(), ["petal width (cm)", "sepal length (cm)"]), (MinMaxScaler(), [1])
    ),
    "the rest passes": make_column_transformer((RobustScaler(), [3]), remainder="passthrough"),
    "a mask": make_column_transformer((RobustScaler(), [True, False, True, True])),
    "a slice": make_column_transformer((RobustScaler(), slice(1, 3))),
}
TREES: dict[str, Any] = {
    "planes": OC1Classifier(random_state=0, restarts=3),
    "machines": LMDTClassifier(random_state=0),
    "votes": KDTClassifier(search="oc1", n_estimators=2, random_state=0),
    "flags": CARTClassifier(missing="indicator"),
}


def made(scaler: Any, tree: Any) -> Any:
    steps = [step for _, step in scaler.steps] if hasattr(scaler, "steps") else [scaler]
    return make_pipeline(*steps, tree)


@pytest.mark.parametrize("tree", TREES.values(), ids=TREES.keys())
@pytest.mark.parametrize("scaler", SCALERS.values(), ids=SCALERS.keys())
def test_a_saved_pipeline_predicts_the_same(tmp_path: Any, scaler: Any, tree: Any) -> None:
    for rows in (X, HOLES):
        pipeline = made(scaler, tree).fit(rows, Y)
        save(pipeline, tmp_path / "m.aslant")
        alone = load(tmp_path / "m.aslant")
        np.testing.assert_allclose(alone.predict_proba(rows), pipeline.predict_proba(rows))
        assert alone.feature_names_in_.tolist() == list(X.columns)
        assert alone.feature_importances_.sum() == pytest.approx(
            pipeline[-1].feature_importances_.sum()
        )


def test_the_text_is_in_units_of_the_input() -> None:
    plain = export_text(CARTClassifier(max_depth=2).fit(X, Y))
    scaled = make_pipeline(StandardScaler(), CARTClassifier(max_depth=2)).fit(X, Y)
    assert export_text(scaled) == plain
    assert "petal length (cm) &lt;= 2.45" in export_graphviz(scaled) or (
        "petal length (cm) <= 2.45" in export_graphviz(scaled)
    )


def test_the_text_knows_rows_in_units_of_the_input() -> None:
    """As few digits as keep every row on its side, terms in the order of their deviations."""
    alone = OC1Classifier(random_state=0, restarts=2).fit(X, Y)
    plain = CARTClassifier(max_depth=2).fit(X, Y)
    scaled = make_pipeline(StandardScaler(), CARTClassifier(max_depth=2)).fit(X, Y)
    # The first threshold is 2.45, of which rounding makes 2.4 or 2.5: no row is between.
    texts = [export_text(tree, X=X).splitlines() for tree in (scaled, plain)]
    assert texts[0][1:] == texts[1][1:] and texts[0][0][:-1] == texts[1][0][:-1]
    shifted = make_pipeline(StandardScaler(with_mean=False, with_std=False), alone).fit(X, Y)
    assert export_text(shifted, X=X) == export_text(alone.fit(X, Y), X=X)
    assert "rows were held out for pruning" in export_text(shifted)


def test_a_soft_tree_is_soft_in_units_of_the_input() -> None:
    pipeline = make_pipeline(
        StandardScaler(), AutoTreeClassifier(random_state=0, effort="low", leaf="constant")
    )
    pipeline.fit(X, Y)
    alone = resolve(pipeline, "a test")
    np.testing.assert_allclose(alone.predict_proba(X), pipeline.predict_proba(X))
    assert "Probabilities are soft" in export_text(pipeline)


def test_categories_pass_beside_scaled_numbers() -> None:
    frame = X.assign(color=np.where(np.arange(150) % 2, "red", "blue"))
    y = np.where(frame["color"] == "red", Y, "none")
    scale = make_column_transformer((StandardScaler(), list(X.columns)), remainder="passthrough")
    pipeline = make_pipeline(scale, CARTClassifier()).fit(frame, y)
    text = export_text(pipeline)
    assert "color in {red}" in text
    assert "petal length (cm) <= 2.5" in text


def visits(n: int, seed: int, new: bool = False) -> tuple[pd.DataFrame, np.ndarray]:
    """Numbers with missing values and two categories; new rows have levels that are unknown."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "age": rng.normal(50.0, 10.0, n),
            "ward": rng.choice(["A", "B", "C", *(["D"] if new else [])], n),
            "bmi": rng.normal(25.0, 4.0, n),
            "stage": rng.choice([1, 2, 3], n),
        }
    )
    score = (frame["age"] - 50) / 10 + (frame["ward"] == "B") + (frame["stage"] == 3)
    y = (score + 0.3 * rng.normal(size=n)).to_numpy()
    frame.loc[rng.random(n) < 0.2, "bmi"] = np.nan
    return frame, y


def encoded(**options: Any) -> Any:
    """Steps as scikit-learn's users write them."""
    return make_column_transformer(
        (OneHotEncoder(sparse_output=False, **options), ["stage", "ward"]),
        (make_pipeline(SimpleImputer(strategy="median"), StandardScaler()), ["bmi", "age"]),
    )


ENCODED_TREES: dict[str, Any] = {
    **{name: tree for name, tree in TREES.items() if name != "flags"},
    "soft": AutoTreeClassifier(random_state=0, effort="low", leaf="constant"),
    "linear leaf": AutoTreeClassifier(random_state=0, effort="low", leaf="linear"),
    "forest": ObliqueRandomForestClassifier(4, random_state=0, max_depth=4),
    "boosting": ObliqueGradientBoostingClassifier(max_iter=3, random_state=0),
    "linear leaves": LeastSquaresTreeRegressor(max_depth=2, leaf="linear"),
}


@pytest.mark.parametrize("tree", ENCODED_TREES.values(), ids=ENCODED_TREES.keys())
@pytest.mark.parametrize("unknown", ["ignore", "error"])
def test_one_hot_columns_are_levels_and_imputed_values_are_fills(
    tmp_path: Any, tree: Any, unknown: str
) -> None:
    frame, y = visits(200, 0)
    drop = None if unknown == "ignore" else "first"
    target = y if is_regressor(tree) else np.digitize(y, [0.2, 1.2])
    pipeline = make_pipeline(encoded(handle_unknown=unknown, drop=drop), tree).fit(frame, target)
    rows = visits(100, 1, new=unknown == "ignore")[0]
    answer = "predict" if is_regressor(tree) else "predict_proba"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of unknown levels
        expected = getattr(pipeline, answer)(rows)
        save(pipeline, tmp_path / "m.aslant")
        alone = load(tmp_path / "m.aslant")
        np.testing.assert_allclose(getattr(alone, answer)(rows), expected)
    assert alone.encoder_.input_names == list(frame.columns)
    module: dict[str, Any] = {}
    exec(export_code(pipeline, "python"), module)
    plain = rows.astype(object).where(rows.notna(), None).to_numpy().tolist()
    np.testing.assert_allclose([module[answer](row) for row in plain], expected)


def test_the_text_of_an_encoded_category_names_its_levels() -> None:
    frame, y = visits(300, 0)
    pipeline = make_pipeline(encoded(), CARTClassifier(max_depth=3)).fit(frame, y > 1.0)
    assert "ward in {B}" in export_text(pipeline) or "ward not in {B}" in export_text(pipeline)
    assert set(explain(pipeline, frame[:5]).feature_names) == set(frame.columns)


def test_arrays_have_no_names() -> None:
    pipeline = make_pipeline(StandardScaler(), CARTClassifier(max_depth=1)).fit(X.to_numpy(), Y)
    assert export_text(pipeline).startswith("x2 <= 2.45")


@pytest.mark.parametrize(
    ("steps", "words"),
    [
        ((PCA(2), CARTClassifier()), "got PCA; pass the last step"),
        ((MinMaxScaler(clip=True), CARTClassifier()), "got MinMaxScaler"),
        (
            (StandardScaler(), LogisticRegression()),
            "got LogisticRegression at the end of a pipeline",
        ),
        (
            (make_column_transformer((OneHotEncoder(min_frequency=5), [0])), CARTClassifier()),
            "got OneHotEncoder",
        ),
        ((SimpleImputer(add_indicator=True), CARTClassifier()), "got SimpleImputer"),
        (
            (make_column_transformer((OrdinalEncoder(), [0])), CARTClassifier()),
            "got OrdinalEncoder",
        ),
        (
            (StandardScaler(), OneHotEncoder(sparse_output=False), CARTClassifier()),
            "if no step changes its columns before",
        ),
        (
            (
                make_column_transformer((StandardScaler(), [0]), (MinMaxScaler(), [0])),
                CARTClassifier(),
            ),
            "appears twice",
        ),
    ],
)
def test_other_steps_are_refused_by_name(tmp_path: Any, steps: Any, words: str) -> None:
    pipeline = make_pipeline(*steps).fit(X, Y)
    for call in (export_text, lambda p: save(p, tmp_path / "m.aslant")):
        with pytest.raises(TypeError) as refused:
            call(pipeline)
        assert words in str(refused.value)
    assert not (tmp_path / "m.aslant").exists()


def test_the_pipeline_itself_is_left_alone() -> None:
    pipeline = make_pipeline(StandardScaler(), OC1Classifier(random_state=0, restarts=2))
    before = pipeline.fit(X, Y).predict(X)
    names = pipeline[-1].encoder_.input_names
    export_text(pipeline)
    assert pipeline[-1].encoder_.input_names == names
    assert np.array_equal(pipeline.predict(X), before)
    assert isinstance(X, pd.DataFrame)
