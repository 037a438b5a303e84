// The tree, drawn to the scale of its rows, with nodes that fold.
const WIDE = 190, TALL = 78, GAP = 14, DROP = 58;
const parentOf = new Map(page.nodes.flatMap((node, i) => node.children.map((child) => [child, i])));
const folded = new Set();
let chosen = 0;
let way = [];
let found = new Set();

const wayTo = (i) => (i === undefined ? [] : [...wayTo(parentOf.get(i)), i]);
const leafNode = page.nodes.map((node, i) => i).filter((i) => page.nodes[i].leaf !== undefined);
const leavesBelow = (i) => (page.nodes[i].children.length ? page.nodes[i].children.reduce((n, c) => n + leavesBelow(c), 0) : 1);
const shownChildren = (i) => (folded.has(i) ? [] : page.nodes[i].children);

function foldDeep(depth) {
  folded.clear();
  page.nodes.forEach((node, i) => { if (node.depth >= depth && node.children.length) folded.add(i); });
}

// Leaves are evenly spaced, parents stand above the middle of their children.
function places() {
  const centre = new Map();
  let next = 0;
  const visit = (i) => {
    const below = shownChildren(i);
    below.forEach(visit);
    centre.set(i, below.length ? (centre.get(below[0]) + centre.get(below[below.length - 1])) / 2 : next++);
  };
  visit(0);
  return { centre, leaves: next };
}

