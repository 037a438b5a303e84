"""What rows lose by predictions: error and log-loss, each in its standard deviation."""

from __future__ import annotations

import numpy as np
import pytest

from aslant.estimators.auto.evaluation import (
    class_evaluations,
    log_loss_of,
    regression_evaluations,
    sharpened,
)

Y = np.array([0, 0, 1, 1, 1], dtype=np.int32)
WEIGHT = np.array([1.0, 2.0, 1.0, 1.0, 3.0])
GOOD = np.array([[0.8, 0.2], [0.4, 0.6], [0.1, 0.9], [0.3, 0.7], [0.2, 0.8]])
VAGUE = np.tile([0.51, 0.49], (5, 1))


def test_classes_lose_error_and_log_loss_in_their_deviations() -> None:
    found = class_evaluations({"good": (GOOD, False), "vague": (VAGUE, False)}, Y, WEIGHT)
    losses = {}
    for name, p in (("good", GOOD), ("vague", VAGUE)):
        wrong = (p.argmax(axis=1) != Y).astype(float)
        losses[name] = wrong, -np.log(p[np.arange(5), Y])
        assert found[name].error == pytest.approx(np.average(wrong, weights=WEIGHT))
        assert found[name].log_loss == pytest.approx(np.average(losses[name][1], weights=WEIGHT))
        assert log_loss_of(found[name]) == found[name].log_loss
        assert found[name].exponent == 1.0
    # "good" has the fewest errors and the lowest log-loss.
    deviations = [
        np.sqrt(np.average((one - np.average(one, weights=WEIGHT)) ** 2, weights=WEIGHT))
        for one in losses["good"]
    ]
    for name, (wrong, loss) in losses.items():
        expected = wrong / deviations[0] + loss / deviations[1]
        assert found[name].loss == pytest.approx(expected)


def test_the_exponent_is_chosen_only_where_it_may_be() -> None:
    timid = sharpened(GOOD, 0.3)
    found = class_evaluations({1: (timid, True), 2: (timid, False)}, Y, WEIGHT)
    assert found[1].exponent > 1.5
    assert found[1].log_loss < found[2].log_loss
    assert found[1].error == found[2].error


def test_certain_and_wrong_costs_much_but_not_everything() -> None:
    certain = np.eye(2)[1 - Y]
    found = class_evaluations({1: (certain, False), 2: (GOOD, False)}, Y, WEIGHT)
    assert np.isfinite(found[1].loss).all()
    assert found[1].log_loss == pytest.approx(-np.log(1e-15))


def test_regression_loses_squares() -> None:
    y = np.array([[1.0, 2.0], [3.0, 5.0]])
    weight = np.array([1.0, 3.0])
    predicted = np.array([[1.5, 2.0], [3.0, 3.0]])
    found = regression_evaluations({"one": (predicted, False)}, y, weight)["one"]
    assert found.loss == pytest.approx([0.25, 4.0])
    assert found.error == pytest.approx((0.25 + 12.0) / 4.0) == pytest.approx(log_loss_of(found))
