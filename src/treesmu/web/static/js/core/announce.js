/** Say a result to a screen reader. */

import { find } from "./dom.js";

/** Put a sentence into the live region of the page. */
export function announce(sentence) {
  find("#announcer").textContent = sentence;
}
