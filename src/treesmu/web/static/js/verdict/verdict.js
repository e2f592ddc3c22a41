/** The verdict: what the model says, what the check says, and whether they agree. */

import { announce } from "../core/announce.js";
import { button, element, emptyState } from "../core/dom.js";
import { exact, percent } from "../core/numbers.js";
import { chanceBar, judgement } from "./chance.js";

/** Fill a card with a verdict. `explain` asks why the model is wrong. */
export function showVerdict(card, verdict, explain) {
  const says = element("div", { class: "verdicts" }, modelSays(verdict), checkSays(verdict));
  card.replaceChildren(element("h2", {}, "Verdict"), says, ...agreement(verdict, explain));
  announce(inWords(verdict));
}

/** Fill the card where there is no verdict. */
export function showNoVerdict(card, sentence) {
  card.replaceChildren(element("h2", {}, "Verdict"), emptyState(sentence));
}

function modelSays(verdict) {
  const title = element("h3", {}, "Model ", element("span", { class: "faint" }, verdict.model));
  if (verdict.verdict === null)
    return element("div", { class: "says" }, title, element("p", {}, verdict.no_verdict ?? "It has no verdict."));
  const line = element(
    "p",
    { class: "judged" },
    judgement(verdict.verdict),
    element("span", { class: "big" }, percent(verdict.probability)),
    element("span", { class: "faint" }, "P(correct)"),
  );
  return element("div", { class: "says" }, title, line, chanceBar(verdict.probability), untrained(verdict.untrained));
}

function untrained(symbols) {
  if (!symbols?.length) return null;
  return element("p", { class: "note" }, `It has not been trained on ${symbols.join(", ")}: its answer is worth little here.`);
}

function checkSays({ check, no_check }) {
  const title = element("h3", {}, "Check ", element("span", { class: "faint" }, "both sides computed at many points"));
  if (check === null) return element("div", { class: "says" }, title, element("p", {}, no_check ?? "There is no check."));
  return element(
    "div",
    { class: "says" },
    title,
    element("p", { class: "judged" }, judgement(check.label), element("span", {}, check.reason)),
    counterexample(check),
  );
}

function counterexample({ counterexample: point, sides }) {
  if (!point || !sides) return null;
  const at = Object.entries(point)
    .map(([name, value]) => `${name} = ${exact(value)}`)
    .join(", ");
  const side = (name, value, colour) =>
    element("span", { class: "side" }, element("span", { class: `swatch ${colour}` }), `${name} ${exact(value)}`);
  const values = [side("left", sides[0], "left"), side("right", sides[1], "right")];
  return element("p", { class: "counterexample" }, at ? `At ${at}: ` : "", ...values);
}

function agreement({ agrees, check, verdict }, explain) {
  if (agrees === true) return [element("p", { class: "agreement agrees" }, "The model and the check agree.")];
  if (agrees === false) {
    const sentence = element(
      "p",
      { class: "agreement disagrees" },
      "The model and the check disagree. ",
      button("Why is it wrong?", explain, { class: "primary", id: "explain" }),
    );
    return [sentence, element("div", { id: "why", "aria-live": "polite" })];
  }
  if (check?.label !== "undecided" || verdict === null) return [];
  return [
    element(
      "p",
      { class: "agreement" },
      "It is true on one part of the real line and false on another: neither answer is right.",
    ),
  ];
}

function inWords({ verdict, probability, check, agrees }) {
  const model = verdict === null ? "The model has no verdict." : `The model says ${verdict}, ${percent(probability)}.`;
  const checked = check === null ? "" : ` The check says ${check.label}: ${check.explanation}.`;
  return `${model}${checked}${agrees === false ? " They disagree." : ""}`;
}
