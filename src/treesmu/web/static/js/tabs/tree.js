/** The first tab: the verdict, the curves, the tree with its tools, and the chosen node. */

import { announce } from "../core/announce.js";
import { element, emptyState, find, options, toggle, button } from "../core/dom.js";
import { fileName, saveJson } from "../core/download.js";
import { percent, short } from "../core/numbers.js";
import { showNeighbours } from "../node/neighbours.js";
import { nodePanel } from "../node/panel.js";
import { itemsOf, pathOf } from "../tree/items.js";
import { drawnLegend, legendEntries } from "../tree/legend.js";
import { pictureOf, savePng, saveSvg } from "../tree/picture.js";
import { quantitiesOf, scaleOf } from "../tree/quantities.js";
import { sentenceOfStep, stepsOf } from "../tree/steps.js";
import { nodeTable } from "../tree/table.js";
import { createTreeView } from "../tree/view.js";
import { startPlayer } from "../tree/player.js";
import { showCurves } from "../verdict/plot.js";
import { showNoVerdict, showVerdict } from "../verdict/verdict.js";
import { explain } from "../verdict/why.js";

const WHY_NOT = {
  blank: "The equation has a blank: the tab Complete finds what fills it.",
  nothing: "Type an equation above, or choose an example.",
};

/** Set up the tab. `open` shows another equation. */
export function startTreeTab(store, open) {
  const select = (key) => store.set({ node: key });
  const view = createTreeView({ label: "The tree of the equation", onSelect: select });
  const card = find("#tree-card");
  find("#tree-place").replaceChildren(view.element);
  const player = startPlayer(store);

  /** Return the chosen node, or, before one is chosen, the first that has something to show. */
  const nodeKey = (items) => {
    const key = store.get("node");
    if (items.some((item) => item.key === key)) return key;
    const now = store.get("step") === null ? null : stepsOf(items).itemAt(Number(store.get("step")));
    return (now ?? items.find((item) => item.node && item.height) ?? items[0]).key;
  };
  const chosen = () => {
    const known = quantitiesOf(store.get("trace"));
    const quantity = known.find(({ id }) => id === store.get("colour")) ?? known[0];
    return { known, quantity, scale: scaleOf(quantity, [store.get("trace")]) };
  };
  const showTree = ({ trace, traceProblem, step, reading }) => {
    const hasTree = trace !== null;
    for (const part of card.querySelectorAll(".needs-tree")) toggle(part, hasTree);
    const why = WHY_NOT[traceProblem ?? (reading === null ? "nothing" : "")] ?? traceProblem ?? WHY_NOT.nothing;
    find("#tree-empty").replaceChildren(...(hasTree ? [] : [emptyState(why), ...hints(traceProblem, store)]));
    find("#node-card").hidden = !hasTree;
    if (!hasTree) return;
    const { known, quantity, scale } = chosen();
    find("#colour").replaceChildren(...options(known.map(({ id, name }) => [id, name])));
    find("#colour").value = quantity.id;
    find("#trace-note").textContent = trace.note ?? "";
    view.show(trace, { quantity, scale, selected: nodeKey(itemsOf(trace)), step: step === null ? null : Number(step) });
    player.show(view.current().steps.last);
    toggle(find("#unfold"), view.current().folded.size > 0);
    find("#tree-table").replaceChildren(nodeTable(trace, select));
    showLegend(quantity, scale);
    showNode();
    showStep(store.all());
  };
  const showLegend = (quantity, scale) =>
    find("#tree-legend").replaceChildren(drawnLegend(legendEntries(store.get("trace"), quantity, scale)));
  const showNode = () => {
    const { items, trace } = view.current();
    const item = items.find(({ key }) => key === nodeKey(items));
    find("#node-place").replaceChildren(nodePanel(item, items, trace, { select }));
    const near = find("#node-neighbours");
    toggle(near, item.node !== null);
    if (item.node !== null) showNeighbours(near, trace.expression, pathOf(item.key), store.get("model"), open);
  };
  const showStep = ({ trace, step }) => {
    if (trace === null) return;
    const { steps } = view.current();
    const at = step === null ? steps.last : Math.min(Number(step), steps.last);
    view.step(at);
    const sentence = sentenceOfStep(at, steps, trace);
    find("#step-sentence").textContent = sentence;
    find("#steps").setAttribute("aria-valuetext", `step ${at} of ${steps.last}: ${sentence}`);
    return steps.itemAt(at);
  };

  store.on(["trace", "traceProblem"], (values) => showTree(values));
  store.on(["node"], ({ trace }) => {
    if (trace === null) return;
    view.select(nodeKey(view.current().items));
    showNode();
  });
  store.on(["step"], (values) => {
    const item = showStep(values);
    if (item && values.step !== null) select(item.key);
  });
  store.on(["colour", "theme"], ({ trace }) => {
    if (trace === null) return;
    const { quantity, scale } = chosen();
    find("#colour").value = quantity.id;
    view.colour(quantity, scale);
    showLegend(quantity, scale);
    showNode();
  });
  store.on(["verdict", "verdictProblem"], (values) => showVerdictOf(values, { select, open }));
  store.on(["verdict", "width"], ({ verdict }) => showCurves(find("#curve-card"), verdict));
  store.on(["isCurrent", "isLoading"], ({ isCurrent, isLoading }) => showBusy(isCurrent, isLoading));
  find("#colour").addEventListener("change", (event) => store.set({ colour: event.target.value }));
  startTools(store, view, chosen);
}

