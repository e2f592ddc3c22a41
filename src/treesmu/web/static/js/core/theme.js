/** Light and dark: as the system has it, until the reader chooses. */

import { find } from "./dom.js";

const KEY = "treesmu-theme";
const prefersDark = matchMedia("(prefers-color-scheme: dark)");

/** Return the theme that was chosen on an earlier visit; "" if none was, or if the browser keeps nothing. */
function remembered() {
  try {
    return localStorage.getItem(KEY) ?? "";
  } catch {
    return "";
  }
}

function remember(theme) {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // a browser that keeps nothing: the choice holds until the page is left
  }
}

/** Return whether the page is dark now. */
export function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : prefersDark.matches;
}

/** Set up the switch; `changed` is called whenever the colours change. */
export function startTheme(changed) {
  const control = find("#theme");
  const show = () => {
    control.setAttribute("aria-pressed", String(isDark()));
    changed();
  };
  document.documentElement.dataset.theme = remembered();
  control.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    remember(document.documentElement.dataset.theme);
    show();
  });
  prefersDark.addEventListener("change", show);
  show();
}
