// Puts the page together.
const OPEN_DEPTH = 3;

function summary() {
  const leaves = leafNode.length;
  const depth = Math.max(...page.nodes.map((node) => node.depth));
  const what = page.classes.length ? `${plural(page.classes.length, "class", "classes")}` : plural(page.outputs, "number", "numbers");
  const score = page.quality ? ` On the given rows: ${page.quality.measures[0].slice(0, 2).join(" ")}.` : "";
  return `${page.estimator}: ${what}, ${plural(leaves, "leaf", "leaves")}, depth ${depth}, ${plural(page.nodes[0].rows, "training row", "training rows")}.${score}`;
}

function start() {
  at("title").textContent = page.title;
  at("summary").textContent = summary();
  document.querySelectorAll("main > section").forEach((section) => {
    if (section.id === "node" || (section.id === "quality" && !page.quality) || (section.id === "effects" && !page.effects.length) || (section.id === "card" && !page.card)) return;
    at("sections").append(element("a", { href: `#${section.id}` }, section.querySelector("h2").textContent));
  });
  page.classes.forEach((name, k) => at("legend").append(element("li", {}, element("span", { style: `background:${page.colors[k]}` }), name)));
  page.remarks.forEach((text) => at("remarks").append(element("li", {}, text)));
  if (page.card) {
    at("card").hidden = false;
    at("card-body").append(pairs(page.card));
  }
  at("search").addEventListener("input", (event) => search(event.target.value));
  at("unfold").addEventListener("click", () => { folded.clear(); drawTree(); });
  at("fold").addEventListener("click", () => { foldDeep(OPEN_DEPTH); choose(0); });
  at("reset").addEventListener("click", () => { state = page.inputs.map((input) => input.start); chooseRow(null); });
  at("copy").addEventListener("click", copyAddress);
  at("flips").hidden = page.classes.length === 0;
  at("flips").addEventListener("toggle", showFlips);
  if (leafNode.length > 12) foldDeep(OPEN_DEPTH);
  recall();
  buildRowTools();
  buildForm();
  answer();
  showNode(0);
  showQuality();
  if (page.quality) showCutoff();
  showCohorts();
  showEffects();
  showImportances();
  showRules();
  showData();
  showMaking();
  const root = document.querySelector(".box .frame");
  const drawing = at("drawing");
  drawing.scrollLeft = Number(root.getAttribute("x")) + WIDE / 2 - drawing.clientWidth / 2;
  addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((one) => { one.open = true; }));
}

start();
