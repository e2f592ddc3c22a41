/** What the service says about the equation that was typed: the verdict and the trace, for the chosen model. */

import { latest, pause, post } from "./api.js";

const PAUSE = 200; // milliseconds, so that a person who types on is not overtaken

const NOTHING = { verdict: null, verdictProblem: null, trace: null, traceProblem: null };

/** Ask for verdict and trace whenever the equation or the model changes. */
export function startAnalysis(store) {
  const run = latest();
  let asked = "";
  const clear = async () => {
    asked = "";
    await run(async () => {}); // breaks off what is being asked
    store.set({ ...NOTHING, isCurrent: true, isLoading: false });
  };
  store.on(["text"], ({ text }) => !text.trim() && clear());
  store.on(["reading", "model"], async ({ reading, model }) => {
    const question = JSON.stringify([reading?.expression ?? null, reading?.has_blank, model]);
    if (reading === null || question === asked) {
      store.set({ isCurrent: reading !== null });
      return;
    }
    asked = question;
    store.set({ isCurrent: false, isLoading: true });
    const found = await run((signal) => analyse(store.get("text"), reading, model, signal));
    if (found !== undefined) store.set({ ...found, isCurrent: true, isLoading: false });
  });
}

/** Return verdict and trace, or for each the message that says why there is none. */
export async function analyse(text, reading, model, signal, wait = PAUSE) {
  if (reading.has_blank) return { ...NOTHING, traceProblem: "blank" };
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
