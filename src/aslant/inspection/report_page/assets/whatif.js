// What if: a state for every input, the answer of the model, and the way through the tree.
const ANOTHER = Symbol("another level"); // is none of the levels
let state = page.inputs.map((input) => input.start);
let currentRow = null;

function rowOf(values) {
  return values.map((value, j) => {
    const input = page.inputs[j];
    if (value === null || input.kind !== "levels") return value;
    return value < input.levels.length ? input.levels[value] : ANOTHER;
  });
}

// The value of a term for the features of a row; its fill if it is missing.
function termValue(term, features) {
  const x = features[term[4]];
  if (x !== x) return term[2];
  return term[5] < 0 ? x : Number(x === term[5]);
}

// What each term of a test does: its part around the mean of the node, and the sum.
function partsOf(node, features, child) {
  const total = (one) => one.terms.reduce((sum, term) => sum + term[1] * termValue(term, features), one.offset);
  let terms = node.functions[0].terms;
  let sum = total(node.functions[0]);
  if (node.functions.length > 1) { // the branch taken against the next best one
    const sums = node.functions.map(total);
    const next = sums.map((s, k) => [k === child ? -Infinity : s, k]).sort((a, b) => b[0] - a[0])[0][1];
    terms = [...node.functions[child].terms, ...node.functions[next].terms.map((t) => [t[0], -t[1], t[2], 0, t[4], t[5]])];
    sum = sums[child] - sums[next];
  }
  const parts = new Map();
  for (const term of terms) {
    const part = term[1] * (termValue(term, features) - term[2]);
    parts.set(term[4], (parts.get(term[4]) || 0) + part);
  }
  const names = new Map(terms.map((term) => [term[4], term[5] < 0 ? term[0] : term[0].replace(/^\[(.*)=.*\]$/, "$1")]));
  return { sum, parts: [...parts].map(([feature, part]) => [names.get(feature), part]).sort((a, b) => Math.abs(b[1]) - Math.abs(a[1])) };
}

function answer() {
  const row = rowOf(state);
  const features = aslantModel.values(row);
  const leaf = leafNode[aslantModel.leaves(row)[0]];
  way = wayTo(leaf);
  openWay();
  const output = clear(at("answer"));
  output.dataset.output = JSON.stringify(page.classes.length ? aslantModel.predictProba(row) : aslantModel.predict(row));
  if (page.classes.length) {
    const proba = aslantModel.predictProba(row);
    const label = String(aslantModel.predict(row));
    output.append(element("p", { class: "prediction" }, "Predicted: ", element("strong", { id: "predicted" }, label)));
    output.append(barTable(page.classes.map((name, k) => [name, proba[k], percent(proba[k]), page.colors[k]]), { both: false, greatest: 1, caption: "Probability of each class" }));
  } else {
    const predicted = aslantModel.predict(row);
    const text = Array.isArray(predicted) ? predicted.map((v) => short(v, 6)).join(", ") : short(predicted, 6);
    output.append(element("p", { class: "prediction" }, "Predicted: ", element("strong", { id: "predicted" }, text)));
    if (page.coverage !== null) {
      const [low, high] = aslantModel.predictInterval(row);
      output.append(element("p", { id: "interval" }, `Interval: ${short(low, 4)} to ${short(high, 4)}. ${percent(page.coverage)} of the residuals of the leaf are this small; that is no guarantee.`));
    }
  }
  if (currentRow !== null && page.rows.truth) {
    const truth = page.rows.truth[currentRow];
    const text = page.classes.length ? page.classes[truth] : truth.map((v) => short(v, 6)).join(", ");
    output.append(element("p", { class: "hint" }, `In the data: ${text}`));
  }
  showWay(features);
  showNearest(features);
  if (page.classes.length) showFlips();
  drawTree();
}

// Nodes on the way unfold, and fold again when it leads elsewhere. A new page opens as it is.
let openedForWay = null;

function openWay() {
  if (openedForWay === null) { openedForWay = []; return; }
  openedForWay.forEach((i) => folded.add(i));
  openedForWay = way.filter((i) => folded.delete(i));
}

function showWay(features) {
  const list = clear(at("path"));
  way.slice(0, -1).forEach((i, step) => {
    const node = page.nodes[i];
    const child = node.children.indexOf(way[step + 1]);
    const { sum, parts } = partsOf(node, features, child);
    const rows = parts.map(([name, part]) => [name, part, compact(part)]);
    list.append(element("li", {},
      element("a", { href: "#node", onclick: (event) => { event.preventDefault(); choose(i); at("node").scrollIntoView(); } }, cut(node.question, 80)),
      `: ${node.answers[child]} (${signed(sum)} from the threshold)`,
      element("details", step === 0 ? { open: "" } : {}, element("summary", {}, "what every feature contributes"),
        foldedBars(rows, SHOWN_TERMS, { caption: "Coefficient × distance from the mean of the node" }))));
  });
  const leaf = page.nodes[way[way.length - 1]];
  if (!leaf.slopes || !leaf.slopes.some((slope) => slope.terms.length)) list.append(element("li", {}, `${leaf.outcome.join(", ")}`));
  else leaf.slopes.forEach((slope, k) => list.append(slopeItem(slope, features, k === 0 && way.length === 1)));
}

