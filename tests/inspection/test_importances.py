"""The path of a row and importances as pictures."""

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pytest
from codegen.problems import problem
from sklearn.inspection import permutation_importance

from aslant import KDTClassifier, explain, plot_importances, plot_path


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


@pytest.mark.parametrize("kind", ["axis-parallel", "oblique", "categories", "linear machines"])
def test_every_test_of_the_path_ends_at_its_margin(kind):
    made = problem(kind)
    row = made.rows[:1]
    steps = explain(made.model, row).steps[0]
    figure = plot_path(made.model, row, max_terms=3)
    assert len(figure.axes) == len(steps)
    for ax, step in zip(figure.axes, steps, strict=True):
        ends = [bar.get_x() + bar.get_width() for bar in ax.patches]
        assert ends[-1] == pytest.approx(step.margin, abs=1e-9)
        assert len(ends) == 1 + min(len(step.parts), 4)
        title = ax.get_title(loc="left").replace("\n", " ")
        assert title == f"{step.question}: {step.answer}"
    figure.canvas.draw()


def test_one_row_in_every_form():
    made = problem("categories")
    figure = plot_path(made.model, made.rows.iloc[3])
    assert len(figure.axes) == len(explain(made.model, made.rows.iloc[[3]]).steps[0])
    plain = problem("one leaf")
    plot_path(plain.model, plain.rows[0]).canvas.draw()
    with pytest.raises(ValueError, match="plot_path needs one row, got 2"):
        plot_path(plain.model, plain.rows[:2])
    with pytest.raises(TypeError, match="plot_path shows one tree"):
        plot_path(KDTClassifier(n_estimators=2).fit([[0.0], [1.0]], [0, 1]), [0.0])


def test_importances_of_both_kinds():
    made = problem("oblique")
    ax = plot_importances(made.model, max_features=4)
    sizes = [bar.get_width() for bar in ax.patches]
    assert sizes[:4] == sorted(made.model.feature_importances_, reverse=True)[:4]
    assert sum(sizes) == pytest.approx(1.0)
    assert ax.get_yticklabels()[-1].get_text() == "2 others together"
    X = made.rows[:300]
    y = made.model.predict(X)
    ax = plot_importances(made.model, X, y, kind="permutation", n_repeats=2)
    expected = permutation_importance(made.model, X, y, n_repeats=2, random_state=0)
    sizes = [bar.get_width() for bar in ax.patches]
    np.testing.assert_array_equal(sizes, np.sort(expected.importances_mean)[::-1])


def test_errors():
    model = problem("oblique").model
    with pytest.raises(ValueError, match="needs X and y for kind='permutation'"):
        plot_importances(model, kind="permutation")
    with pytest.raises(ValueError, match="kind must be one of 'impurity', 'permutation'"):
        plot_importances(model, kind="gain")
