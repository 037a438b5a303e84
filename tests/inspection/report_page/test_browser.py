"""The page in a real browser: what-if as `predict_proba`, no error, three widths.

Chromium is the system's own; nothing is downloaded. ``ASLANT_BROWSER`` names another executable,
``ASLANT_SCREENSHOTS`` a folder for the pictures.
"""

import json
import os
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
from codegen.problems import problem, untidy
from zoo import ESTIMATORS, SEVERAL_TREES, answers, random_model

import aslant
from aslant import AutoTreeClassifier, CARTClassifier, CARTRegressor, FisherTreeClassifier

BROWSER = os.environ.get("ASLANT_BROWSER") or shutil.which("chromium") or shutil.which("chrome")
if BROWSER is None:
    pytest.skip(
        "no browser: install chromium, or name one in ASLANT_BROWSER", allow_module_level=True
    )
playwright = pytest.importorskip("playwright.sync_api")
# Expectations poll without eval, which the page's Content-Security-Policy forbids.
expect = playwright.expect
expect.set_options(timeout=30_000)


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as driver:
        try:
            found = driver.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        except playwright.Error as error:
            pytest.skip(f"the browser {BROWSER} does not start: {error}")
        yield found
        found.close()


@pytest.fixture
def opened(browser, tmp_path):
    """Open the page of a model; at the end nothing may have been wrong on the console."""
    complaints = []
    contexts = []

    def open_page(html, width=1280, **options):
        path = tmp_path / "page.html"
        path.write_text(html, encoding="utf-8")
        contexts.append(browser.new_context(viewport={"width": width, "height": 900}, **options))
        page = contexts[-1].new_page()
        page.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(path.as_uri())
        page.wait_for_selector(".box")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


def answered(page):
    return json.loads(page.locator("#answer").get_attribute("data-output"))


KINDS = ["soft with categories", "machines and categories", "derived features", "numbers"]


@pytest.mark.parametrize("kind", [*KINDS, "linear leaves", "log-odds", "logits"])
def test_what_if_says_what_predict_proba_says_on_a_hundred_rows(kind, opened):
    made = problem(kind)
    rows = untidy(100, 7, cities=70)[0] if kind == "derived features" else made.rows[:100]
    page = opened(aslant.report(made.model, rows, max_rows=100))
    expected = (
        made.model.predict_proba(rows)
        if hasattr(made.model, "classes_")
        else made.model.predict(rows)
    )
    np.testing.assert_allclose(answers_of_rows(page, 100), expected, rtol=1e-9)
    leaf = made.model.apply(rows)[99]
    expect(page.locator(f'.box.way[data-node="{leaf}"]')).to_have_count(1)


def answers_of_rows(page, n):
    """What the page answers for each of its rows."""
    return page.evaluate(
        """(n) => [...Array(n).keys()].map((k) => {
             const row = document.getElementById("row");
             row.value = String(k);
             row.dispatchEvent(new Event("change"));
             return JSON.parse(document.getElementById("answer").dataset.output);
           })""",
        n,
    )


# Pages of every kind of leaf and test are above; the slow suite adds all estimators of one tree.
EVERY_DAY = ("auto, linear leaf", "c45", "linear leaves")
ONE_TREE = [
    k if name in EVERY_DAY else pytest.param(k, marks=pytest.mark.slow)
    for k, name in enumerate(ESTIMATORS)
    if name not in SEVERAL_TREES
]


@pytest.mark.parametrize("seed", ONE_TREE)
def test_the_page_of_a_random_model_agrees_with_its_predictions(seed, opened):
    """On rows with missing values and unknown levels; text, code and others: tests/products."""
    model, _, asked = random_model(seed)
    page = opened(aslant.report(model, asked.X, max_rows=len(asked.X)))
    expected = answers(model, asked.X)
    found = np.reshape(answers_of_rows(page, len(asked.X)), expected.shape)
    np.testing.assert_allclose(found, expected, rtol=1e-9)


@pytest.fixture(scope="module")
def soft():
    made = problem("soft with categories")
    return made.model, made.rows[:200], made.model.predict(made.rows[:200])


