"""The page of a model: what it holds, its size, and that nothing of the data becomes markup."""

import json
import re

import numpy as np
import pandas as pd
import pytest
from codegen.problems import mixed, numbers, problem, untidy
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.inspection import PartialDependenceDisplay
from sklearn.metrics import accuracy_score, confusion_matrix, r2_score, roc_auc_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import aslant
from aslant import CARTClassifier, LMDTClassifier, OC1Classifier
from aslant.cli.program import run
from aslant.estimators.access import node_probabilities_of

EVIL = '</script><script>alert("x")</script><!--data-->'


def data_of(page):
    """What the scripts of a page read."""
    (text,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page)
    return json.loads(text)


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    tree = OC1Classifier(random_state=0, restarts=2, pruning=None).fit(X[::2], y[::2])
    return tree, X[1::2], y[1::2]


def test_quality_is_that_of_the_given_rows(cancer):
    tree, X, y = cancer
    quality = data_of(aslant.report(tree, X, y))["quality"]
    measures = dict(quality["measures"])
    predicted = tree.predict(X)
    assert measures["accuracy"] == f"{100 * accuracy_score(y, predicted):.1f} %"
    assert measures["area under ROC"] == f"{roc_auc_score(y, tree.predict_proba(X)[:, 1]):.4f}"
    assert quality["confusion"] == confusion_matrix(y, predicted).tolist()
    wrong = {node: round(rows * share) for node, rows, share in quality["leaves"]}
    leaf = tree.apply(X)
    assert wrong == {n: int((predicted != y)[leaf == n].sum()) for n in np.unique(leaf)}
    assert sum(part[2] for part in quality["calibration"]) == len(y)
    assert quality["roc"][0] == [0.0, 0.0] and quality["roc"][-1] == [1.0, 1.0]


def test_bars_of_a_picture_divide_at_the_threshold(cancer):
    """Rows below zero are those that take the branch below."""
    tree, X, y = cancer
    path = tree.decision_path(X).toarray().astype(bool)
    for i, node in enumerate(data_of(aslant.report(tree, X, y))["nodes"]):
        if "picture" not in node:
            continue
        bars, (first, width) = np.array(node["picture"]["bars"]), node["picture"]["edges"]
        assert bars.sum() == path[:, i].sum()
        split = round(-first / width)
        low = node["children"][0 if node["below"] else 1]
        assert bars[:split].sum() == path[:, low].sum()


def test_terms_are_sorted_by_what_they_contribute(cancer):
    tree, X, _ = cancer
    root = data_of(aslant.report(tree, X))["nodes"][0]
    sizes = [abs(term[3]) for term in root["functions"][0]["terms"]]
    assert sizes == sorted(sizes, reverse=True) and len(sizes) > 5
    split = tree.tree_.split(0)
    expected = np.abs(split.coef * tree.column_spread_)
    assert sizes[0] == pytest.approx(expected.max() * abs(root_scale(root, split)), rel=1e-5)


def root_scale(root, split):
    return -root["functions"][0]["offset"] / split.threshold


def test_numbers_have_their_own_quality():
    X, y = load_diabetes(return_X_y=True, as_frame=True)
    tree = aslant.LeastSquaresTreeRegressor(max_depth=2, pruning=None).fit(X, y)
    page = data_of(aslant.report(tree, X, y))
    measures = dict(page["quality"]["measures"])
    assert measures["R²"] == f"{r2_score(y, tree.predict(X)):.4f}"
    bars = page["nodes"][0]["picture"]["bars"]
    total = sum(count * mean for count, mean in bars)
    assert total == pytest.approx(y.sum(), rel=1e-4)


