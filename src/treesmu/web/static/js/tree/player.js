/** The slider from the leaves to the root, its buttons, and the arrow keys. */

import { find } from "../core/dom.js";

const EVERY = 900; // milliseconds for each step while it plays

/** Set up the slider. The store's `step` is null when everything is computed, otherwise the number of the step. */
export function startPlayer(store) {
  const slider = find("#steps");
  const play = find("#play");
  let last = 0;
  let timer = null;
  const current = () => (store.get("step") === null ? last : Math.min(last, Number(store.get("step"))));
  const go = (step) => store.set({ step: step >= last ? null : Math.max(0, step) });
  const stop = () => {
    clearInterval(timer);
    timer = null;
    play.textContent = "▶ Play";
  };
  const start = () => {
    if (current() === last) go(0);
    play.textContent = "❚❚ Pause";
    timer = setInterval(() => {
      go(current() + 1);
      if (current() === last) stop();
    }, EVERY);
  };
  slider.addEventListener("input", () => {
    stop();
    go(Number(slider.value));
  });
  play.addEventListener("click", () => (timer === null ? start() : stop()));
  find("#step-back").addEventListener("click", () => go(current() - 1));
  find("#step-on").addEventListener("click", () => go(current() + 1));
  addEventListener("keydown", (event) => {
    const isElsewhere = document.activeElement !== document.body || event.ctrlKey || event.altKey || event.metaKey;
    if (isElsewhere || store.get("tab") !== "tree" || store.get("trace") === null) return;
    if (event.key === "ArrowLeft") go(current() - 1);
    else if (event.key === "ArrowRight") go(current() + 1);
    else return;
    event.preventDefault();
  });
  const show = () => {
    slider.value = current();
    find("#step-number").textContent = `${current()} / ${last}`;
    find("#step-back").disabled = current() === 0;
    find("#step-on").disabled = current() === last;
  };
  store.on(["step"], show);
  return {
    /** Take the number of steps of a new tree. */
    show(number) {
      stop();
      last = number;
      slider.max = last;
      show();
    },
  };
}