def test_fields_sliders_lists_and_missing_values(opened, soft):
    model, X, _ = soft
    page = opened(aslant.report(model, X, max_rows=100))
    page.select_option("#row", "0")
    j = [column.name for column in model.encoder_.columns_].index("age")
    page.locator(f'[data-input="{j}"] input[type=number]').fill("0.25")
    row = X.iloc[[0]].assign(age=0.25)
    np.testing.assert_allclose(answered(page), model.predict_proba(row)[0], rtol=1e-9)
    page.locator(f'[data-input="{j}"] input[type=checkbox]').check()
    row = row.assign(age=np.nan)
    np.testing.assert_allclose(answered(page), model.predict_proba(row)[0], rtol=1e-9)
    page.get_by_label("color", exact=True).select_option(label="blue")
    row["color"] = "blue"
    np.testing.assert_allclose(answered(page), model.predict_proba(row)[0], rtol=1e-9)
    page.get_by_label("color", exact=True).select_option(label="another level")
    row["color"] = "never seen"
    np.testing.assert_allclose(answered(page), model.predict_proba(row)[0], rtol=1e-9)
    slider = page.locator('[data-input="1"] input[type=range]')
    slider.focus()
    before = page.locator("#answer").get_attribute("data-output")
    slider.press("End")
    expect(page.locator("#answer")).not_to_have_attribute("data-output", before)


def test_an_address_brings_its_state_back(opened, soft):
    model, X, _ = soft
    page = opened(aslant.report(model, X, max_rows=100))
    page.select_option("#row", "5")
    page.click("#copy")
    expect(page.locator("#copied")).not_to_be_empty()
    expect(page).to_have_url(re.compile("#state="))
    said, address = answered(page), page.url
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector(".box")
    assert answered(page) == said


def test_large_trees_open_folded_and_unfold_by_mouse_and_keyboard(opened):
    made = problem("derived features")
    page = opened(aslant.report(made.model))
    depths = {int(box.get_attribute("aria-level")) - 1 for box in page.locator(".box").all()}
    assert depths == {0, 1, 2, 3}
    page.locator('.box[data-node="0"]').focus()
    page.keyboard.press("ArrowDown")
    child = int(made.model.tree_.children[0, 0])
    chosen = page.locator(".box.chosen")
    expect(chosen).to_have_attribute("data-node", str(child))
    expect(page.locator("#node-heading")).to_have_text(f"Test of node {child}")
    before = page.locator(".box").count()
    page.keyboard.press("Enter")
    expect(chosen).to_have_attribute("aria-expanded", "false")
    assert page.locator(".box").count() < before
    page.click("#unfold")
    expect(page.locator(".box")).to_have_count(made.model.tree_.n_nodes)
    page.fill("#search", "weekday")
    reads = made.model.tree_.column_feature[made.model.tree_.coef_column]
    names = made.model.encoder_.feature_names
    count = sum("weekday" in names[j] for j in reads)
    assert count > 0
    expect(page.locator(".box.found")).to_have_count(count)
    expect(page.locator("#found")).to_have_text(f"{count} node{'s' if count > 1 else ''}")


def test_names_from_the_data_stay_text(opened):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2))
    evil = "<script>document.title = 'broken'</script>"
    y = np.where(X[:, 0] > 0, "<script>", evil)
    page = opened(aslant.report(CARTClassifier(max_depth=2).fit(X, y), X, y, title=evil))
    assert page.title() == evil
    assert page.locator("h1").inner_text() == evil
    assert page.locator("script").count() == 3
    assert page.locator("#legend li").all_inner_texts() == ["<script>", evil]


@pytest.mark.parametrize("width", [1280, 768, 390])
def test_nothing_is_wider_than_the_screen(width, opened, soft, tmp_path):
    model, X, y = soft
    scheme = "dark" if width == 768 else "light"
    page = opened(aslant.report(model, X, y), width, color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (background == "rgb(255, 255, 255)") == (scheme == "light")
    folder = Path(os.environ.get("ASLANT_SCREENSHOTS", tmp_path))
    folder.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=folder / f"report_{width}.png", full_page=True)