def test_rows_are_states_from_which_the_row_can_be_made_again():
    made = problem("derived features")
    rows, y = untidy(60, 8, cities=70)
    rows.loc[3, "city"] = "never seen"
    page = data_of(aslant.report(made.model, rows, y, max_rows=60))
    inputs = {one["name"]: one for one in page["inputs"]}
    city = [page["rows"]["states"][i][4] for i in range(60)]
    levels = inputs["city"]["levels"]
    again = [None if c is None else [*levels, "never seen"][c] for c in city]
    known = [c if c is None or c in levels else "never seen" for c in rows["city"].tolist()]
    assert again == known and again[3] == "never seen"
    assert inputs["kind"]["unknown"] == 3 and inputs["grade"]["levels"] == ["low", "fair", "good"]


def test_a_page_holds_no_more_rows_than_asked_for(cancer):
    tree, X, y = cancer
    assert len(data_of(aslant.report(tree, X, y, max_rows=7))["rows"]["states"]) == 7
    assert data_of(aslant.report(tree, X, y, max_rows=0))["rows"] is None


def test_a_page_holds_no_rows_unless_asked(cancer):
    tree, X, y = cancer
    assert data_of(aslant.report(tree, X, y))["rows"] is None
    assert data_of(aslant.report(tree, X, y))["quality"]["rows"] == len(X)


def test_a_page_of_a_regressor_holds_no_target_of_a_single_row():
    X, y = load_diabetes(return_X_y=True)
    y = y + np.random.default_rng(0).random(len(y))
    tree = aslant.CARTRegressor(max_depth=3).fit(X, y)
    points = data_of(aslant.report(tree, X, y))["quality"]["points"]
    shown = {float(f"{value:.5g}") for value in y}
    assert points and not shown & {target for target, _ in points}


def test_only_a_report_is_replaced(cancer, tmp_path):
    tree, X, y = cancer
    page, other = tmp_path / "page.html", tmp_path / "data.csv"
    aslant.report(tree, path=page)
    aslant.report(tree, X, y, path=page)
    other.write_text("a,b\n1,2\n")
    with pytest.raises(FileExistsError, match=r"data.csv', which is another file; .overwrite."):
        aslant.report(tree, path=other)
    assert other.read_text() == "a,b\n1,2\n"
    aslant.report(tree, path=other, overwrite=True)
    assert other.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_nothing_of_the_data_becomes_markup():
    frame, _ = mixed(200, 0, [EVIL, "blue"])
    frame = frame.rename(columns={"age": EVIL})
    y = np.where(np.arange(200) % 3 == 0, EVIL, "<script>")
    tree = LMDTClassifier(random_state=0).fit(frame, y)
    page = aslant.report(tree, frame, y, title=EVIL)
    assert page.count("<script") == 3 and page.count("</script>") == 3
    assert "alert" in page and "<script>alert" not in page
    assert data_of(page)["classes"] == sorted([EVIL, "<script>"])


def test_a_page_asks_for_nothing_from_elsewhere(cancer):
    page = aslant.report(*cancer)
    assert not re.findall(r"""(?:src|href)=["'](?!#)""", page)
    assert "default-src 'none'" in page
    links = set(re.findall(r"https?://[^\s\"']+", page))
    assert links <= {"http://www.w3.org/2000/svg"}


def test_a_page_of_hundreds_of_leaves_stays_below_two_megabytes():
    X = numbers(4000, 0, missing=0.0)
    y = np.random.default_rng(0).integers(0, 3, len(X))
    tree = OC1Classifier(random_state=0, restarts=1, jumps=0, pruning=None, max_leaf_nodes=300)
    page = aslant.report(tree.fit(X, y), X, y)
    assert tree.get_n_leaves() == 300
    assert len(page.encode()) < 2_000_000


def test_a_pipeline_is_shown_in_the_units_of_its_input(cancer):
    _, X, y = cancer
    pipeline = make_pipeline(StandardScaler(), CARTClassifier(max_depth=1)).fit(X, y)
    page = data_of(aslant.report(pipeline, X, y))
    alone = data_of(aslant.report(CARTClassifier(max_depth=1).fit(X, y), X, y))
    assert page["nodes"][0]["question"] == alone["nodes"][0]["question"]
    assert page["quality"]["confusion"] == alone["quality"]["confusion"]


