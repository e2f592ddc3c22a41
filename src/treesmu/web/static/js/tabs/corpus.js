/** The tab Corpus: the equations of a corpus with what the model says, filtered, sorted, and opened at a click. */

import { announce } from "../core/announce.js";
import { get, latest, pause } from "../core/api.js";
import { element, emptyState, find, options, toggle } from "../core/dom.js";
import { namedFormula } from "../core/mathml.js";
import { count, percent } from "../core/numbers.js";
import { chanceBar, judgement } from "../verdict/chance.js";

const LIMIT = 20;
const AGAIN = 1500; // milliseconds before asking again while the model is still reading the corpus
const FIELDS = ["depth_from", "depth_to", "label", "kind", "outcome", "sort"];
const NO_KIND = "none"; // in the select: "" is "all kinds" there, and the kind of a plain equation in the service
const SORTS = { row: "row", confident_and_wrong: "confident_and_wrong" };

/** Set up the tab. `open` shows an equation in the tab Tree. */
export function startCorpusTab(store, open) {
  const form = find("#corpus-filters");
  const run = latest();
  const field = (name) => form.elements.namedItem(name);
  const query = () => ({
    ...Object.fromEntries(FIELDS.map((name) => [name, field(name).value])),
    offset: Number(store.get("offset")),
  });

  const show = async ({ tab, model, about }) => {
    if (tab !== "corpus" || about === null) return;
    toggle(form, about.corpus !== null);
    if (about.corpus === null) {
      find("#corpus-place").replaceChildren(
        emptyState(
          "No corpus was given. Start the explorer with one: ",
          element("code", {}, "treesmu serve --corpus CORPUS"),
          ". The command ",
          element("code", {}, "treesmu generate CORPUS"),
          " makes one.",
        ),
      );
      return;
    }
    await run(async (signal) => {
      for (;;) {
        const answer = await page(query(), model, signal);
        showPage(answer, about.corpus, Number(store.get("offset")), open, (offset) => store.set({ offset }));
        if (answer.status !== "computing") return;
        await pause(AGAIN, signal);
      }
    }).catch((error) => find("#corpus-place").replaceChildren(element("p", { class: "failure" }, error.message)));
  };
  const restore = ({ corpus }) => {
    const given = new URLSearchParams(corpus ?? "");
    for (const name of FIELDS) field(name).value = given.get(name) ?? (name === "sort" ? SORTS.row : "");
  };
  store.on(["about"], ({ about }) => {
    if (about?.corpus) fillKinds(field("kind"), about.corpus);
    restore(store.all());
  });
  store.on(["corpus"], restore);
  store.on(["tab", "model", "about", "corpus", "offset"], show);
  form.addEventListener("change", () => {
    const given = FIELDS.map((name) => [name, field(name).value]).filter(([, value]) => value !== "");
    store.set({ corpus: new URLSearchParams(given).toString(), offset: 0 });
  });
  form.addEventListener("submit", (event) => event.preventDefault());
}

function fillKinds(select, corpus) {
  const pairs = corpus.kinds.map((kind) => [kind || NO_KIND, kind || "(none)"]);
  select.replaceChildren(...options([["", "all"], ...pairs]));
}

function page(query, model, signal) {
  const kept = query.kind ? ["kind"] : [];
  const kind = query.kind === NO_KIND ? "" : query.kind || null;
  return get("corpus", { ...query, kind, model, limit: LIMIT }, signal, kept);
}

function showPage(answer, corpus, offset, open, turn) {
  const place = find("#corpus-place");
  const progress =
    answer.status === "computing"
      ? element(
          "p",
          { class: "loading" },
          `The model has read ${answer.scored.toLocaleString("en")} of ${count(answer.rows, "equation")} …`,
        )
      : null;
  const message = answer.message ? element("p", { class: "note" }, answer.message) : null;
  const last = Math.min(offset + LIMIT, answer.matching);
  const range = answer.matching
    ? `${(offset + 1).toLocaleString("en")}–${last.toLocaleString("en")} of ${count(answer.matching, "equation")}`
    : "No equation";
  const turnTo = (label, to, isPossible) =>
    element("button", { type: "button", onclick: () => turn(to), disabled: !isPossible }, label);
  const pages = element(
    "nav",
    { class: "pages", "aria-label": "Pages of the corpus" },
    turnTo("← previous", Math.max(0, offset - LIMIT), offset > 0),
    element("span", { role: "status" }, `${range} (corpus ${corpus.name})`),
    turnTo("next →", offset + LIMIT, last < answer.matching),
  );
  const rows = answer.equations.length ? table(answer.equations, open) : emptyState("No equation passes these filters.");
  place.replaceChildren(...[progress, message, rows, pages].filter(Boolean));
  announce(range);
}

function table(equations, open) {
  const heads = ["equation", "label", "model", "P(correct)", "depth", "kind", "row"];
  const lines = equations.map((one) =>
    element(
      "tr",
      { class: one.is_right === false ? "wrong" : "" },
      element(
        "th",
        { scope: "row" },
        element(
          "button",
          { type: "button", class: "link", title: one.equation, onclick: () => open(one.equation) },
          namedFormula(one.mathml, one.equation),
        ),
      ),
      element("td", {}, judgement(one.label ? "correct" : "incorrect")),
      element(
        "td",
        {},
        one.is_right === null ? "–" : one.is_right ? "right" : element("strong", { class: "warning" }, "wrong"),
      ),
      element(
        "td",
        { class: "chance-cell" },
        ...(one.probability === null
          ? ["–"]
          : [
              chanceBar(one.probability, `P(correct), row ${one.row}`),
              element("span", { class: "number" }, percent(one.probability)),
            ]),
      ),
      element("td", {}, String(one.depth)),
      element("td", {}, one.kind || "–"),
      element("td", { class: "faint" }, String(one.row)),
    ),
  );
  const head = element("tr", {}, ...heads.map((name) => element("th", { scope: "col" }, name)));
  return element(
    "div",
    { class: "table-frame", tabindex: 0, role: "group", "aria-label": "Equations of the corpus" },
    element("table", { class: "corpus" }, element("thead", {}, head), element("tbody", {}, ...lines)),
  );
}
