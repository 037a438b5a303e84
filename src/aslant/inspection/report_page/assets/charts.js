// Bars and pictures. Each picture has a label that says the same in words.

// A table of bars: rows are [name, value, shown]; signed bars grow from the middle.
function barTable(rows, { both = true, color = null, caption = null, greatest = null } = {}) {
  const most = greatest || Math.max(...rows.map((row) => Math.abs(row[1])), 1e-300);
  const body = rows.map(([name, value, shown, own]) => {
    const size = `${Math.min(100, (100 * Math.abs(value)) / most)}%`;
    const paint = own || color || (value < 0 ? "var(--minus)" : "var(--plus)");
    const bar = element("b", { style: `width:${size};background:${paint}` });
    const sides = both
      ? [element("i", {}, value < 0 ? bar : null), element("i", {}, value < 0 ? null : bar)]
      : [element("i", {}, bar)];
    return element("tr", {},
      element("th", { scope: "row" }, name),
      element("td", { "aria-hidden": "true" }, element("div", { class: both ? "bar" : "bar one" }, sides)),
      element("td", { class: "number" }, shown));
  });
  const head = caption ? element("caption", { class: "hint" }, caption) : null;
  return element("table", { class: "bars" }, head, element("tbody", {}, body));
}

// The largest bars, and the rest folded.
function foldedBars(rows, shownFirst, options = {}) {
  const greatest = Math.max(...rows.map((row) => Math.abs(row[1])), 1e-300);
  const first = barTable(rows.slice(0, shownFirst), { ...options, greatest });
  if (rows.length <= shownFirst) return [first];
  const rest = barTable(rows.slice(shownFirst), { ...options, caption: null, greatest });
  const many = rows.length - shownFirst;
  return [first, element("details", {}, element("summary", {}, `and ${plural(many, "smaller one", "smaller ones")}`), rest)];
}

function figure(picture, label, caption) {
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", label);
  return element("figure", {}, picture, element("figcaption", {}, caption));
}

// Rows along a test: stacked by class, or shaded by the mean of the target.
function histogram(node) {
  const { bars, edges, threshold } = node.picture;
  const width = 560, height = 170, left = 6, bottom = 22;
  const counts = bars.map((bar) => (page.classes.length && bar.length > 1 ? bar.reduce((a, b) => a + b, 0) : bar[0]));
  const most = Math.max(...counts, 1);
  const step = (width - 2 * left) / bars.length;
  const means = page.classes.length ? [] : bars.filter((bar) => bar.length > 1 && bar[0] > 0).map((bar) => bar[1]);
  const low = Math.min(...means), high = Math.max(...means);
  const shapes = [];
  bars.forEach((bar, k) => {
    let top = height - bottom;
    const parts = page.classes.length && bar.length > 1 ? bar.map((count, c) => [count, page.colors[c], 1])
      : [[bar[0], page.classes.length ? "var(--soft)" : page.colors[0], bar.length > 1 ? 0.25 + 0.75 * (high > low ? (bar[1] - low) / (high - low) : 1) : 1]];
    for (const [count, color, opacity] of parts) {
      const tall = (count / most) * (height - bottom - 16);
      if (count) shapes.push(drawn("rect", { x: left + k * step, y: top - tall, width: Math.max(0.5, step - (edges ? 0.5 : 8)), height: tall, fill: color, "fill-opacity": opacity }));
      top -= tall;
    }
  });
  shapes.push(drawn("line", { x1: left, x2: width - left, y1: height - bottom, y2: height - bottom, stroke: "var(--soft)" }));
  const text = (x, anchor, content, y = height - 6) => drawn("text", { x, y, "text-anchor": anchor, class: "axis" }, content);
  const total = counts.reduce((a, b) => a + b, 0);
  const rows = plural(total, "row", "rows");
  if (!edges) {
    bars.forEach((_, k) => shapes.push(text(left + (k + 0.5) * step, "middle", cut(node.answers[k], Math.max(3, Math.floor(step / 7))))));
    return figure(drawn("svg", { viewBox: `0 0 ${width} ${height}`, width, height }, shapes), `${rows} by branch: ${counts.join(", ")}`, `The ${rows} by the branch they take.`);
  }
  const zero = left + (-edges[0] / edges[1]) * step;
  shapes.push(drawn("line", { x1: zero, x2: zero, y1: 0, y2: height - bottom, stroke: "var(--ink)", "stroke-width": 1.5 }));
  const [below, above] = node.below ? [node.answers[0], node.answers[1]] : [node.answers[1], node.answers[0]];
  shapes.push(text(zero - 5, "end", `${below} ←`, 11), text(zero + 5, "start", `→ ${above}`, 11));
  shapes.push(text(left, "start", short(threshold + edges[0])), text(width - left, "end", short(threshold + edges[0] + edges[1] * bars.length)));
  if (zero > 60 && zero < width - 60) shapes.push(text(zero, "middle", short(threshold)));
  const split = Math.round(-edges[0] / edges[1]);
  const under = counts.slice(0, split).reduce((a, b) => a + b, 0);
  const filled = node.picture.missing
    ? ` ${plural(node.picture.missing, "row has", "rows have")} missing values, which count as the mean of the node.` : "";
  const shade = page.classes.length ? "" : " Darker bars have a higher mean of the target.";
  return figure(
    drawn("svg", { viewBox: `0 0 ${width} ${height}`, width, height }, shapes),
    `Histogram of ${rows} along the test: ${under} below the threshold ${short(threshold)}, ${total - under} above`,
    `${rows} of the given data along the sum of the test; the line is the threshold.${filled}${shade}`);
}

// A curve or points in a square, with the diagonal; limits are [low, high] of both axes.
function square({ points, limits = [0, 1], line = true, dots = false, labels, name, caption }) {
  const size = 260, margin = 34;
  const [low, high] = limits;
  const place = (v) => margin + ((v - low) / (high - low || 1)) * (size - 2 * margin);
  const x = (v) => place(v), y = (v) => size - place(v);
  const shapes = [
    drawn("rect", { x: margin, y: margin, width: size - 2 * margin, height: size - 2 * margin, fill: "none", stroke: "var(--line)" }),
    drawn("line", { x1: x(low), y1: y(low), x2: x(high), y2: y(high), stroke: "var(--soft)", "stroke-dasharray": "4 4" }),
  ];
  if (line) shapes.push(drawn("polyline", { points: points.map((p) => `${x(p[0])},${y(p[1])}`).join(" "), fill: "none", stroke: "var(--plus)", "stroke-width": 2 }));
  if (dots) points.forEach((p) => shapes.push(drawn("circle", { cx: x(p[0]), cy: y(p[1]), r: line ? 3.5 : 2.2, fill: "var(--plus)", "fill-opacity": line ? 1 : 0.55 })));
  const text = (attributes, content) => drawn("text", { class: "axis", ...attributes }, content);
  shapes.push(
    text({ x: size / 2, y: size - 6, "text-anchor": "middle" }, labels[0]),
    text({ x: 0, y: 0, "text-anchor": "middle", transform: `translate(12 ${size / 2}) rotate(-90)` }, labels[1]),
    text({ x: margin, y: size - margin + 13, "text-anchor": "middle" }, short(low)),
    text({ x: size - margin, y: size - margin + 13, "text-anchor": "middle" }, short(high)));
  return figure(drawn("svg", { viewBox: `0 0 ${size} ${size}`, width: size, height: size }, shapes), name, caption);
}
