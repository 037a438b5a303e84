// Elements and numbers. Texts from the data only ever become text nodes and attributes.
"use strict";
const page = JSON.parse(document.getElementById("data").textContent);
const SVG = "http://www.w3.org/2000/svg";

function element(name, attributes = {}, ...content) {
  return filled(document.createElement(name), attributes, content);
}

function drawn(name, attributes = {}, ...content) {
  return filled(document.createElementNS(SVG, name), attributes, content);
}

function filled(node, attributes, content) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
  }
  node.append(...content.flat().filter((part) => part !== null && part !== undefined));
  return node;
}

function short(value, digits = 4) {
  if (value === null || value === undefined) return "missing";
  if (value === 0) return "0";
  return String(Number(value.toPrecision(digits)));
}

const signed = (value) => (value < 0 ? "−" : "+") + short(Math.abs(value));
// Beside a bar, where there is little room.
const compact = (value) => {
  const size = Math.abs(value);
  return (value < 0 ? "−" : "+") + (size > 0 && size < 0.001 ? size.toExponential(1) : short(size, 3));
};
const percent = (share) => `${(100 * share).toFixed(share > 0 && share < 0.001 ? 2 : 1)} %`;
const plural = (count, one, many) => `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
const cut = (text, width) => (text.length <= width ? text : `${text.slice(0, width - 1)}…`);
const clear = (node) => { node.replaceChildren(); return node; };
const at = (id) => document.getElementById(id);

function dateText(days) {
  const moment = new Date(days * 86400000);
  return Number.isNaN(moment.getTime()) ? `${short(days)} days` : moment.toISOString().slice(0, 10);
}

// What a state of an input is called.
function stateText(input, state) {
  if (state === null) return "missing";
  if (input.kind === "levels") return state < input.levels.length ? String(input.levels[state]) : "another level";
  return input.kind === "date" ? dateText(state) : short(state, 6);
}
