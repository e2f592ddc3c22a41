/** The first tab: the verdict, the curves, the tree, and the chosen node. */

import { find, toggle } from "../core/dom.js";
import { showNeighbours } from "../node/neighbours.js";
import { nodePanel } from "../node/panel.js";
import { TreeCard } from "../tree/card.js";
import { pathOf } from "../tree/items.js";
import { showCurves } from "../verdict/plot.js";
import { showNoVerdict, showVerdict } from "../verdict/verdict.js";
import { explain } from "../verdict/why.js";

/** Set up the tab. `open` shows another equation. */
export function startTreeTab(store, open) {
  const card = new TreeCard(store);
  const isShown = () => store.get("tab") === "tree"; // what is hidden has no width to be arranged in
  const showAll = () => {
    card.show();
    toggle(find("#node-card"), card.isDrawn);
    if (card.isDrawn) showNode(card, open);
  };
  const whenDrawn = (names, act) => store.on(names, () => card.isDrawn && act());

  store.on(["trace", "traceProblem", "tab"], () => isShown() && showAll());
  whenDrawn(["width"], () => card.view.arrange());
  whenDrawn(["node"], () => {
    card.view.select(card.item.key);
    showNode(card, open);
  });
  whenDrawn(["step"], () => {
    const item = card.showStep();
    if (item !== null && store.get("step") !== null) card.select(item.key);
  });
  whenDrawn(["colour", "theme"], () => {
    card.recolour();
    showNode(card, open);
  });
  store.on(["verdict", "verdictProblem", "trace"], (values) => showVerdictOf(values, { select: card.select, open }));
  showVerdictOf(store.all(), {});
  store.on(["verdict", "width", "tab"], ({ verdict }) => isShown() && showCurves(find("#curve-card"), verdict));
  store.on(["isCurrent", "isLoading", "problem"], showBusy);
}

function showNode(card, open) {
  const { item, view } = card;
  find("#node-place").replaceChildren(nodePanel(item, view.items, view.trace, { select: card.select }));
  const near = find("#node-neighbours");
  toggle(near, item.node !== null);
  if (item.node !== null) showNeighbours(near, view.trace, pathOf(item.key), open);
}

function showVerdictOf({ verdict, verdictProblem, trace }, actions) {
  const card = find("#verdict-card");
  const whyNot = trace ? "This is an expression. Write an equation, with =, to have it judged." : "No equation yet.";
  if (verdict === null) showNoVerdict(card, verdictProblem ?? whyNot);
  else showVerdict(card, verdict, () => explain(verdict, actions));
}

function showBusy({ isCurrent, isLoading, problem, trace }) {
  const results = find("#panel-tree");
  toggle(find("#stale-note"), problem !== null && trace !== null);
  results.classList.toggle("stale", !isCurrent);
  results.setAttribute("aria-busy", String(isLoading));
}
