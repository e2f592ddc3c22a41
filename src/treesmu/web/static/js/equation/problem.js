/** An error of the text: the characters are marked, and the message stands below them. */

import { element, find } from "../core/dom.js";

/** Mark the characters that an error is about, if it names any, and show its message. */
export function showProblem(field, error) {
  const mirror = find("#mirror");
  const place = find("#problem");
  const letters = Array.from(field.value); // positions count characters, as Python does, not UTF-16 units
  const message = `${error.message.slice(0, 1).toUpperCase()}${error.message.slice(1)}`;
  place.textContent = /[.?!:]$/.test(message) ? message.replace(/:$/, ".") : `${message}.`;
  place.hidden = false;
  field.setAttribute("aria-invalid", "true");
  if (error.position === null) {
    mirror.replaceChildren();
    place.classList.remove("pointing");
    return;
  }
  const marked = letters.slice(error.position, error.position + error.length).join("");
  const mark = element("mark", { class: marked ? "" : "gap" }, marked || "\u00a0");
  mirror.replaceChildren(
    letters.slice(0, error.position).join(""),
    mark,
    letters.slice(error.position + error.length).join(""),
  );
  const box = mark.getBoundingClientRect();
  const left = box.left + box.width / 2 - place.getBoundingClientRect().left;
  place.classList.add("pointing");
  place.style.setProperty("--caret", `${Math.max(12, left)}px`);
}

/** Remove the marks and the message. */
export function hideProblem(field) {
  find("#mirror").replaceChildren();
  find("#problem").hidden = true;
  find("#problem").textContent = "";
  field.removeAttribute("aria-invalid");
}
