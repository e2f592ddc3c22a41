/** The tabs pattern: arrow keys move between tabs, one tab is in the focus order, its panel is shown. */

import { find } from "./dom.js";

/** Set up the tabs of the page; `choose` is called with the name of the tab that the reader chose. */
export function startTabs(choose) {
  const tabs = [...document.querySelectorAll("[role=tab]")];
  const step = { ArrowRight: 1, ArrowLeft: -1 };
  const moved = (tab) => {
    tab.focus();
    choose(tab.dataset.tab);
  };
  for (const [i, tab] of tabs.entries()) {
    tab.addEventListener("click", () => choose(tab.dataset.tab));
    tab.addEventListener("keydown", (event) => {
      if (event.key in step) moved(tabs[(i + step[event.key] + tabs.length) % tabs.length]);
      else if (event.key === "Home") moved(tabs[0]);
      else if (event.key === "End") moved(tabs.at(-1));
      else return;
      event.preventDefault();
    });
  }
}

/** Show the panel of a tab. */
export function showTab(name) {
  for (const tab of document.querySelectorAll("[role=tab]")) {
    const isChosen = tab.dataset.tab === name;
    tab.setAttribute("aria-selected", String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    find(`#panel-${tab.dataset.tab}`).hidden = !isChosen;
  }
}

/** Return the names of all tabs. */
export function tabNames() {
  return [...document.querySelectorAll("[role=tab]")].map((tab) => tab.dataset.tab);
}
