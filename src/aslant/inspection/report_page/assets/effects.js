// Partial dependence and quality by cohort, for a chosen feature.

function chooser(id, label, entries, show) {
  const select = element("select", { id, onchange: () => show(entries[Number(select.value)]) },
    entries.map((entry, k) => element("option", { value: k }, page.inputs[entry.input].name)));
  return element("div", { class: "tools" }, element("label", { for: id }, label), select);
}

function showEffects() {
  if (!page.effects.length) return;
  at("effects").hidden = false;
  const place = element("div", { id: "effect" });
  const show = (entry) => clear(place).append(effect(entry));
  at("effects-body").append(
    element("p", { class: "hint" }, "What the model predicts on average over the given rows if one feature has the same value in all of them, and the range from the tenth to the ninetieth percentile of the rows. Features that go together are changed one at a time, so some of these rows may not exist."),
    chooser("effect-of", "Feature", page.effects, show), place);
  show(page.effects[0]);
}

// Lines for the outputs: of two classes the second alone.
function effect(entry) {
  const input = page.inputs[entry.input];
  const isLevel = input.kind === "levels";
  const shown = page.classes.length === 2 ? [1] : [...entry.mean[0].keys()];
  const width = 560, height = 240, left = 46, bottom = 26, top = 8, right = 10;
  const xs = isLevel ? entry.values.map((_, k) => k + 0.5) : entry.values;
  const [x0, x1] = isLevel ? [0, entry.values.length] : [xs[0], xs[xs.length - 1]];
  const all = [entry.low, entry.high, entry.mean].flat().flatMap((row) => shown.map((k) => row[k])).concat(entry.lines.flat());
  const [y0, y1] = page.classes.length ? [0, 1] : [Math.min(...all), Math.max(...all)];
  const x = (v) => left + ((v - x0) / (x1 - x0 || 1)) * (width - left - right);
  const y = (v) => height - bottom - ((v - y0) / (y1 - y0 || 1)) * (height - bottom - top);
  const color = (k) => (page.classes.length > 2 ? page.colors[k] : "var(--plus)");
  const line = (values, attributes) => drawn("polyline", { points: values.map((v, i) => `${x(xs[i])},${y(v)}`).join(" "), fill: "none", ...attributes });
  const shapes = [drawn("rect", { x: left, y: top, width: width - left - right, height: height - top - bottom, fill: "none", stroke: "var(--line)" })];
  entry.lines.forEach((values) => shapes.push(line(values, { stroke: "var(--soft)", "stroke-width": 0.6, "stroke-opacity": 0.5 })));
  shown.forEach((k) => {
    if (shown.length === 1) {
      const edge = [...entry.high.map((row, i) => `${x(xs[i])},${y(row[k])}`), ...entry.low.map((row, i) => `${x(xs[i])},${y(row[k])}`).reverse()];
      shapes.push(drawn("polygon", { points: edge.join(" "), fill: color(k), "fill-opacity": 0.15 }));
    }
    const mean = entry.mean.map((row) => row[k]);
    if (!isLevel) shapes.push(line(mean, { stroke: color(k), "stroke-width": 2.2 }));
    mean.forEach((v, i) => shapes.push(drawn("circle", { cx: x(xs[i]), cy: y(v), r: isLevel ? 4 : 2, fill: color(k) })));
  });
  const text = (attributes, content) => drawn("text", { class: "axis", ...attributes }, content);
  shapes.push(text({ x: left - 4, y: y(y0), "text-anchor": "end" }, short(y0, 3)), text({ x: left - 4, y: y(y1) + 10, "text-anchor": "end" }, short(y1, 3)));
  if (isLevel) entry.values.forEach((code, i) => shapes.push(text({ x: x(xs[i]), y: height - 8, "text-anchor": "middle" }, cut(stateText(input, code), Math.max(3, Math.floor((width - left) / entry.values.length / 7))))));
  else shapes.push(text({ x: left, y: height - 8 }, stateText(input, x0)), text({ x: width - right, y: height - 8, "text-anchor": "end" }, stateText(input, x1)));
  const what = page.classes.length ? (shown.length === 1 ? `probability of ${page.classes[1]}` : "probability of each class") : "prediction";
  const words = entry.values.map((value, i) => `${stateText(input, value)}: ${shown.map((k) => short(entry.mean[i][k], 3)).join(", ")}`);
  return figure(drawn("svg", { viewBox: `0 0 ${width} ${height}`, width, height }, shapes), `Mean ${what} by ${input.name}: ${words.join("; ")}`, `Mean ${what} by ${input.name}${entry.lines.length ? "; thin lines are single rows" : ""}`);
}

function showCohorts() {
  if (!page.cohorts.length) return;
  const place = element("div", { class: "wide", id: "cohort" });
  const isClass = page.classes.length > 0;
  const last = page.classes[page.classes.length - 1];
  const head = ["group", "rows", isClass ? "accuracy" : "mean absolute error", isClass ? `observed ${last}` : "mean target", isClass ? `mean probability of ${last}` : "mean prediction"];
  const number = (value) => (isClass ? percent(value) : short(value));
  const show = (entry) => clear(place).append(element("table", {},
    element("thead", {}, element("tr", {}, head.map((name, k) => element("th", { scope: "col", class: k ? "number" : null }, name)))),
    element("tbody", {}, entry.groups.map(([name, rows, ...values]) => element("tr", {}, element("th", { scope: "row" }, name),
      element("td", { class: "number" }, rows.toLocaleString("en")), values.map((value) => element("td", { class: "number" }, number(value))))))));
  at("quality-body").append(element("h3", {}, "Quality by cohort"), element("p", { class: "hint" }, "Rows grouped by the levels or the quarters of a feature; groups of fewer than five rows are left out."),
    chooser("cohort-by", "Feature", page.cohorts, show), place);
  show(page.cohorts[0]);
}