def test_a_notebook_shows_the_page_in_a_frame(cancer):
    tree, _, _ = cancer
    html = aslant.view(tree, height=500)._repr_html_()
    assert html.startswith("<iframe") and 'height="500"' in html
    assert 'sandbox="allow-scripts"' in html
    assert html.count("<") == 2  # the page itself is escaped


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((None, [0, 1]), "needs the rows X that y belongs to"),
        (([[1.0] * 30], [0, 1]), "one y for each row of X, got 2 for 1"),
        (([[1.0] * 30], [7]), "classes that the model knows, got 7"),
    ],
)
def test_wrong_data_is_named(cancer, arguments, message):
    X = None if arguments[0] is None else pd.DataFrame(arguments[0], columns=cancer[1].columns)
    with pytest.raises(ValueError, match=message):
        aslant.report(cancer[0], X, arguments[1])


def test_the_command(cancer, tmp_path, capsys):
    tree, X, y = cancer
    aslant.save(tree, tmp_path / "model.aslant")
    X.assign(diagnosis=y).to_csv(tmp_path / "rows.csv", index=False)
    names = [str(tmp_path / name) for name in ("model.aslant", "rows.csv", "page.html")]
    assert run(["report", *names[:2], "--target", "diagnosis", "--out", names[2]]) == 0
    assert capsys.readouterr().err == f"The report is in {names[2]}.\n"
    written = data_of((tmp_path / "page.html").read_text(encoding="utf-8"))
    assert written["quality"]["confusion"] == confusion_matrix(y, tree.predict(X)).tolist()
    assert run(["report", names[0], "--out", names[2], "--title", "A tree"]) == 0
    assert data_of((tmp_path / "page.html").read_text(encoding="utf-8"))["title"] == "A tree"
    capsys.readouterr()
    assert run(["report", *names[:2], "--target", "nothing", "--out", names[2]]) == 2
    assert "lacks the column 'nothing'" in capsys.readouterr().err
    assert run(["report", names[0], "--target", "diagnosis", "--out", names[2]]) == 2
    assert "name the file too" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["soft with categories", "categories", "logits", "numbers"])
def test_rules_say_what_their_rows_have_and_get(kind):
    made = problem(kind)
    model, X = made.model, made.rows[:1000]
    is_class = hasattr(model, "classes_")
    expected = model.predict_proba(X) if is_class else model.predict(X)[:, np.newaxis]
    rng = np.random.default_rng(0)
    y = rng.choice(model.classes_, len(X)) if is_class else rng.normal(size=len(X))
    truth = (y[:, np.newaxis] == model.classes_).astype(float) if is_class else y[:, np.newaxis]
    leaf = model.apply(X)
    for rule in data_of(aslant.report(model, X, y))["rules"]:
        own = leaf == rule["node"]
        assert rule["given"] == own.sum()
        if own.any():
            np.testing.assert_allclose(rule["observed"], truth[own].mean(axis=0), rtol=1e-4)
            mean, low, high = np.transpose(rule["predicted"])
            np.testing.assert_allclose(mean, expected[own].mean(axis=0), rtol=1e-4)
            np.testing.assert_allclose(low, expected[own].min(axis=0), rtol=1e-4)
            np.testing.assert_allclose(high, expected[own].max(axis=0), rtol=1e-4)


def test_a_rule_that_names_a_test_by_its_number_has_the_formula():
    X, y = load_breast_cancer(return_X_y=True)
    tree = OC1Classifier(random_state=0, restarts=2, max_depth=3).fit(X, y)
    data = data_of(aslant.report(tree))
    named = {
        text.split()[1]
        for rule in data["rules"]
        for text in rule["conditions"]
        if text.startswith("test ")
    }
    assert named and named <= set(data["tests"])
    assert all("*x" in text for text in data["tests"].values())


