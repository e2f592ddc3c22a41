/** The tab Complete: what fills the blank, ranked by the model and marked by the numeric check. */

import { announce } from "../core/announce.js";
import { currentReading } from "../core/analysis.js";
import { latest, post } from "../core/api.js";
import { button, element, emptyState, find } from "../core/dom.js";
import { namedFormula } from "../core/mathml.js";
import { count, percent } from "../core/numbers.js";
import { chanceBar, judgement } from "../verdict/chance.js";

const EXAMPLES = ["sin(x)^2 + _ = 1", "1 + tan(x)^2 = _^2", "sin(2x) = 2 sin(x) _", "x * _ = 0", "cosh(x)^2 - _ = 1"];

/** Set up the tab. `open` shows an equation in the tab Tree. */
export function startCompleteTab(store, open) {
  const place = find("#complete-place");
  const run = latest();
  let asked = "";
  const show = async ({ tab, reading, model, top, text }) => {
    if (tab !== "complete") return;
    const current = currentReading({ reading, text });
    if (current === null && reading !== null) return; // the text is being read
    if (!current?.has_blank || !current.is_equation) {
      asked = "";
      place.replaceChildren(...invitation(current, store));
      place.setAttribute("aria-busy", "false");
      await run(async () => {}); // breaks off what is being asked
      return;
    }
    const question = JSON.stringify([current.expression, model, top]);
    if (question === asked) return;
    asked = question;
    place.setAttribute("aria-busy", "true");
    place.replaceChildren(element("p", { class: "loading" }, "Trying fillers …"));
    try {
      const answer = await run((signal) => post("complete", { text, model, top: Number(top) }, signal));
      if (answer === undefined) return;
      place.replaceChildren(table(answer.answers, open));
      announce(inWords(answer.answers));
    } catch (error) {
      asked = "";
      place.replaceChildren(element("p", { class: "failure" }, error.message));
    }
    place.setAttribute("aria-busy", "false");
  };
  store.on(["tab", "reading", "model", "top"], show);
  find("#top").addEventListener("change", (event) => store.set({ top: event.target.value }));
}

function invitation(reading, store) {
  const why = reading?.has_blank
    ? "Only an equation can be completed: write = and another side."
    : "Write _ in the equation, where something is to be found, or try one of these:";
  const examples = EXAMPLES.map((text) =>
    element(
      "li",
      {},
      button(element("code", {}, text), () => store.set({ text, opened: Date.now() }), { class: "example" }),
    ),
  );
  return [emptyState(why), element("ul", { class: "examples" }, ...examples)];
}

function table(answers, open) {
  if (!answers.length) return emptyState("The model has no filler for this blank.");
  const heads = ["rank", "filler", "check", "P(correct) by the model", "equal fillers", ""];
  const lines = answers.map((answer) =>
    element(
      "tr",
      { class: answer.check, role: "row" },
      element("td", { class: "rank", role: "cell" }, String(answer.rank)),
      element(
        "th",
        { scope: "row", role: "rowheader" },
        namedFormula(answer.filler_mathml, answer.filler),
        answer.found_by === "search"
          ? element(
              "span",
              { class: "tag", title: "None of the model's fillers is correct. A search by value found this one." },
              "found by search",
            )
          : null,
      ),
      element("td", { title: answer.explanation, role: "cell" }, judgement(answer.check)),
      element(
        "td",
        { class: "chance-cell", role: "cell" },
        chanceBar(answer.probability, `P(correct) of rank ${answer.rank}`),
        element("span", { class: "number" }, percent(answer.probability)),
      ),
      element("td", { class: "faint also", role: "cell" }, answer.equal.length ? `or ${answer.equal.join(", ")}` : ""),
      element(
        "td",
        { class: "action", role: "cell" },
        button("Fill in", () => open(answer.equation), { "aria-label": `Fill in ${answer.filler}` }),
      ),
    ),
  );
  const head = element(
    "tr",
    { role: "row" },
    ...heads.map((name) =>
      element("th", { scope: "col", role: "columnheader" }, name || element("span", { class: "visually-hidden" }, "fill in")),
    ),
  );
  return element(
    "div",
    { class: "table-frame", tabindex: 0, role: "group", "aria-label": "Fillers" },
    element(
      "table",
      { class: "fillers", role: "table" }, // said again, because on a phone it is drawn as a list
      element("thead", { role: "rowgroup" }, head),
      element("tbody", { role: "rowgroup" }, ...lines),
    ),
  );
}

function inWords(answers) {
  const correct = answers.filter(({ check }) => check === "correct");
  const best = correct.length
    ? ` The first correct one is ${correct[0].filler}, rank ${correct[0].rank}.`
    : " None is correct.";
  return `${count(answers.length, "filler")}.${best}`;
}
