/** Give the reader a file. */

import { element } from "./dom.js";

/** Save a blob under a name. */
export function save(blob, name) {
  const address = URL.createObjectURL(blob);
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // after the browser has read it
}

/** Save a value as JSON. */
export function saveJson(value, name) {
  save(new Blob([`${JSON.stringify(value, null, 1)}\n`], { type: "application/json" }), name);
}

/** Return an expression as a file name. */
export function fileName(expression, ending) {
  const plain =
    expression
      .replace(/[^A-Za-z0-9]+/g, "-")
      .replace(/^-|-$/g, "")
      .slice(0, 60) || "tree";
  return `${plain}.${ending}`;
}
