/** The tab Map: stored expressions by the nearness of their states, coloured by value, and the reader's own among them. */

import { announce } from "../core/announce.js";
import { currentReading } from "../core/analysis.js";
import { get, latest, pause, post } from "../core/api.js";
import { button, element, emptyState, find } from "../core/dom.js";
import { fileName, saveJson } from "../core/download.js";
import { count } from "../core/numbers.js";
import { pictureOf, savePng, saveSvg } from "../tree/picture.js";
import { COLOURED, createScatter, signOf } from "./scatter.js";

const AGAIN = 1000; // milliseconds before asking again for a map that is being computed

/** Set up the tab. `open` shows an expression. */
export function startMapTab(store, open) {
  const status = find("#map-status");
  const load = latest();
  const placing = latest();
  const scatter = createScatter(find("#map-place"), open);
  let map = null;
  let placed = "";

  const show = async ({ tab, model, about }) => {
    if (tab !== "map" || about === null) return;
    if (map?.model === model) {
      place(store.all());
      return;
    }
    find("#map-body").hidden = true;
    try {
      const answer = await load((signal) => ready(model, signal, status));
      if (answer === undefined) return;
      map = { ...answer, model };
      status.replaceChildren();
      find("#map-body").hidden = false;
      scatter.show(answer);
      showClasses(answer, scatter);
      placed = "";
      place(store.all());
    } catch (error) {
      status.replaceChildren(element("p", { class: "failure" }, error.message));
    }
  };
  const place = async ({ tab, reading, text, model }) => {
    const current = currentReading({ reading, text });
    if (tab !== "map" || map?.model !== model || current === null) return;
    const question = JSON.stringify([current.expression, model]);
    if (question === placed) return;
    placed = question;
    if (current.has_blank) {
      scatter.mark([]);
      find("#map-problem").textContent = "The equation has a blank, so its sides cannot be placed.";
      return;
    }
    try {
      const answer = await placing((signal) => post("map/place", { text, model }, signal));
      if (answer === undefined) return;
      scatter.mark(answer.places);
      announce(`${answer.places.map(({ expression }) => expression).join(" and ")}: placed on the map.`);
      find("#map-problem").textContent = "";
    } catch (error) {
      scatter.mark([]);
      find("#map-problem").textContent = `Your expression cannot be placed: ${error.message}`;
    }
  };

  store.on(["tab", "model", "about"], show);
  store.on(["reading"], place);
  find("#map-in").addEventListener("click", scatter.zoomIn);
  find("#map-out").addEventListener("click", scatter.zoomOut);
  find("#map-fit").addEventListener("click", scatter.fit);
  const picture = () =>
    pictureOf(scatter.svg, {
      title: "Expressions by the nearness of their states",
      facts: `t-SNE of the states of ${map.model}; colours are values`,
    });
  find("#map-svg").addEventListener("click", () => saveSvg(picture(), fileName(`map ${map.model}`, "svg")));
  find("#map-png").addEventListener("click", () => savePng(picture(), fileName(`map ${map.model}`, "png")));
  find("#map-json").addEventListener("click", () => saveJson(map, fileName(`map ${map.model}`, "json")));
}

/** Return the map; ask again while it is being computed. */
async function ready(model, signal, status) {
  for (;;) {
    const answer = await get("map", { model }, signal);
    if (answer.status === "ready") return answer;
    if (answer.status === "failed") throw new Error(answer.message);
    status.replaceChildren(element("p", { class: "loading" }, `The map is being computed (${Math.round(answer.seconds)} s) …`));
    await pause(AGAIN, signal);
  }
}

/** List the values that have a colour; a click on one dims the others. */
function showClasses({ classes, points }, scatter) {
  let chosen = null;
  const choose = (i) => {
    chosen = chosen === i ? null : i;
    scatter.highlight(chosen);
    buttons.forEach((other, k) => other.setAttribute("aria-pressed", String(k === chosen)));
  };
  const buttons = classes.slice(0, COLOURED).map(({ name, count: size }, i) => {
    const label = [signOf(i), element("code", {}, name), element("span", { class: "size" }, String(size))];
    return button(label, () => choose(i), { class: "class", "aria-pressed": "false" });
  });
  const others = points.filter((point) => (point.class ?? COLOURED) >= COLOURED).length;
  find("#map-classes").replaceChildren(
    ...buttons.map((item) => element("li", {}, item)),
    element("li", { class: "faint" }, signOf(COLOURED), `${count(others, "expression")} of other values`),
  );
  const members = classes.map(({ name }, i) => [
    name,
    points.filter((point) => point.class === i).map(({ expression }) => expression),
  ]);
  const lines = members.map(([name, all]) =>
    element("tr", {}, element("th", { scope: "row" }, name), element("td", {}, all.join(", "))),
  );
  const head = element("tr", {}, element("th", { scope: "col" }, "value"), element("th", { scope: "col" }, "expressions"));
  find("#map-table").replaceChildren(
    lines.length
      ? element("table", {}, element("thead", {}, head), element("tbody", {}, ...lines))
      : emptyState("The map is empty."),
  );
}
