/** The address of the page holds what is shown, so that it can be sent to somebody else. */

const STORED = ["tab", "text", "model", "second", "colour", "node", "step", "corpus"];
const PUSHED = ["tab", "opened"]; // these make an entry in the browser's history, the others only change the address

/** Return the values that the address holds, as strings. */
export function stateFromAddress() {
  const given = new URLSearchParams(location.hash.slice(1));
  return Object.fromEntries(STORED.filter((name) => given.has(name)).map((name) => [name, given.get(name)]));
}

/** Keep the address and the store in step. `apply` puts the values of an address into the store. */
export function startPermalink(store, apply) {
  let last = store.all();
  store.on([...STORED, "opened"], (values) => {
    const hash = addressOf(values);
    const isPushed = PUSHED.some((name) => values[name] !== last[name]);
    last = { ...values };
    if (hash === location.hash) return;
    history[isPushed ? "pushState" : "replaceState"](null, "", hash);
  });
  addEventListener("popstate", () => apply(stateFromAddress()));
}

function addressOf(values) {
  const held = STORED.filter((name) => values[name] !== null && values[name] !== undefined && values[name] !== "");
  return `#${new URLSearchParams(held.map((name) => [name, values[name]]))}`;
}