def test_nothing_is_wider_than_a_narrow_screen_with_everything_open(opened):
    """Small numbers have many digits."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3)) * [1.0, 1e-4, 1e-4]
    tree = FisherTreeClassifier(max_depth=1).fit(X, X @ [1.0, 2.0, 1.0] > 0.0)
    page = opened(aslant.report(tree, X, max_rows=3), 390)
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    page.select_option("#row", "1")
    numbers = page.locator("#node-body td.number").all_inner_texts()
    assert len(numbers) == 3 and min(abs(float(one.replace("−", "-"))) for one in numbers) < 1e-3
    assert all("\n" not in one and len(one) <= 8 for one in numbers)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_paper_shows_everything(opened, soft):
    page = opened(aslant.report(*soft))
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator("details:not([open])")).to_have_count(0)
    expect(page.locator("#search")).to_be_hidden()
    expect(page.locator("#rules-body table")).to_be_visible()


def test_every_control_and_picture_has_a_name(opened, soft):
    """As a screen reader says it."""
    page = opened(aslant.report(*soft))
    nameless = page.evaluate(
        """[...document.querySelectorAll("input, select, button, svg, [role=treeitem]")].filter(
             (one) => !one.ariaLabel && (one.tagName === "svg" ||
               !(one.closest("label") || one.textContent.trim()))
           ).map((one) => one.outerHTML.slice(0, 80))"""
    )
    assert nameless == []
    assert page.locator("h1").count() == 1 and page.locator("main").count() == 1


def test_a_notebook_frame_works(browser):
    X = np.arange(40.0)[:, None]
    shown = aslant.view(
        AutoTreeClassifier(random_state=0, effort="low", leaf="constant").fit(X, X[:, 0] > 20)
    )
    page = browser.new_page()
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.set_content(shown._repr_html_())
    frame = page.frame_locator("iframe")
    frame.locator(".box").first.wait_for()
    frame.locator('[data-input="0"] input[type=number]').fill("3")
    expect(frame.locator("#predicted")).to_have_text("false")
    page.close()
    assert errors == []


@pytest.mark.parametrize("kind", ["soft with categories", "categories", "log-odds"])
def test_the_smallest_change_of_one_feature_changes_the_answer(kind, opened):
    """Every line of the table holds for the model, and just before it the answer is the old one."""
    made = problem(kind)
    rows = made.rows[:40]
    page = opened(aslant.report(made.model, rows, max_rows=40))
    page.click("#flips summary")
    found = page.evaluate(
        """[...Array(20).keys()].map((k) => {
             const row = document.getElementById("row");
             row.value = String(k);
             row.dispatchEvent(new Event("change"));
             const before = String(aslantModel.predict(rowOf(state)));
             return page.inputs.map((input, j) => {
               if (!input.used || state[j] === null || input.kind === "levels") return null;
               const value = nearestNumber(j, input, before);
               if (value === null) return null;
               return [state[j], value, labelAt(j, value) !== before,
                       labelAt(j, state[j] + 0.97 * (value - state[j])) === before];
             }).filter((one) => one !== null);
           })"""
    )
    flat = [one for row in found for one in row]
    assert len(flat) > 10
    assert all(one[2] for one in flat)
    assert np.mean([one[3] for one in flat]) > 0.9  # a whole number may be far beyond
    expect(page.locator("#flips tr[data-flip]").first).to_be_visible()
    expect(page.locator("#nearest")).to_contain_text("standard deviations away")


@pytest.mark.parametrize("kind", ["oblique", "soft", "log-odds", "categories"])
def test_the_smallest_change_of_several_features_changes_the_answer(kind, opened):
    """Each changed row has another class, and no change of one feature alone is smaller."""
    made = problem(kind)
    rows = made.rows[:12]
    page = opened(aslant.report(made.model, rows, max_rows=12))
    page.click("#flips summary")
    found = page.evaluate(
        """[...Array(12).keys()].map((k) => {
             const row = document.getElementById("row");
             row.value = String(k);
             row.dispatchEvent(new Event("change"));
             const before = String(aslantModel.predict(rowOf(state)));
             const several = smallestChange(before);
             const single = movable().map((j) => {
               const value = nearestNumber(j, page.inputs[j], before);
               return value === null ? 1e9 : Math.abs(value - state[j]) / page.inputs[j].unit;
             });
             return several && [several.state, several.away, Math.min(1e9, ...single), before];
           })"""
    )
    changed = [one for one in found if one is not None]
    assert len(changed) >= 6
    for state, away, single, before in changed:
        row = page.evaluate("(state) => String(aslantModel.predict(rowOf(state)))", state)
        assert row != before
        # Fewer features may take a change that is longer by a fifth; of soft trees it is the best
        # of the ways to each leaf.
        assert away <= single * (1.5 if kind == "soft" else 1.201)
    assert any(away < 0.9 * single for _, away, single, _ in changed)


def test_a_change_of_several_features_keeps_whole_numbers_whole(opened):
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.integers(1, 3, 300), rng.integers(20, 80, 300), rng.normal(size=300)])
    y = X @ [1.0, 0.05, 1.0] > 4.0
    tree = FisherTreeClassifier(max_depth=1).fit(X, y)
    page = opened(aslant.report(tree, X, max_rows=10))
    page.click("#flips summary")
    for k in range(5):
        page.select_option("#row", str(k))
        before, after = page.evaluate(
            "[state, smallestChange(String(aslantModel.predict(rowOf(state)))).state]"
        )
        assert after[0] == before[0]  # it has two values, and stays as it is
        assert after[1] == round(after[1])
        assert tree.predict([after]) != tree.predict([before])


def test_cutoff_and_costs(opened):
    made = problem("log-odds")
    X = made.rows[:400]
    score = made.model.predict_proba(X)[:, 1]
    y = (score + np.random.default_rng(0).normal(scale=0.3, size=400) > 0.5).astype(int)
    page = opened(aslant.report(made.model, X, y))

    def shown(name):
        card = page.locator("#cutoff-result .cards div").filter(has_text=name)
        return card.locator("strong").text_content()

    page.click("#cutoff-half")
    at_half = score >= float(page.locator("#cutoff-result").get_attribute("data-cutoff"))
    assert abs(at_half.sum() - (score >= 0.5).sum()) <= 4  # cutoffs are thinned
    assert shown("recall") == f"{100 * at_half[y == 1].mean():.1f} %"
    assert shown("precision") == f"{100 * y[at_half].mean():.1f} %"
    page.fill("#cost-missed", "9")
    page.click("#cutoff-cheapest")
    costs = [
        (9 * ((score < c) & (y == 1)).sum() + ((score >= c) & (y == 0)).sum()) / 400 for c in score
    ]
    assert float(shown("expected cost")) == pytest.approx(min(costs), abs=0.02)
    assert float(shown("cutoff")) < 0.5


def test_partial_dependence_and_cohorts_are_chosen_by_feature(opened, soft):
    model, X, y = soft
    page = opened(aslant.report(model, X, y))
    label = page.locator("#effect svg").get_attribute("aria-label")
    page.select_option("#effect-of", index=1)
    expect(page.locator("#effect svg")).not_to_have_attribute("aria-label", label)
    groups = page.locator("#cohort").text_content()
    page.select_option("#cohort-by", index=1)
    expect(page.locator("#cohort")).not_to_have_text(groups)


def test_the_interval_of_the_prediction_is_shown(opened):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    y = X[:, 0] + rng.normal(size=300)
    tree = CARTRegressor(max_depth=2).fit(X, y).fit_intervals(X, y, coverage=0.8)
    page = opened(aslant.report(tree, X, max_rows=3))
    page.select_option("#row", "0")
    low, high = tree.predict_interval(X[:1])[0]
    expect(page.locator("#interval")).to_contain_text(f"Interval: {low:.4g} to {high:.4g}. 80.0 %")
    page.locator(f'.box[data-node="{tree.apply(X[:1])[0]}"]').click()
    expect(page.locator("#node-body")).to_contain_text("of the residuals of the leaf are from")


def test_the_model_card_is_printed(opened, soft):
    model, X, y = soft
    page = opened(aslant.report(model, X, y, card={"purpose": "to decide", "limits": "adults"}))
    expect(page.locator("#card")).to_contain_text("to decide")
    page.emulate_media(media="print")
    expect(page.locator("#card")).to_be_visible()
    expect(page.locator("nav")).to_be_hidden()
