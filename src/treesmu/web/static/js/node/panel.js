/** The panel of one node: what its children hand up, what it does with it, its stack and its state. */

import { button, element } from "../core/dom.js";
import { formulaOf } from "../core/formulas.js";
import { wide } from "../core/mathml.js";
import { percent, short } from "../core/numbers.js";
import { ACTION_NAMES } from "../tree/quantities.js";
import { heatMap, heatScale, limitOf } from "./heatmap.js";
import { operationAt } from "./operation.js";

/** Return the panel of an item of a tree. `open` shows another expression, `select` another node. */
export function nodePanel(item, items, trace, { select }) {
  if (item.node === null) return sidesPanel(item, items, trace);
  const children = item.children.map((place) => items[place].node);
  const { node } = item;
  const operation = operationAt(node, children, trace.actions);
  const maps = [node.stack, ...children.map((child) => child.stack)];
  const limit = limitOf(...maps, ...(operation ? Object.values(operation.parts) : []));
  const { scale, say } = heatScale(limit);
  const show = (rows, label, more = {}) => heatMap(rows, { limit, label, say, names: rowNames(rows.length), ...more });
  const parts = [heading(item, items, select), actionBars(trace, node)];
  if (node.stack.length && children.length) {
    parts.push(handedUp(trace, node, children, show), operation && mixture(trace, node, operation, show));
  }
  if (node.stack.length) {
    const title = trace.memory_name === "stack" ? "Its stack" : `Its ${trace.memory_name}`;
    const note = children.length ? null : element("p", { class: "faint" }, `A leaf begins with an empty ${trace.memory_name}.`);
    const label = `${trace.memory_name}, norms of the rows ${node.row_norms.map(short).join(", ")}`;
    const map = show(node.stack, label, { norms: node.row_norms });
    map.classList.add("result");
    parts.push(section(title, element("span", { class: "faint" }, "norm"), map, note), scale);
  }
  parts.push(stateSection(trace, node));
  return element("div", { class: "node-panel" }, ...parts);
}

function rowNames(length) {
  return Array.from({ length }, (_, i) => (i === 0 ? "top" : String(i)));
}

function section(title, aside, ...content) {
  return element("section", {}, element("h3", {}, element("span", {}, title), aside), ...content);
}

function heading(item, items, select) {
  const parent = item.parent === null ? null : items[item.parent];
  const up = parent && button("↑ parent", () => select(parent.key), { class: "small" });
  return element("div", { class: "node-head" }, wide(formulaOf(item.expression), "The chosen sub-expression"), up);
}

function actionBars(trace, node) {
  const own = trace.actions.filter((action) => action in node.means);
  const gates = own.length ? own : trace.other_gates.filter((name) => name in node.means);
  if (!gates.length) return null;
  const lines = gates.map((name, i) => {
    const fill = element("span", { class: `fill ${own.length ? name : `gate-${i}`}` });
    fill.style.width = percent(node.means[name], 2);
    return [
      element("dt", {}, ACTION_NAMES[name] ?? `gate ${name}`),
      element(
        "dd",
        {},
        element("span", { class: "track" }, fill),
        element("span", { class: "number", "data-gate": name }, percent(node.means[name], 1)),
      ),
    ];
  });
  return element("dl", { class: "gates" }, ...lines);
}

function handedUp(trace, node, children, show) {
  const maps = children.map((child, k) => {
    const kept = k < node.forget.length ? element("span", { class: "faint" }, `× ${percent(node.forget[k], 0)} kept`) : null;
    return element(
      "div",
      { class: "child" },
      element("p", { class: "caption" }, formulaOf(child.expression), kept),
      show(child.stack, `${trace.memory_name} of ${child.expression}`),
    );
  });
  return section("From its children", null, ...maps);
}

function mixture(trace, node, operation, show) {
  const words = { push: "push: a new row on top", no_op: "no-op: as it was", pop: "pop: the top removed" };
  const lines = trace.actions.map((action) =>
    element(
      "div",
      { class: "outcome" },
      element(
        "p",
        { class: "caption" },
        element("span", { class: `patch ${action}` }),
        words[action],
        element("span", { class: "faint" }, `× ${percent(node.means[action], 0)}`),
      ),
      show(operation.parts[action], words[action]),
    ),
  );
  const about =
    "Added, each row times its kept share, they make one stack. The node does all of this to it at once, in these shares:";
  return section("What it does with them", null, element("p", { class: "faint" }, about), ...lines);
}

function stateSection(trace, node) {
  const map = heatMap([node.state], { limit: limitOf(node.state), label: `state, norm ${short(node.norm)}`, names: ["h"] });
  const facts = [`norm ${short(node.norm)}`];
  if ("o" in node.means) facts.push(`output gate ${percent(node.means.o, 0)}`);
  if (node.other_side !== null) facts.push(`${short(node.other_side)} from the other side's state`);
  return section("Its state", element("span", { class: "faint" }, facts.join(" · ")), map);
}

/** Return the panel of the equality: the states of the two sides, which the model compares. */
function sidesPanel(item, items, trace) {
  const sides = item.children.map((place) => items[place].node);
  const difference = sides[0].state.map((value, i) => value - sides[1].state[i]);
  const limit = limitOf(sides[0].state, sides[1].state);
  const { scale, say } = heatScale(limit);
  const strip = (row, name) => heatMap([row], { limit, label: `state of the ${name}`, names: [name], say });
  const chance = trace.probability === null ? null : `P(correct) = ${percent(trace.probability)}`;
  return element(
    "div",
    { class: "node-panel" },
    element("div", { class: "node-head" }, element("b", { class: "equals" }, "=")),
    section("The two states are compared", null, element("p", {}, `They are ${short(trace.distance)} apart. `, chance)),
    section("States", null, strip(sides[0].state, "left"), strip(sides[1].state, "right"), strip(difference, "difference")),
    scale,
  );
}
