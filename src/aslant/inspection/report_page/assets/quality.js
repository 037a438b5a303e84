// Quality on the given rows, importances, rules, and how the model was made.

function showQuality() {
  const quality = page.quality;
  if (!quality) return;
  at("quality").hidden = false;
  const body = at("quality-body");
  body.append(element("p", { class: "hint" }, `On the ${plural(quality.rows, "row", "rows")} given to the report. If the tree was fitted to them, new rows will score worse.`));
  body.append(element("div", { class: "cards" }, quality.measures.map(([name, value, training]) => element("div", {}, element("strong", {}, value), name, training ? element("div", { class: "hint" }, `${training} on the ${plural(quality.trainingRows, "training row", "training rows")}`) : null))));
  if (quality.confusion) body.append(element("h3", {}, "Confusion matrix"), element("div", { class: "wide" }, confusion(quality.confusion)));
  const pictures = [];
  if (quality.roc) {
    const positive = page.classes[1];
    pictures.push(square({ points: quality.roc, labels: ["false positive rate", "true positive rate"], name: `ROC curve for ${positive}`, caption: `ROC curve for ${positive}` }));
    pictures.push(square({ points: quality.calibration, dots: true, labels: ["mean probability", "frequency of the class"], name: `Calibration: ${quality.calibration.map((p) => `${percent(p[0])} predicted, ${percent(p[1])} true`).join("; ")}`, caption: `Calibration: probability of ${positive} and how often it is true` }));
  }
  if (quality.points) {
    const all = quality.points.flat();
    pictures.push(square({ points: quality.points, limits: [Math.min(...all), Math.max(...all)], line: false, dots: true, labels: ["target", "prediction"], name: "Predictions against targets", caption: "Predictions against targets (first output), means of groups of rows" }));
  }
  body.append(element("div", { class: "cards" }, pictures));
  const worst = quality.leaves.slice().sort((a, b) => b[1] * b[2] - a[1] * a[2]);
  const isClass = page.classes.length > 0;
  const rows = worst.map(([node, count, error]) => [`node ${node}: ${page.nodes[node].title}, ${plural(count, "row", "rows")}`, error, isClass ? `${Math.round(error * count)} wrong, ${percent(error)}` : short(error)]);
  body.append(element("h3", {}, "Errors by leaf"), ...foldedBars(rows, 12, { both: false, color: "var(--minus)", caption: isClass ? "Share of wrong rows; most errors first" : "Mean absolute error; greatest sum first" }));
}

function confusion(counts) {
  const rows = counts.map((row, k) => {
    const total = row.reduce((a, b) => a + b, 0) || 1;
    return element("tr", {}, element("th", { scope: "row" }, page.classes[k]),
      row.map((count, j) => element("td", { class: "number", style: count ? `background: color-mix(in srgb, ${j === k ? "var(--plus)" : "var(--minus)"} ${Math.round((60 * count) / total)}%, transparent)` : null }, String(count))));
  });
  return element("table", { class: "matrix" },
    element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "true \\ predicted"), page.classes.map((name) => element("th", { scope: "col", class: "number" }, name)))),
    element("tbody", {}, rows));
}

function showImportances() {
  const rows = page.importances.map(([name, share]) => [name, share, percent(share)]);
  const body = at("importances-body");
  if (!rows.length) body.append(element("p", {}, "The model reads no feature."));
  else body.append(...foldedBars(rows, 12, { both: false, color: "var(--plus)", caption: page.nodes.some((node) => node.slopes) ? "Fraction of the decrease in impurity, by tests and by linear leaves" : "Fraction of the decrease in impurity" }));
}

// What the rows of a rule have and what they get, in lines of a cell.
const lines = (texts) => texts.filter((text) => text !== null).map((text) => element("div", {}, text));
const shown = (value) => (page.classes.length ? percent(value) : short(value));
const between = ([mean, low, high]) => (shown(low) === shown(high) ? shown(mean) : `${shown(mean)} (${shown(low)} to ${shown(high)})`);

