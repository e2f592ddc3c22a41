/** The field for the equation: read while a person types, with a preview, and errors below the character they are about. */

import { ApiError, latest, pause, post } from "../core/api.js";
import { element, find } from "../core/dom.js";
import { count } from "../core/numbers.js";
import { formula, wide } from "../core/mathml.js";
import { showProblem, hideProblem } from "./problem.js";

const PAUSE = 120; // milliseconds without a key before the text is read
const PATIENCE = 350; // and before an error is shown: a half-typed equation is not wrong yet

/** Set up the field. The store's `text` is what was typed, `reading` what the service read, and of which text; null if none. */
export function startEditor(store) {
  const field = find("#text");
  const run = latest();
  const read = async (text, wait) => {
    store.set(text.trim() ? { text, problem: null } : { text, problem: null, reading: null });
    if (!text.trim()) {
      hideProblem(field);
      find("#preview").replaceChildren(); // also the preview of an earlier text, if the last one could not be read
      await run(async () => {}); // breaks off what is being read
      return;
    }
    try {
      const reading = await run(async (signal) => {
        await pause(wait, signal);
        const answer = await post("read", { text }, signal);
        if (answer.problem) throw new ApiError(answer.problem.message, answer.problem);
        return { ...answer, text };
      });
      if (reading === undefined) return;
      hideProblem(field);
      store.set({ reading });
    } catch (error) {
      await failed(error, wait);
    }
  };
  const failed = async (error, wait) => {
    const isStill = await run((signal) => pause(wait ? PATIENCE : 0, signal).then(() => true));
    if (!isStill) return;
    showProblem(field, error);
    store.set({ reading: null, problem: error.message });
  };
  const fit = () => {
    field.style.height = "auto";
    field.style.height = `${field.scrollHeight + field.offsetHeight - field.clientHeight}px`;
  };
  field.addEventListener("input", () => {
    if (field.value.includes("\n")) field.value = field.value.replace(/\s*\n\s*/g, " ");
    fit();
    hideProblem(field);
    read(field.value, PAUSE);
  });
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault(); // an equation is one line
    read(field.value, 0);
  });
  store.on(["text"], ({ text }) => {
    if (text === field.value) return;
    field.value = text;
    fit();
    read(text, 0);
  });
  store.on(["reading"], ({ reading }) => showPreview(reading));
  addEventListener("resize", fit);
}

function showPreview(reading) {
  const preview = find("#preview");
  preview.classList.toggle("stale", reading === null);
  if (reading === null) return;
  const facts = [`depth ${reading.depth}`, count(reading.size, "node")];
  if (reading.variables.length)
    facts.push(`${reading.variables.length === 1 ? "variable" : "variables"} ${reading.variables.join(", ")}`);
  preview.replaceChildren(
    wide(formula(reading.mathml, reading.expression, "block"), "The equation as it was read"),
    element("p", { class: "facts" }, facts.join(" · ")),
  );
}