function drawTree() {
  const { centre, leaves } = places();
  const depth = Math.max(...[...centre.keys()].map((i) => page.nodes[i].depth));
  const width = leaves * (WIDE + GAP) + GAP;
  const height = (depth + 1) * TALL + depth * DROP + 2 * GAP;
  const x = (i) => GAP + WIDE / 2 + centre.get(i) * (WIDE + GAP);
  const y = (i) => GAP + page.nodes[i].depth * (TALL + DROP);
  const branches = [], boxes = [], answers = [];
  const lit = new Set(way);
  for (const i of centre.keys()) {
    const node = page.nodes[i];
    boxes.push(box(i, x(i) - WIDE / 2, y(i), lit));
    shownChildren(i).forEach((child, k) => {
      const thick = Math.max(1.5, 30 * page.nodes[child].share);
      const [top, bottom] = [y(i) + TALL, y(child)];
      const middle = (top + bottom) / 2;
      branches.push(drawn("path", {
        d: `M${x(i)},${top} C${x(i)},${middle} ${x(child)},${middle} ${x(child)},${bottom}`,
        "stroke-width": thick, class: lit.has(i) && lit.has(child) ? "branch way" : "branch",
      }));
      answers.push(drawn("text", { x: x(child), y: bottom - 7, "text-anchor": "middle", class: "answer" }, cut(node.answers[k], 26)));
    });
  }
  const focus = document.activeElement && document.activeElement.closest && document.activeElement.closest(".box");
  const svg = drawn("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "tree", "aria-label": "The decision tree" }, branches, answers, boxes);
  const drawing = at("drawing");
  const [left, top] = [drawing.scrollLeft, drawing.scrollTop];
  clear(drawing).append(svg);
  drawing.scrollTo(left, top);
  if (focus) focusBox(chosen);
}

function box(i, x, y, lit) {
  const node = page.nodes[i];
  const isLeaf = node.children.length === 0;
  const title = isLeaf ? node.title : node.question;
  const fold = folded.has(i) ? ` (+ ${plural(leavesBelow(i), "leaf", "leaves")})` : "";
  const counts = `${isLeaf ? node.outcome[node.outcome.length - 1] : plural(node.rows, "row", "rows")}${fold}`;
  const classes = ["box", i === chosen && "chosen", lit.has(i) && "way", found.has(i) && "found"].filter(Boolean);
  const shapes = [
    drawn("title", {}, `${isLeaf ? node.outcome.join(", ") : node.formula[0]}`),
    drawn("rect", { class: "frame", x, y, width: WIDE, height: TALL }),
    ...twoLines(title, 26).map((line, k) => drawn("text", { x: x + 8, y: y + 18 + 15 * k }, line)),
    drawn("text", { x: x + 8, y: y + TALL - 23, class: "small" }, cut(counts, 32)),
    ...shareBar(node, x + 8, y + TALL - 15, WIDE - 16, 9),
  ];
  const open = node.children.length ? { "aria-expanded": String(!folded.has(i)) } : {};
  return drawn("g", {
    class: classes.join(" "), role: "treeitem", tabindex: i === chosen ? 0 : -1, "data-node": i, ...open,
    "aria-level": node.depth + 1, "aria-selected": String(i === chosen),
    "aria-label": `${title}, ${counts}${lit.has(i) ? ", on the way of what-if" : ""}`,
    onclick: () => { if (i === chosen && node.children.length) toggle(i); choose(i); },
    onkeydown: (event) => moveFrom(i, event),
  }, shapes);
}

// A text over at most two lines, broken at a space where there is one.
function twoLines(text, width) {
  if (text.length <= width) return [text];
  const space = text.lastIndexOf(" ", width);
  const end = space > width / 3 ? space : width;
  return [text.slice(0, end), cut(text.slice(end).trim(), width)];
}

// The classes of a node side by side; of a regressor, the position of its mean.
function shareBar(node, x, y, width, height) {
  if (!page.classes.length) {
    return [
      drawn("rect", { x, y, width, height, fill: "var(--line)", "fill-opacity": 0.5 }),
      drawn("rect", { x, y, width: Math.max(2, width * node.strength), height, fill: page.colors[0] }),
    ];
  }
  const total = node.values.reduce((a, b) => a + b, 0) || 1;
  let from = x;
  return node.values.map((value, k) => {
    const part = drawn("rect", { x: from, y, width: (width * value) / total, height, fill: page.colors[k] });
    from += (width * value) / total;
    return part;
  });
}

function toggle(i) {
  openedForWay = (openedForWay || []).filter((other) => other !== i);
  if (!folded.delete(i)) folded.add(i);
}

function choose(i, { scroll = false } = {}) {
  wayTo(i).slice(0, -1).forEach((above) => folded.delete(above));
  chosen = i;
  drawTree();
  showNode(i);
  if (scroll) focusBox(i);
}

function focusBox(i) {
  const target = document.querySelector(`.box[data-node="${i}"]`);
  if (target) { target.focus(); target.scrollIntoView({ block: "nearest", inline: "center" }); }
}

function moveFrom(i, event) {
  const node = page.nodes[i];
  const parent = parentOf.get(i);
  const siblings = parent === undefined ? [i] : page.nodes[parent].children;
  const next = {
    ArrowUp: parent,
    ArrowDown: node.children[0],
    ArrowLeft: siblings[siblings.indexOf(i) - 1],
    ArrowRight: siblings[siblings.indexOf(i) + 1],
    Home: 0,
  }[event.key];
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    if (node.children.length) toggle(i);
    choose(i, { scroll: true });
  } else if (next !== undefined) {
    event.preventDefault();
    choose(next, { scroll: true });
  }
}

// Boxes that test a feature or predict a class whose name holds the text.
function search(text) {
  const wanted = text.trim().toLowerCase();
  found = new Set();
  if (wanted) {
    page.nodes.forEach((node, i) => {
      const names = node.children.length
        ? node.functions.flatMap((one) => one.terms.map((term) => term[0]))
        : [page.classes.length && !node.slopes ? page.classes[node.color] : node.outcome[0]];
      if (names.some((name) => name.toLowerCase().includes(wanted))) found.add(i);
    });
    found.forEach((i) => wayTo(i).slice(0, -1).forEach((above) => folded.delete(above)));
  }
  at("found").textContent = wanted ? plural(found.size, "node", "nodes") : "";
  drawTree();
}
