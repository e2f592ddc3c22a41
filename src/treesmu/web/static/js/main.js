/** Put the page together: the state, the address, the field, the tabs. */

import { startAnalysis } from "./core/analysis.js";
import { get, pause } from "./core/api.js";
import { element, find, options } from "./core/dom.js";
import { startPermalink, stateFromAddress } from "./core/permalink.js";
import { createStore } from "./core/store.js";
import { showTab, startTabs, tabNames } from "./core/tabs.js";
import { isDark, startTheme } from "./core/theme.js";
import { startEditor } from "./equation/editor.js";
import { startExamples } from "./equation/examples.js";
import { startToy } from "./help/toy.js";
import { CompareTab } from "./tabs/compare.js";
import { startCompleteTab } from "./tabs/complete.js";
import { startCorpusTab } from "./tabs/corpus.js";
import { startMapTab } from "./tabs/map.js";
import { startTreeTab } from "./tabs/tree.js";

const AGAIN = 3000; // milliseconds after which the models are asked for again, if they are not there
const FIRST = "sin(x)^2 + cos(x)^2 = 1";
const DEFAULTS = { tab: "tree", text: FIRST, model: null, second: null, colour: null, node: null, step: null, corpus: "" };

const store = createStore({
  ...DEFAULTS,
  text: "",
  tab: null, // until the address has been read
  reading: null, // what the service read in the text; null if it cannot be read
  problem: null,
  verdict: null,
  verdictProblem: null,
  trace: null,
  traceProblem: null,
  isCurrent: true, // whether verdict and trace belong to the text
  isLoading: false,
  models: [],
  about: null,
  top: "8",
  offset: 0,
  opened: 0, // when an equation was last opened by a click: an entry of the browser's history
  theme: "",
  width: 0,
});

/** Show another equation, from its beginning. */
function open(text, tab = "tree") {
  store.set({ text, tab, node: null, step: null, opened: Date.now() });
  scrollTo({ top: 0 });
}

/** Put the values of an address into the store; what it does not hold is as at the start. */
function apply(given) {
  const { models } = store.all();
  const known = (name) => models.some((model) => model.name === name);
  const model = known(given.model) ? given.model : (models[0]?.name ?? null);
  const second = known(given.second) ? given.second : (models.find(({ name }) => name !== model)?.name ?? model);
  const tab = tabNames().includes(given.tab) ? given.tab : DEFAULTS.tab;
  const step = /^\d+$/.test(given.step ?? "") ? given.step : null;
  store.set({ ...DEFAULTS, ...given, model, second, tab, step });
}

async function start() {
  startTabs((tab) => store.set({ tab }));
  store.on(["tab"], ({ tab }) => showTab(tab));
  startEditor(store);
  startExamples((text) => open(text, text.includes("_") ? "complete" : "tree"));
  startAnalysis(store);
  startTreeTab(store, open);
  startCompleteTab(store, open);
  new CompareTab(store);
  startMapTab(store, open);
  startCorpusTab(store, open);
  startToy();
  startTheme(() => store.set({ theme: isDark() ? "dark" : "light" }));
  store.on(["models", "model"], ({ models, model }) => {
    find("#model").replaceChildren(...options(models.map(({ name }) => [name, name])));
    if (model !== null) find("#model").value = model;
    find("#model-description").textContent = models.find(({ name }) => name === model)?.description ?? "";
  });
  find("#model").addEventListener("change", (event) => store.set({ model: event.target.value }));
  new ResizeObserver(() => store.set({ width: document.body.clientWidth })).observe(document.body);
  const isComplete = await loadFacts();
  apply(stateFromAddress());
  startPermalink(store, apply);
  document.documentElement.dataset.ready = "yes";
  if (!isComplete) await loadFactsLater();
}

/** Load the models and the limits; return whether there are any, and say why not. */
async function loadFacts() {
  const place = find("#start-problem");
  try {
    const [models, about] = await Promise.all([get("models"), get("about")]);
    store.set({ models, about });
    find("#version").textContent = `treesmu ${about.version}`;
    place.replaceChildren();
    return true;
  } catch (error) {
    place.replaceChildren(element("p", { class: "failure" }, error.message));
    return false;
  }
}

/** Ask again until the service has its models: on a busy machine it may need longer than one answer may take. */
async function loadFactsLater() {
  do await pause(AGAIN);
  while (!(await loadFacts()));
  apply(stateFromAddress());
}

start();
