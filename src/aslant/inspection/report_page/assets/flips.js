// How near a boundary is, and the smallest changes, of one feature and of several, that change the predicted class.
const NEAR = 0.1; // standard deviations
const GRID = 200, BISECTIONS = 50;

// The distance from the nearest test on the way, in standard deviations; tests of several branches do not count.
function nearestTest(features) {
  let nearest = null;
  const consider = (name, sum, terms) => {
    const size = Math.hypot(...terms.map((term) => term[3]));
    if (size > 0 && (!nearest || Math.abs(sum) / size < nearest.away)) nearest = { name, away: Math.abs(sum) / size };
  };
  way.slice(0, -1).forEach((i) => {
    const node = page.nodes[i];
    if (node.functions.length === 1) consider(node.question, partsOf(node, features, 0).sum, node.functions[0].terms);
  });
  const leaf = page.nodes[way[way.length - 1]];
  if (page.classes.length === 2 && leaf.slopes) {
    const slope = leaf.slopes[0];
    const { parts } = partsOf({ functions: [{ terms: slope.terms, offset: 0 }] }, features, 0);
    consider(`${slope.name} of 0`, parts.reduce((sum, part) => sum + part[1], slope.mean), slope.terms);
  }
  return nearest;
}

function showNearest(features) {
  const nearest = nearestTest(features);
  const text = nearest ? `Nearest boundary: ${short(nearest.away, 2)} standard deviations away (${cut(nearest.name, 60)}).` : "";
  at("nearest").textContent = nearest && nearest.away < NEAR ? `Near a boundary. ${text}` : text;
  at("nearest").classList.toggle("near", Boolean(nearest && nearest.away < NEAR));
}

const labelAt = (j, value) => String(aslantModel.predict(rowOf(state.map((own, k) => (k === j ? value : own)))));

// Values of an input at which a test, with all other inputs as they are, changes its answer.
function breakpoints(j) {
  const features = aslantModel.values(rowOf(state));
  const found = [];
  page.nodes.forEach((node) => (node.functions || []).concat(node.slopes || []).forEach((one) => {
    const own = one.terms.filter((term) => term[4] === j && term[5] < 0);
    if (own.length !== 1) return;
    const start = one.offset === undefined ? one.mean - one.terms.reduce((sum, t) => sum + t[1] * t[2], 0) : one.offset;
    const sum = one.terms.reduce((total, term) => total + term[1] * termValue(term, features), start);
    found.push(state[j] - sum / own[0][1]);
  }));
  return found;
}

// The nearest value of a number at which the answer is another one.
function nearestNumber(j, input, before) {
  const x = state[j];
  const [low, high] = input.low === null ? [-Infinity, Infinity] : [Math.min(input.low, x), Math.max(input.high, x)];
  const points = breakpoints(j).flatMap((v) => [v, v + 1e-9 * (1 + Math.abs(v)), v - 1e-9 * (1 + Math.abs(v))]);
  if (input.low !== null) for (let k = 0; k <= GRID; ++k) points.push(low + ((high - low) * k) / GRID);
  const inside = points.filter((v) => Number.isFinite(v) && v >= low && v <= high && v !== x);
  let best = null;
  for (const side of [1, -1]) {
    let same = x;
    for (const v of inside.filter((p) => Math.sign(p - x) === side).sort((a, b) => side * (a - b))) {
      if (best !== null && Math.abs(v - x) >= Math.abs(best - x)) break;
      if (labelAt(j, v) === before) { same = v; continue; }
      best = closed(j, same, v, before);
      break;
    }
  }
  return best === null ? null : rounded(j, x, best, before);
}

// Between a value with the same answer and one with another: the first with another.
function closed(j, same, other, before) {
  for (let k = 0; k < BISECTIONS; ++k) {
    const middle = (same + other) / 2;
    if (labelAt(j, middle) === before) same = middle; else other = middle;
  }
  return other;
}

// As few digits as keep the new answer, away from the value as it is.
function rounded(j, x, value, before) {
  const whole = page.inputs[j].whole || page.inputs[j].kind === "date";
  const up = value > x;
  if (whole) { const near = up ? Math.ceil(value) : Math.floor(value); if (labelAt(j, near) !== before) return near; }
  for (let digits = 3; digits < 16 && value !== 0; ++digits) {
    const unit = 10 ** (Math.floor(Math.log10(Math.abs(value))) - digits + 1);
    const near = Number(((up ? Math.ceil(value / unit) : Math.floor(value / unit)) * unit).toPrecision(digits));
    if (Math.abs(near - value) <= 0.02 * Math.abs(value - x) && labelAt(j, near) !== before) return near;
  }
  return value;
}

