/** What the service says about the equation that was typed: the verdict and the trace, for the chosen model. */

import { latest, pause, post } from "./api.js";

const PAUSE = 200; // milliseconds, so that a person who types on is not overtaken

const NOTHING = { verdict: null, verdictProblem: null, trace: null, traceProblem: null };

/** Return what was read in the text that is typed now: null before it is read, or if it cannot be read. */
export function currentReading({ reading, text }) {
  return reading?.text === text ? reading : null;
}

/** Ask for verdict and trace whenever the equation or the model changes. */
export function startAnalysis(store) {
  const run = latest();
  let asked = "";
  const clear = async () => {
    asked = "";
    store.set({ ...NOTHING, isCurrent: true, isLoading: false });
    await run(async () => {}); // breaks off what is being asked
  };
  store.on(["text", "reading", "model"], async ({ reading, model, text }) => {
    if (!text.trim()) {
      await clear();
      return;
    }
    const current = currentReading({ reading, text });
    if (current === null) {
      if (reading === null) store.set({ isCurrent: false }); // the text cannot be read
      return; // otherwise it is being read
    }
    const question = JSON.stringify([current.expression, current.has_blank, model]);
    if (question === asked) {
      store.set({ isCurrent: !store.get("isLoading") });
      return;
    }
    asked = question;
    store.set({ isCurrent: false, isLoading: true });
    const found = await run((signal) => analyse(current, model, signal));
    const isCurrent = currentReading(store.all())?.expression === current.expression; // something else may have been typed
    if (found !== undefined) store.set({ ...found, isCurrent, isLoading: false });
  });
}

/** Return verdict and trace, or for each the message that says why there is none. */
export async function analyse(reading, model, signal, wait = PAUSE) {
  if (reading.has_blank) return { ...NOTHING, traceProblem: "blank" };
  const { text } = reading;
  await pause(wait, signal);
  const [verdict, trace] = await Promise.allSettled([
    reading.is_equation ? post("verify", { text, model }, signal) : null,
    post("trace", { text, model }, signal),
  ]);
  return {
    verdict: verdict.value ?? null,
    verdictProblem: verdict.reason?.message ?? null,
    trace: trace.value ?? null,
    traceProblem: trace.reason?.message ?? null,
  };
}