// A long test has a number in the rules, and its formula below that.
function formulaOf(condition) {
  const number = /^test (\d+) /.exec(condition);
  return number && page.tests[number[1]] ? element("div", { class: "hint" }, page.tests[number[1]]) : [];
}

function showRules() {
  const isClass = page.classes.length > 0;
  const names = isClass ? page.classes : page.outputs === 1 ? ["value"] : [...Array(page.outputs).keys()].map((k) => `value ${k}`);
  const head = ["rule", "if", "then", "rows", ...names.map((name) => (isClass ? `p(${name})` : name))];
  const rows = page.rules.map((rule, k) => element("tr", {},
    element("th", { scope: "row" }, element("a", { href: "#tree", onclick: () => choose(rule.node) }, String(k + 1))),
    element("td", {}, rule.conditions.length ? element("ul", { class: "plain" }, rule.conditions.map((text) => element("li", {}, text, formulaOf(text)))) : "anything"),
    element("td", {}, rule.outcome),
    element("td", { class: "number" }, lines([`${rule.rows.toLocaleString("en")} in training`, rule.given === null ? null : `${rule.given.toLocaleString("en")} given`])),
    names.map((_, k) => element("td", { class: "number" }, lines([
      `observed ${shown(rule.observed[k])}`,
      rule.predicted ? `predicted ${between(rule.predicted[k])}` : "predicted: by row"])))));
  const table = element("table", {}, element("thead", {}, element("tr", {}, head.map((name) => element("th", { scope: "col" }, name)))), element("tbody", {}, rows));
  const body = at("rules-body");
  const truth = page.quality ? "given rows" : "training rows";
  body.append(element("p", { class: "hint" }, `Observed: ${isClass ? "share of the class" : "mean of the target"} among the ${truth} of the leaf. Predicted: ${page.rules.some((rule) => rule.given) ? "mean and range of what the model gives to the given rows of the leaf." : "what the model gives to the rows of the leaf; “by row” if it differs between them."}`));
  if (page.rules.length > 60) body.append(element("details", {}, element("summary", {}, `${page.rules.length} rules`), table));
  else body.append(table);
}

function showMaking() {
  const making = page.making;
  const body = at("making-body");
  const facts = [["estimator", page.estimator]];
  if (making.trainingRows !== null) facts.push(["training rows", making.trainingRows.toLocaleString("en")]);
  Object.entries(making.versions).forEach(([name, version]) => facts.push([name, version]));
  body.append(pairs(facts));
  if (making.edits.length) {
    const names = ["date", "action", "node", "what", "reason"];
    body.append(element("h3", {}, "Edits"), element("div", { class: "wide", id: "edits" }, element("table", {},
      element("thead", {}, element("tr", {}, names.map((name) => element("th", { scope: "col" }, name)))),
      element("tbody", {}, making.edits.map((one) => element("tr", {}, names.map((name) => element("td", {}, String(one[name])))))))));
  }
  if (making.choice) body.append(element("h3", {}, "Why this tree"), element("p", {}, making.choice));
  if (making.candidates.length) {
    const names = Object.keys(making.candidates[0]);
    body.append(element("details", {}, element("summary", {}, `${plural(making.candidates.length, "candidate", "candidates")} compared by cross-validation`),
      element("div", { class: "wide" }, element("table", {},
        element("thead", {}, element("tr", {}, names.map((name) => element("th", { scope: "col" }, name)))),
        element("tbody", {}, making.candidates.map((one) => element("tr", {}, names.map((name) => element("td", {}, one[name])))))))));
  }
  body.append(element("details", {}, element("summary", {}, "Parameters (changed ones in bold)"),
    element("div", { class: "wide" }, element("table", {}, element("tbody", {}, making.parameters.map(([name, value, changed]) =>
      element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, changed ? element("strong", {}, value) : value))))))));
}

function pairs(rows) {
  return element("table", {}, element("tbody", {}, rows.map(([name, value]) => element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, value)))));
}
