// The cutoff of the decision: counts, rates, lift and cost at any probability, of two classes.

function showCutoff() {
  const { cutoffs, confusion } = page.quality;
  if (!cutoffs) return;
  const [negative, positive] = page.classes;
  const slider = element("input", { type: "range", id: "cutoff", min: 0, max: cutoffs.length - 1, step: 1, "aria-label": `Least probability of ${positive} to predict it` });
  const cost = (id, label) => [element("label", { for: id }, label), element("input", { type: "number", id, min: 0, step: "any", value: 1 })];
  const result = element("div", { id: "cutoff-result", role: "status" });
  const totals = [confusion[1].reduce((a, b) => a + b, 0), confusion[0].reduce((a, b) => a + b, 0)];
  const costAt = ([, tp, fp]) => Number(at("cost-missed").value) * (totals[0] - tp) + Number(at("cost-false").value) * fp;
  const update = () => fillCutoff(result, cutoffs[Number(slider.value)], totals, costAt);
  const set = (k) => { slider.value = String(k); update(); };
  // Cutoffs fall from above all probabilities.
  const half = cutoffs.reduce((best, point, k) => (point[0] >= 0.5 ? k : best), 0);
  const best = (merit) => cutoffs.reduce((place, point, k) => (merit(point) > merit(cutoffs[place]) ? k : place), 0);
  slider.addEventListener("input", update);
  at("quality-body").append(
    element("h3", {}, "Cutoff and costs"),
    element("p", { class: "hint" }, `${positive} is predicted if its probability is at least the cutoff. The model itself predicts the most probable class; scikit-learn's TunedThresholdClassifierCV keeps another cutoff.`),
    element("div", { class: "tools" }, element("label", { for: "cutoff" }, "Cutoff"), slider,
      element("button", { type: "button", id: "cutoff-half", onclick: () => set(half) }, "0.5"),
      element("button", { type: "button", id: "cutoff-cheapest", onclick: () => set(best((point) => -costAt(point))) }, "Least cost"),
      element("button", { type: "button", id: "cutoff-ks", onclick: () => set(best(([, tp, fp]) => tp / totals[0] - fp / totals[1])) }, "Greatest separation")),
    element("div", { class: "tools" },
      ...cost("cost-missed", `Cost of a missed ${positive}`), ...cost("cost-false", `of a ${negative} taken for ${positive}`)),
    result);
  ["cost-missed", "cost-false"].forEach((id) => at(id).addEventListener("input", update));
  set(half);
}

function fillCutoff(result, point, [positives, negatives], costAt) {
  const [cutoff, tp, fp] = point;
  const rows = positives + negatives;
  const rate = (part, whole) => (whole ? percent(part / whole) : "undefined");
  const lift = tp + fp ? short(tp / (tp + fp) / (positives / rows), 3) : "undefined";
  const [negative, positive] = page.classes;
  const facts = [
    ["cutoff", short(cutoff, 4)],
    [`predicted ${positive}`, `${(tp + fp).toLocaleString("en")} of ${rows.toLocaleString("en")} rows`],
    ["precision", rate(tp, tp + fp)], ["recall (sensitivity)", rate(tp, positives)], ["specificity", rate(negatives - fp, negatives)],
    ["accuracy", rate(tp + negatives - fp, rows)], ["lift", lift], ["expected cost per row", short(costAt(point) / rows, 4)]];
  result.dataset.cutoff = String(cutoff);
  clear(result).append(
    element("div", { class: "wide" }, element("table", { class: "matrix" },
      element("thead", {}, element("tr", {}, ["true \\ predicted", negative, positive].map((name) => element("th", { scope: "col" }, name)))),
      element("tbody", {}, [[negative, negatives - fp, fp], [positive, positives - tp, tp]].map(([name, ...counts]) =>
        element("tr", {}, element("th", { scope: "row" }, name), counts.map((count) => element("td", { class: "number" }, String(count)))))))),
    element("div", { class: "cards" }, facts.map(([name, value]) => element("div", {}, element("strong", {}, value), name))));
}