// An output of a linear leaf: its value, and the part of every feature.
function slopeItem(slope, features, open) {
  const { parts } = partsOf({ functions: [{ terms: slope.terms, offset: 0 }] }, features, 0);
  const total = parts.reduce((sum, part) => sum + part[1], slope.mean);
  const [low, high] = slope.range;
  const kept = low !== null && total < low ? low : high !== null && total > high ? high : total;
  const bound = kept === total ? "" : `, the ${kept === low ? "lower" : "upper"} bound (the sum is ${short(total)})`;
  const rows = [["at the mean of the leaf", slope.mean, compact(slope.mean), "var(--soft)"], ...parts.map(([name, part]) => [name, part, compact(part)])];
  return element("li", {}, `${slope.name}: ${short(kept)}${bound}`,
    element("details", open ? { open: "" } : {}, element("summary", {}, "what every feature contributes"),
      foldedBars(rows, SHOWN_TERMS + 1, { caption: "Slope × distance from the mean of the leaf" })));
}

// ------------------------------------------------------------------ the form

function setState(j, value) {
  state[j] = value;
  currentRow = null;
  remember();
  answer();
}

function buildForm() {
  const form = clear(at("form"));
  form.onsubmit = (event) => event.preventDefault();
  const used = [], others = [];
  page.inputs.forEach((input, j) => (input.used ? used : others).push(field(input, j)));
  form.append(...used);
  if (others.length) {
    form.append(element("details", {}, element("summary", {}, `${plural(others.length, "feature", "features")} that the tree does not use`), others));
  }
}

function field(input, j) {
  const missing = element("input", { type: "checkbox", "aria-label": `${input.name} is missing` });
  const controls = input.kind === "levels" ? levelControls(input, j) : numberControls(input, j);
  missing.checked = state[j] === null;
  missing.addEventListener("change", () => {
    setState(j, missing.checked ? null : input.start === null ? (input.kind === "levels" ? 0 : input.low || 0) : input.start);
    buildForm();
  });
  return element("fieldset", { class: "field", "data-input": j },
    element("legend", {}, input.name),
    element("div", { class: "row" }, controls, element("label", {}, missing, " missing")));
}

function levelControls(input, j) {
  const options = input.levels.map((level, code) => element("option", { value: code }, String(level)));
  options.push(element("option", { value: input.levels.length }, "another level"));
  const select = element("select", { "aria-label": input.name, onchange: () => setState(j, Number(select.value)) }, options);
  select.value = String(state[j] === null ? "" : state[j]);
  select.disabled = state[j] === null;
  return [select];
}

function numberControls(input, j) {
  if (input.kind === "date") {
    const day = element("input", { type: "date", "aria-label": input.name, onchange: () => { if (day.value) setState(j, Date.parse(`${day.value}T00:00:00Z`) / 86400000); } });
    if (state[j] !== null) day.value = dateText(state[j]);
    day.disabled = state[j] === null;
    return [day];
  }
  const number = element("input", { type: "number", step: "any", "aria-label": input.name });
  number.value = state[j] === null ? "" : String(Number(state[j].toPrecision(12)));
  number.disabled = state[j] === null;
  if (input.low === null || !(input.high > input.low)) {
    number.addEventListener("input", () => { if (number.value !== "") setState(j, Number(number.value)); });
    return [number];
  }
  const step = input.whole ? 1 : (input.high - input.low) / 200;
  const range = element("input", { type: "range", min: input.low, max: input.high, step, "aria-label": `${input.name}, slider` });
  range.value = String(state[j] === null ? input.low : state[j]);
  range.disabled = state[j] === null;
  range.addEventListener("input", () => {
    const value = input.whole ? Math.round(Number(range.value)) : Number(Number(range.value).toPrecision(5));
    number.value = String(value);
    setState(j, value);
  });
  number.addEventListener("input", () => {
    if (number.value === "") return;
    range.value = number.value;
    setState(j, Number(number.value));
  });
  return [range, number];
}

// ------------------------------------------------------------------ rows of the data, addresses

function buildRowTools() {
  if (!page.rows) return;
  const select = element("select", { id: "row", onchange: () => chooseRow(select.value === "" ? null : Number(select.value)) },
    element("option", { value: "" }, "none"),
    page.rows.names.map((name, k) => element("option", { value: k }, name)));
  at("row-tools").append(
    element("label", {}, "Row of the data ", select),
    element("button", { type: "button", onclick: () => stepRow(-1) }, "Previous"),
    element("button", { type: "button", onclick: () => stepRow(1) }, "Next"));
}

function stepRow(step) {
  const count = page.rows.states.length;
  const next = currentRow === null ? 0 : (currentRow + step + count) % count;
  at("row").value = String(next);
  chooseRow(next);
}

function chooseRow(k) {
  if (k !== null) state = page.rows.states[k].slice();
  currentRow = k;
  buildForm();
  remember();
  answer();
}

function remember() {
  if (currentRow === null && at("row")) at("row").value = "";
  const address = `#state=${encodeURIComponent(JSON.stringify(state))}`;
  try { history.replaceState(null, "", address); } catch (error) { /* a frame without an address */ }
}

// Take over the state that the address holds, if it fits the model.
function recall() {
  const match = /^#state=(.*)$/.exec(location.hash);
  if (!match) return;
  try {
    const given = JSON.parse(decodeURIComponent(match[1]));
    const fits = Array.isArray(given) && given.length === state.length && given.every((value) => value === null || typeof value === "number");
    if (fits) state = given;
  } catch (error) { /* not an address of ours */ }
}

async function copyAddress() {
  remember();
  let done = false;
  try {
    await navigator.clipboard.writeText(location.href);
    done = true;
  } catch (error) {
    const field = element("textarea", { "aria-hidden": "true" });
    field.value = location.href;
    document.body.append(field);
    field.select();
    done = document.execCommand("copy");
    field.remove();
  }
  at("copied").textContent = done ? "Copied." : "Copy it from the address line.";
}
