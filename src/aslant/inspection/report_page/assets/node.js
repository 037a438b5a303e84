// The chosen node in full: its test as bars, formula and picture; or what a leaf says.
const SHOWN_TERMS = 6;

function showNode(i) {
  const node = page.nodes[i];
  const body = clear(at("node-body"));
  const isLeaf = node.children.length === 0;
  at("node-heading").textContent = isLeaf ? `Leaf (node ${i})` : `Test of node ${i}`;
  body.append(element("p", {}, `${plural(node.rows, "training row", "training rows")}, ${percent(node.share)} of ${page.isWeighted ? "their weight" : "all"}. ${isLeaf ? "" : `As a leaf it would say ${node.outcome[0]}.`}`));
  if (isLeaf) body.append(...leafParts(node));
  else body.append(...testParts(node));
}

function testParts(node) {
  const parts = [];
  node.functions.forEach((one, k) => {
    if (node.functions.length > 1) parts.push(element("h3", {}, node.answers[k]));
    if (one.terms.length) {
      const rows = one.terms.map((term) => [term[0], term[3], compact(term[3])]);
      parts.push(...foldedBars(rows, SHOWN_TERMS, { caption: "Coefficient × standard deviation: how much each feature moves the sum." }));
    }
  });
  parts.push(element("h3", {}, "Formula"), element("div", { class: "formula" }, node.formula.join("\n")));
  if (node.picture) parts.push(histogram(node));
  return parts;
}

function leafParts(node) {
  const parts = [element("p", { class: "prediction" }, node.outcome.join(", "))];
  if (node.interval) parts.push(element("p", {}, `${percent(page.coverage)} of the residuals of the leaf are from ${signed(node.interval[0])} to ${signed(node.interval[1])}.`));
  if (page.classes.length) {
    const total = node.values.reduce((a, b) => a + b, 0) || 1;
    const rows = page.classes.map((name, k) => [name, node.values[k] / total, `${short(node.values[k], 6)}`, page.colors[k]]);
    parts.push(barTable(rows, { both: false, greatest: 1, caption: page.isWeighted ? "Weight of the training rows by class" : "Training rows by class" }));
  }
  (node.slopes || []).forEach((slope) => {
    if (!slope.terms.length) return;
    const rows = slope.terms.map((term) => [term[0], term[3], compact(term[3])]);
    parts.push(...foldedBars(rows, SHOWN_TERMS, { caption: `Slope × standard deviation: how much each feature moves the ${slope.name}.` }));
  });
  return parts;
}