// ---------------------------------------------------------------- several features

const SWEEPS = 400, STRETCHES = [1, 1.001, 1.01, 1.05, 1.2, 1.5, 2];
const FEW_VALUES = 10, LONGER = 1.2; // a change of fewer features may be so much longer

// Inputs that may change: numbers that are known, in standard deviations; whole numbers if they have many values.
const movable = () => page.inputs.map((input, j) => j).filter((j) => {
  const input = page.inputs[j];
  if (input.whole && input.high - input.low <= FEW_VALUES) return false;
  return input.used && input.unit && input.kind !== "levels" && input.kind !== "date" && state[j] !== null;
});

// A linear function at or below zero, as a half-space a . z <= b of the change z; null if it reads nothing that may change.
function halfSpace(terms, sum, sign, inputs) {
  const a = inputs.map((j) => sign * terms.filter((term) => term[4] === j && term[5] < 0).reduce((total, term) => total + term[1] * page.inputs[j].unit, 0));
  return { a, b: -sign * sum, size: a.reduce((total, one) => total + one * one, 0) };
}

// What leads to a leaf: the tests on its way and, with two classes and linear leaves, log-odds of the other sign.
function halfSpacesOf(leaf, features, inputs) {
  const found = [];
  const path = wayTo(leaf);
  for (let k = 0; k + 1 < path.length; ++k) {
    const node = page.nodes[path[k]];
    if (node.functions.length > 1) return null;
    const isBelow = (node.children[0] === path[k + 1]) === node.below;
    found.push(halfSpace(node.functions[0].terms, partsOf(node, features, 0).sum, isBelow ? 1 : -1, inputs));
  }
  const slopes = page.nodes[leaf].slopes;
  if (page.classes.length === 2 && slopes) {
    const { parts } = partsOf({ functions: [{ terms: slopes[0].terms, offset: 0 }] }, features, 0);
    const sum = parts.reduce((total, part) => total + part[1], slopes[0].mean);
    const isSecond = String(aslantModel.predict(rowOf(state))) === page.classes[1];
    found.push(halfSpace(slopes[0].terms, sum, isSecond ? 1 : -1, inputs));
  }
  inputs.forEach((j, k) => {
    const { low, high, unit } = page.inputs[j];
    if (low === null) return;
    const one = inputs.map((_, i) => (i === k ? 1 : 0));
    found.push({ a: one, b: Math.max(high - state[j], 0) / unit, size: 1 }, { a: one.map((v) => -v), b: Math.max(state[j] - low, 0) / unit, size: 1 });
  });
  return found;
}

// The shortest change inside all half-spaces (Hildreth's method), null if there is none.
function shortest(spaces, n) {
  const z = new Array(n).fill(0), pressed = spaces.map(() => 0);
  const excess = ({ a, b }) => a.reduce((total, one, k) => total + one * z[k], -b);
  for (let sweep = 0; sweep < SWEEPS; ++sweep) {
    let moved = 0;
    spaces.forEach((space, i) => {
      if (space.size === 0) return;
      const step = Math.max(-pressed[i], (excess(space) + 1e-9 * Math.sqrt(space.size)) / space.size);
      pressed[i] += step;
      space.a.forEach((one, k) => { z[k] -= step * one; });
      moved = Math.max(moved, Math.abs(step) * Math.sqrt(space.size));
    });
    if (moved < 1e-12) break;
  }
  return spaces.every((space) => excess(space) <= 1e-6 * Math.sqrt(space.size)) ? z : null;
}

// The state after a change.
function changed(z, inputs) {
  const made = [...state];
  inputs.forEach((j, k) => { if (z[k] !== 0) made[j] = state[j] + z[k] * page.inputs[j].unit; });
  return made;
}

const length = (z) => Math.hypot(...z);

const answerOf = (z, inputs) => String(aslantModel.predict(rowOf(changed(z, inputs))));