function hints(traceProblem, store) {
  return traceProblem === "blank" ? [button("Go to Complete", () => store.set({ tab: "complete" }), { class: "primary" })] : [];
}

function showVerdictOf({ verdict, verdictProblem, trace, text, model }, actions) {
  const card = find("#verdict-card");
  if (verdict !== null) showVerdict(card, verdict, () => explain(text, model, actions));
  else
    showNoVerdict(
      card,
      verdictProblem ?? (trace ? "This is an expression. Write an equation, with =, to have it judged." : "No equation yet."),
    );
}

function showBusy(isCurrent, isLoading) {
  const results = find("#panel-tree");
  results.classList.toggle("stale", !isCurrent);
  results.setAttribute("aria-busy", String(Boolean(isLoading)));
}

function startTools(store, view, chosen) {
  find("#zoom-in").addEventListener("click", view.zoomIn);
  find("#zoom-out").addEventListener("click", view.zoomOut);
  find("#zoom-fit").addEventListener("click", view.fit);
  find("#unfold").addEventListener("click", view.unfoldAll);
  const picture = () => {
    const { trace } = view.current();
    const { quantity, scale } = chosen();
    const chance =
      trace.probability === null
        ? ""
        : `: P(correct) ${percent(trace.probability)}; distance of the sides' states ${short(trace.distance)}`;
    return pictureOf(view.svg, {
      title: trace.expression,
      facts: `${trace.model}${chance}`,
      legend: legendEntries(trace, quantity, scale),
    });
  };
  const saves = {
    "save-svg": () => saveSvg(picture(), fileName(store.get("trace").expression, "svg")),
    "save-png": () => savePng(picture(), fileName(store.get("trace").expression, "png")),
    "save-json": () => saveJson(store.get("trace"), fileName(store.get("trace").expression, "json")),
  };
  for (const [id, act] of Object.entries(saves)) find(`#${id}`).addEventListener("click", act);
  find("#copy-link").addEventListener("click", async () => {
    const isCopied = await navigator.clipboard?.writeText(location.href).then(
      () => true,
      () => false,
    );
    announce(isCopied ? "The link is in the clipboard." : "The address of this page is the link.");
    find("#copied").textContent = isCopied ? "copied" : "see the address bar";
  });
}