def test_rules_without_rows_show_probabilities_only_if_all_rows_get_them():
    hard, soft = problem("categories").model, problem("soft with categories").model
    for rule in data_of(aslant.report(hard))["rules"]:
        np.testing.assert_allclose(
            [one[0] for one in rule["predicted"]],
            node_probabilities_of(hard)[rule["node"]],
            rtol=1e-4,
        )
    for rule in data_of(aslant.report(soft))["rules"]:
        assert rule["predicted"] is None
        counts = soft.tree_.value[rule["node"]]
        np.testing.assert_allclose(rule["observed"], counts / counts.sum(), rtol=1e-4, atol=1e-9)
    assert "| p(" not in aslant.export_code(soft, "markdown")


def test_pictures_count_the_rows_whose_values_are_missing():
    made = problem("axis-parallel")
    rows = made.rows[:500]
    model = made.model
    root = data_of(aslant.report(model, rows))["nodes"][0]
    (feature,) = np.flatnonzero(model.tree_.split(0).coef)
    assert root["picture"]["missing"] == np.isnan(rows[:, feature]).sum() > 0


def test_cutoffs_count_what_each_would_predict():
    X, y = load_breast_cancer(return_X_y=True)
    model = aslant.AutoTreeClassifier(random_state=0, effort="low").fit(X[::2], y[::2])
    quality = data_of(aslant.report(model, X, y))["quality"]
    score = model.predict_proba(X)[:, 1]
    assert len(quality["cutoffs"]) > 50
    for cutoff, true, false in quality["cutoffs"]:
        assert true == ((score >= cutoff) & (y == 1)).sum()
        assert false == ((score >= cutoff) & (y == 0)).sum()
    measures = dict(quality["measures"])
    separation = max(abs((score[y == 1] >= c).mean() - (score[y == 0] >= c).mean()) for c in score)
    assert measures["Kolmogorov-Smirnov"] == f"{separation:.4f}"
    assert measures["Gini"] == f"{2 * roc_auc_score(y, score) - 1:.4f}"


@pytest.mark.parametrize("kind", ["soft with categories", "logits", "derived features", "numbers"])
def test_partial_dependence_is_the_mean_over_rows_with_one_value_changed(kind):
    made = problem(kind)
    model, X = made.model, made.rows[:120]
    effects = data_of(aslant.report(model, X, max_rows=10))["effects"]
    fields = data_of(aslant.report(model, X))["inputs"]
    assert len(effects) > 2
    for effect in effects:
        given = fields[effect["input"]]
        assert given["used"]
        for value, mean, low in zip(effect["values"], effect["mean"], effect["low"], strict=True):
            shown = value
            if given["kind"] == "levels":
                if value >= len(given["levels"]):
                    continue
                shown = given["levels"][value]
            elif given["kind"] == "date":
                shown = pd.Timestamp("1970-01-01") + pd.Timedelta(days=value)
                shown = shown.strftime("%d.%m.%Y") if given["name"] == "paid" else shown
            elif given["kind"] == "duration":
                shown = pd.Timedelta(days=value)
            rows = X.copy()
            rows[given["name"]] = pd.Series([shown] * len(X), index=X.index).astype(
                X[given["name"]].dtype
            )
            is_class = hasattr(model, "classes_")
            predicted = model.predict_proba(rows) if is_class else model.predict(rows)[:, None]
            scale = np.abs(predicted).max()
            np.testing.assert_allclose(mean, predicted.mean(axis=0), atol=1e-4 * scale)
            np.testing.assert_allclose(low, np.quantile(predicted, 0.1, axis=0), atol=1e-4 * scale)
        assert len(effect["lines"]) == 10


