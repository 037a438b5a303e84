"""The same folds for all, a budget that is kept, and nothing dropped without a word."""

from itertools import pairwise

import numpy as np
import pytest

import aslant
from aslant.comparison.contender import make_contenders
from aslant.comparison.contest import Allowance, Contest
from aslant.comparison.problem import make_problem
from aslant.comparison.table import make_table

from .conftest import CLOCK, SEEN, Broken, Interrupted, Quick, Recorded, Slow


def contest(X, y, *, budget=np.inf, repeats=1, report=None):
    problem = make_problem(X, y, None, None)
    effort = Allowance(budget, repeats, 1, 0)
    return Contest(problem, make_contenders(None), effort, report, CLOCK)


def table_of(run):
    run.run()
    return make_table(run.problem, run.contenders, interrupted=False)


def test_all_methods_see_the_same_rows(field, slanted):
    class Other(Recorded):
        pass

    field(other=Other)
    table = aslant.compare(*slanted, repeats=3, budget=None)
    assert SEEN["Quick"][1:] == SEEN["Other"]  # CART also made the start
    pilots, fits = SEEN["Other"][:1], SEEN["Other"][1:]
    assert [len(rows) for rows in pilots] == [150]
    assert [len(rows) for rows in fits] == [240] * 5 + [150] * 10 + [240] * 10
    assert len({tuple(rows) for rows in fits}) == 25
    cart, other = (row.figures["accuracy"] for row in table.rows)
    assert cart == other


def test_the_same_seed_the_same_table(slanted):
    first, again, other = (
        aslant.compare(*slanted, methods=["cart", "oc1"], repeats=1, random_state=seed).to_dict()
        for seed in (0, 0, 1)
    )
    for table in (first, again, other):
        for record in table["methods"]:
            del record["fit_time"], record["fit_time_sd"]
    assert first == again
    assert first != other


def test_processes_change_nothing(slanted):
    one, two = (aslant.compare(*slanted, methods=["fisher"], repeats=1, n_jobs=n) for n in (1, 2))
    assert one.test == two.test
    assert [row.figures["accuracy"] for row in one.rows] == [
        row.figures["accuracy"] for row in two.rows
    ]


def test_a_method_that_is_too_slow_is_not_begun_and_told_so(field, slanted):
    field(slow=Slow)
    table = table_of(contest(*slanted, budget=2000.0))
    cart, slow = table.rows
    assert cart.figures and not slow.figures
    assert slow.reason.startswith(
        "too slow for the budget: cross-validation and F test on 300 rows"
    )
    assert len(SEEN["Slow"]) == 1  # on a few rows
    assert f"slow: {slow.reason}" in str(table)
    assert CLOCK.now < 2000.0


def test_a_method_that_overruns_is_stopped(field, slanted):
    class Treacherous(Recorded):
        """Quick on a few rows only."""

        def fit(self, X, y, sample_weight=None, prune_rows=None):
            self.seconds_a_row = 0.001 if len(y) <= 150 else 10.0
            return super().fit(X, y, sample_weight, prune_rows)

    field(treacherous=Treacherous)
    table = table_of(contest(*slanted, budget=100.0))
    (reason,) = [row.reason for row in table.rows if not row.figures]
    assert reason.startswith("too slow for the budget: stopped after ")
    assert table.rows[0].method == "cart"
    assert CLOCK.now < 100.0 + 240.0  # it looks at the clock ten times a fit of 2400 s


def test_large_data_are_sampled_and_it_is_said(field):
    field(slow=Slow)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30_000, 2))
    y = np.where(rng.random(30_000) < 0.02, "rare", np.where(X[:, 0] > 0, "a", "b"))
    run = contest(X, y, budget=200_000.0)
    table = table_of(run)
    assert "a random sample of 5000 of the 30000 rows, to stay within the budget" in table.remarks
    assert len(run.problem) == 5000
    assert np.bincount(run.problem.y)[2] == pytest.approx(100, abs=15)  # classes keep their shares
    assert [row.reason for row in table.rows] == ["", ""]


def test_small_data_are_not_sampled(field, slanted):
    field(other=Quick)
    assert not any("sample" in remark for remark in table_of(contest(*slanted)).remarks)


def test_repetitions_stop_when_there_is_no_time_for_a_whole_one(field, slanted):
    field(other=Quick)
    run = contest(*slanted, budget=20.0, repeats=10)
    table_of(run)
    folds = [len(contender.folds) for contender in run.contenders]
    assert folds[0] == folds[1]
    assert 5 < folds[0] < 50
    assert CLOCK.now <= 20.0


def test_the_smallest_budget_still_gives_the_reference(field, slanted):
    field(other=Slow)
    cart, other = table_of(contest(*slanted, budget=0.0)).rows
    assert cart.figures and cart.method == "cart"
    assert "too slow for the budget" in other.reason


def test_a_method_that_fails_is_told_so(field, slanted):
    field(broken=Broken)
    table = aslant.compare(*slanted, repeats=1)
    assert [(row.method, row.reason) for row in table.rows] == [
        ("cart", ""),
        ("broken", "failed: this method is broken"),
    ]
    assert table.test is None
    assert "too few single trees were finished to compare kinds" in table.advice


def test_control_c_returns_what_is_finished(field, slanted):
    field(late=Interrupted)
    table = aslant.compare(*slanted, repeats=1)
    assert table.interrupted
    assert table.rows[0].figures and not table.rows[1].figures
    assert table.rows[1].reason == "not finished when the work was stopped"
    assert "interrupted: this is what was finished until then" in str(table)


def test_control_c_before_anything_is_finished(field, slanted):
    field()
    from aslant.estimators.methods import METHODS, Method

    METHODS["cart"] = Method(Interrupted, "", "")
    with pytest.raises(KeyboardInterrupt):
        aslant.compare(*slanted, repeats=1)


def test_progress_is_shown(field, slanted, capsys):
    field()
    aslant.compare(*slanted, repeats=1, verbose=True)
    assert "Comparing: cart, halves: 17 of 17 fits\n" in capsys.readouterr().err


def test_progress_is_told(field, slanted):
    field(slow=Slow)
    reports = []
    contest(*slanted, budget=2000.0, report=lambda *report: reports.append(report)).run()
    assert {doing for _, _, doing in reports} >= {"cart, folds", "cart, halves"}
    done, planned, _ = reports[-1]
    assert done == planned
    assert all(earlier[0] <= later[0] for earlier, later in pairwise(reports))
