/** The tab Compare: two models side by side on the same equation. */

import { analyse } from "../core/analysis.js";
import { latest } from "../core/api.js";
import { element, emptyState, find, options } from "../core/dom.js";
import { percent, short } from "../core/numbers.js";
import { drawnLegend, legendEntries } from "../tree/legend.js";
import { quantitiesOf, scaleOf } from "../tree/quantities.js";
import { createTreeView } from "../tree/view.js";
import { chanceBar, judgement } from "../verdict/chance.js";

const SIDES = ["first", "second"];

/** Set up the tab. */
export function startCompareTab(store) {
  const run = latest();
  const views = SIDES.map((side) =>
    createTreeView({ label: `The tree, ${side} model`, onSelect: (key) => store.set({ node: key }) }),
  );
  SIDES.forEach((side, i) => find(`#${side}-tree`).replaceChildren(views[i].element));
  let results = null;
  let asked = "";

  const show = async ({ tab, reading, model, second, models }) => {
    if (tab !== "compare" || models.length < 2) return;
    fillSelects(models, model, second);
    const isReady = reading !== null && !reading.has_blank;
    find("#compare-empty").replaceChildren(
      ...(isReady
        ? []
        : [emptyState(reading ? "The equation has a blank: fill it first." : "Type an equation above, or choose an example.")]),
    );
    find("#compare-place").hidden = !isReady;
    const question = JSON.stringify([reading?.expression, model, second]);
    if (!isReady || question === asked) return;
    asked = question;
    find("#compare-place").setAttribute("aria-busy", "true");
    const found = await run((signal) =>
      Promise.all([model, second].map((name) => analyse(store.get("text"), reading, name, signal, 0))),
    );
    if (found === undefined) return;
    results = found;
    find("#compare-place").setAttribute("aria-busy", "false");
    draw(true);
  };
  const draw = (isNew) => {
    const traces = results.map(({ trace }) => trace);
    const known = commonQuantities(traces);
    const chosen = known.find(({ id }) => id === store.get("colour")) ?? known[0];
    find("#compare-colour").replaceChildren(...options(known.map(({ id, name }) => [id, name])));
    if (chosen) find("#compare-colour").value = chosen.id;
    SIDES.forEach((side, i) => {
      showVerdictOf(find(`#${side}-verdict`), results[i]);
      const quantity = traces[i] ? quantitiesOf(traces[i]).find(({ id }) => id === chosen.id) : null;
      const scale = quantity && scaleOf(quantity, traces.filter(Boolean));
      views[i].element.hidden = traces[i] === null;
      if (traces[i] === null) return;
      if (isNew) views[i].show(traces[i], { quantity, scale, selected: store.get("node"), step: null });
      else views[i].colour(quantity, scale);
      find(`#${side}-legend`).replaceChildren(drawnLegend(legendEntries(traces[i], quantity, scale)));
    });
    showNode();
  };
  const showNode = () => {
    const key = store.get("node");
    const pairs = views.map((view, i) =>
      results[i].trace ? view.current().items.find((item) => item.key === key)?.node : null,
    );
    const place = find("#compare-node");
    if (!pairs.some(Boolean)) {
      place.replaceChildren(emptyState("Choose a node in one of the trees to compare its numbers."));
      return;
    }
    place.replaceChildren(nodeTable(pairs, results));
  };

  store.on(["tab", "reading", "model", "second", "models"], show);
  store.on(["node"], ({ node }) => {
    if (results === null) return;
    views.forEach((view, i) => results[i].trace && view.select(node));
    showNode();
  });
  store.on(["colour", "theme"], () => results !== null && draw(false));
  store.on(["models"], ({ models }) => {
    if (models.length < 2)
      find("#compare-empty").replaceChildren(
        emptyState(
          "There is only one model. Start the explorer with more of them: ",
          element("code", {}, "treesmu serve --models FOLDER"),
          ".",
        ),
      );
    find("#compare-tools").hidden = models.length < 2;
    find("#compare-place").hidden = true;
  });
  find("#first-model").addEventListener("change", (event) => store.set({ model: event.target.value }));
  find("#second-model").addEventListener("change", (event) => store.set({ second: event.target.value }));
  find("#compare-colour").addEventListener("change", (event) => store.set({ colour: event.target.value }));
}

function fillSelects(models, model, second) {
  const pairs = models.map(({ name }) => [name, name]);
  for (const [id, value] of [
    ["#first-model", model],
    ["#second-model", second],
  ]) {
    find(id).replaceChildren(...options(pairs));
    find(id).value = value;
  }
}

/** Return the quantities that all traces have. */
function commonQuantities(traces) {
  const [first, ...others] = traces.filter(Boolean).map(quantitiesOf);
  return (first ?? []).filter(({ id }) => others.every((known) => known.some((other) => other.id === id)));
}

/** Return the quantities that any trace has. */
function allQuantities(traces) {
  const all = traces.filter(Boolean).flatMap(quantitiesOf);
  return all.filter((one, i) => all.findIndex(({ id }) => id === one.id) === i);
}

function showVerdictOf(place, { verdict, verdictProblem, trace, traceProblem }) {
  const problems = [...new Set([verdictProblem, traceProblem])]
    .filter(Boolean)
    .map((text) => element("p", { class: "note" }, text));
  if (verdict === null || verdict.verdict === null) {
    place.replaceChildren(element("p", {}, verdict?.no_verdict ?? (trace ? "An expression has no verdict." : "")), ...problems);
    return;
  }
  const right = { true: "as the check says", false: `the check says ${verdict.check?.label}`, null: "the check is undecided" }[
    String(verdict.agrees)
  ];
  const line = element(
    "p",
    { class: "judged" },
    judgement(verdict.verdict),
    element("span", { class: "big" }, percent(verdict.probability)),
    element("span", { class: verdict.agrees === false ? "warning" : "faint" }, right),
  );
  place.replaceChildren(line, chanceBar(verdict.probability, `P(correct) by ${verdict.model}`), ...problems);
}

function nodeTable(nodes, results) {
  const known = allQuantities(results.map(({ trace }) => trace));
  const value = (quantity, node, trace) => {
    const own = node && quantitiesOf(trace).find(({ id }) => id === quantity.id);
    const found = own ? own.value(node) : null;
    return found === null ? "–" : own.text(found);
  };
  const lines = known.map((quantity) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, quantity.name),
      ...nodes.map((node, i) => element("td", {}, value(quantity, node, results[i].trace))),
    ),
  );
  const heads = ["", ...results.map(({ trace }, i) => trace?.model ?? `model ${i + 1}`)].map((name) =>
    name ? element("th", { scope: "col" }, name) : element("td", {}),
  );
  const expression = nodes.find(Boolean).expression;
  return element(
    "div",
    {},
    element(
      "h3",
      {},
      element("span", {}, "At ", element("code", {}, expression)),
      element("span", { class: "faint" }, `norm ${nodes.map((node) => short(node?.norm)).join(" and ")}`),
    ),
    element("table", { class: "numbers" }, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...lines)),
  );
}