def test_cohorts_divide_the_rows():
    made = problem("categories")
    X = made.rows[:600]
    y = np.random.default_rng(0).choice(made.model.classes_, 600)
    found = data_of(aslant.report(made.model, X, y))["cohorts"]
    right = made.model.predict(X) == y
    by_name = {made.model.encoder_.input_names[one["input"]]: one["groups"] for one in found}
    groups = {name: (rows, accuracy) for name, rows, accuracy, *_ in by_name["color"]}
    for level in ("red", "blue"):
        own = (X["color"] == level).to_numpy()
        assert groups[level] == (own.sum(), pytest.approx(right[own].mean(), abs=1e-4))
    own = X["color"].isna().to_numpy()
    assert groups["missing"][0] >= own.sum()  # an unknown level is a missing value too
    assert sum(rows for _, rows, *_ in by_name["age"]) == 600


def test_training_figures_stand_beside(cancer):
    tree, X, y = cancer
    whole, target = load_breast_cancer(return_X_y=True, as_frame=True)
    page = aslant.report(tree, X, y, training=(whole[::2], target[::2]))
    measures = {name: own for name, *own in data_of(page)["quality"]["measures"]}
    assert measures["accuracy"] == [
        f"{100 * tree.score(X, y):.1f} %",
        f"{100 * tree.score(whole[::2], target[::2]):.1f} %",
    ]
    with pytest.raises(ValueError, match="got training alone"):
        aslant.report(tree, X, training=(X, y))


def test_partial_dependence_of_scikit_learn(cancer):
    tree, X, _ = cancer
    shown = PartialDependenceDisplay.from_estimator(
        tree, X.iloc[:50], ["mean radius"], kind="both", response_method="predict_proba"
    )
    (curve,) = shown.pd_results
    effect = curve["average"][0]
    low = X.iloc[:50].assign(**{"mean radius": curve["grid_values"][0][0]})
    assert effect[0] == pytest.approx(tree.predict_proba(low)[:, 1].mean())


def test_the_data_is_described():
    """The columns are those of training; what deserves a look is found in the given rows."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"x": rng.normal(size=200), "ward": rng.choice(["North", "north"], 200)})
    tree = CARTClassifier(max_depth=2).fit(X, X["x"] > 0.3)
    assert data_of(aslant.report(tree))["data"] == {
        "columns": [["x", "number"], ["ward", "category, 2 levels"]],
        "findings": [],
    }
    rows = X.assign(x=1.0)
    found = data_of(aslant.report(tree, rows, X["x"] > 0.3))["data"]["findings"]
    assert found[0] == "column 'x' has the same value in every row: leave it out."
    assert "'North' and 'north'" in found[1]


def test_the_model_card_holds_what_is_stated_and_hashes(cancer):
    tree, X, y = cancer
    card = {"purpose": "screening", "limits": EVIL, "date": "2026-01-31"}

    def fields(*rows, model=tree):
        return dict(data_of(aslant.report(model, *rows, card=card))["card"])

    found = fields(X, y)
    assert {name: found[name] for name in card} == card
    assert found["given rows"] == f"{len(X)} rows, 30 features, 0 % missing"
    assert fields(X, y) == found
    other = fields(X, 1 - y)
    assert other["hash of the given rows"] != found["hash of the given rows"]
    assert other["hash of the model"] == found["hash of the model"]
    stump = CARTClassifier(max_depth=1).fit(X, y)
    assert fields(model=stump)["hash of the model"] != found["hash of the model"]
    assert data_of(aslant.report(tree))["card"] is None
    with pytest.raises(ValueError, match=r"card has the fields 'purpose', .*, got 'colour'"):
        aslant.report(tree, card={"colour": "red"})


def test_a_card_from_a_file(cancer, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    aslant.save(cancer[0], "m.aslant")
    (tmp_path / "card.json").write_text('{"author": "A. Smith"}', encoding="utf-8")
    assert run(["report", "m.aslant", "--card", "card.json", "--out", "r.html"]) == 0
    assert ["author", "A. Smith"] in data_of((tmp_path / "r.html").read_text(encoding="utf-8"))[
        "card"
    ]
    (tmp_path / "card.json").write_text("author: A. Smith", encoding="utf-8")
    assert run(["report", "m.aslant", "--card", "card.json", "--out", "r.html"]) == 2
