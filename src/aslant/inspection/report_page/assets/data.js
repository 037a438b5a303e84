// The columns of the training table, and what deserves a look in the given rows.
function showData() {
  const body = clear(at("data-body"));
  if (page.data.findings.length) {
    body.append(element("h3", {}, "To check in the given rows"),
      element("ul", {}, page.data.findings.map((text) => element("li", {}, text))));
  }
  body.append(element("details", {}, element("summary", {}, plural(page.data.columns.length, "column", "columns")),
    element("div", { class: "wide" }, element("table", {}, element("tbody", {}, page.data.columns.map(([name, what]) =>
      element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, what))))))));
}
