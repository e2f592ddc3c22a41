/** The tools above the tree: zoom, unfold, save, and the link. */

import { announce } from "../core/announce.js";
import { find } from "../core/dom.js";
import { fileName, saveJson } from "../core/download.js";
import { percent, short } from "../core/numbers.js";
import { legendEntries } from "./legend.js";
import { pictureOf, savePng, saveSvg } from "./picture.js";

/** Set up the buttons. `colours` returns the chosen quantity and its scale. */
export function startTools(store, view, colours) {
  const picture = () => pictureOf(view.svg, { ...headOf(view.trace), legend: legendOf(view.trace, colours()) });
  const name = (ending) => fileName(view.trace.expression, ending);
  const actions = {
    "zoom-in": () => view.viewport.zoomIn(),
    "zoom-out": () => view.viewport.zoomOut(),
    "zoom-fit": () => view.fit(),
    unfold: () => view.unfoldAll(),
    "save-svg": () => saveSvg(picture(), name("svg")),
    "save-png": () => savePng(picture(), name("png")),
    "save-json": () => saveJson(store.get("trace"), name("json")),
    "copy-link": copyLink,
  };
  for (const [id, act] of Object.entries(actions)) find(`#${id}`).addEventListener("click", act);
}

const legendOf = (trace, { quantity, scale }) => legendEntries(trace, quantity, scale);

function headOf(trace) {
  const facts = `P(correct) ${percent(trace.probability)}; distance of the sides' states ${short(trace.distance)}`;
  return { title: trace.expression, facts: trace.probability === null ? trace.model : `${trace.model}: ${facts}` };
}

async function copyLink() {
  const copying = navigator.clipboard?.writeText(location.href) ?? Promise.reject(new Error("no clipboard"));
  const isCopied = await copying.then(
    () => true,
    () => false, // not allowed by the reader
  );
  announce(isCopied ? "The link is in the clipboard." : "The address of this page is the link.");
  find("#copied").textContent = isCopied ? "copied" : "see the address bar";
}