// The shortest change of some inputs that leads to a leaf and to another answer, null if there is none.
function changeTo(leaf, inputs, before, longest = Infinity) {
  const spaces = halfSpacesOf(leaf, aslantModel.values(rowOf(state)), inputs);
  const z = spaces && shortest(spaces, inputs.length);
  if (!z || length(z) >= longest) return null;
  const flips = (factor) => answerOf(z.map((v) => v * factor), inputs) !== before;
  let other = STRETCHES.find(flips), same = 0;
  if (other === undefined) return null;
  for (let k = 0; page.isSoft && k < BISECTIONS; ++k) {
    const middle = (same + other) / 2;
    if (flips(middle)) other = middle; else same = middle;
  }
  const found = z.map((v) => v * other);
  return length(found) < longest ? found : null;
}

function smallestChange(before) {
  let best = null, inputs = movable();
  leafNode.forEach((leaf) => {
    const z = changeTo(leaf, inputs, before, best ? length(best.z) : Infinity);
    if (z) best = { leaf, inputs, z };
  });
  if (!best) return null;
  // Without the feature that changes least, again and again, while the change stays nearly as short.
  const longest = LONGER * length(best.z);
  while (inputs.length > 1) {
    const sizes = best.z.map(Math.abs);
    inputs = best.inputs.filter((_, k) => k !== sizes.indexOf(Math.min(...sizes)));
    const z = changeTo(best.leaf, inputs, before, longest);
    if (!z) break;
    best = { leaf: best.leaf, inputs, z };
  }
  return { ...best, state: withWholeNumbers(best, before), away: length(best.z) };
}

// Whole numbers are rounded away from what they are, if that keeps the new answer.
function withWholeNumbers({ inputs, z }, before) {
  const exact = changed(z, inputs);
  const made = exact.map((value, j) => (inputs.includes(j) && page.inputs[j].whole ? (value > state[j] ? Math.ceil(value) : Math.floor(value)) : value));
  return String(aslantModel.predict(rowOf(made))) === before ? exact : made;
}

function severalFeatures(before) {
  const found = smallestChange(before);
  if (!found || found.z.filter((v) => v !== 0).length < 2) return [];
  const answer = String(aslantModel.predict(rowOf(found.state)));
  const lines = found.inputs.filter((j, k) => found.z[k] !== 0).map((j) => {
    const [now, then] = [state[j], found.state[j]];
    return element("tr", {}, element("th", { scope: "row" }, page.inputs[j].name), element("td", {}, stateText(page.inputs[j], now)),
      element("td", {}, short(then, 4)), element("td", {}, signed(then - now)));
  });
  return [element("h4", {}, `Several features together (${answer}, ${short(found.away, 2)} standard deviations in all)`),
    element("div", { class: "wide", id: "several" }, element("table", {},
      element("thead", {}, element("tr", {}, ["feature", "now", "to", "change"].map((name) => element("th", { scope: "col" }, name)))), element("tbody", {}, lines)))];
}

function showFlips() {
  const body = clear(at("flips").querySelector("div"));
  if (!at("flips").open) return;
  const before = String(aslantModel.predict(rowOf(state)));
  const lines = [];
  page.inputs.forEach((input, j) => {
    if (!input.used || state[j] === null) return;
    if (input.kind === "levels") {
      const codes = input.levels.map((_, code) => code).filter((code) => code !== state[j] && labelAt(j, code) !== before);
      if (codes.length) lines.push([input.name, codes.map((code) => `${input.levels[code]} (${labelAt(j, code)})`).join(", "), Infinity, j]);
      return;
    }
    const value = nearestNumber(j, input, before);
    if (value === null) return;
    const away = input.unit ? Math.abs(value - state[j]) / input.unit : Infinity;
    const change = input.kind === "date" ? `${Math.round(value - state[j])} days` : signed(value - state[j]);
    lines.push([input.name, `${stateText(input, value)} (${labelAt(j, value)})`, away, j, `${change}${away < Infinity ? `, ${short(away, 2)} standard deviations` : ""}`]);
  });
  lines.sort((a, b) => a[2] - b[2]);
  const several = severalFeatures(before);
  if (!lines.length) { body.append(element("p", {}, "No change of one feature alone does, within the range of the data."), ...several); return; }
  body.append(element("div", { class: "wide" }, element("table", {},
    element("thead", {}, element("tr", {}, ["feature", "now", "to (answer)", "change"].map((name) => element("th", { scope: "col" }, name)))),
    element("tbody", {}, lines.map(([name, to, , j, change]) => element("tr", { "data-flip": j },
      element("th", { scope: "row" }, name), element("td", {}, stateText(page.inputs[j], state[j])), element("td", {}, to), element("td", {}, change || "")))))), ...several);
}
