/** The state of the page: plain values by name; whoever needs one is told when it changes. */

/** Return a store. `set` changes some values and tells each subscriber once; `on` subscribes to names. */
export function createStore(initial) {
  const values = { ...initial };
  const subscribers = [];
  return {
    get: (name) => values[name],
    all: () => ({ ...values }),
    set(changes) {
      const changed = Object.keys(changes).filter((name) => !Object.is(values[name], changes[name]));
      for (const name of changed) values[name] = changes[name];
      for (const { names, tell } of subscribers) {
        if (names.some((name) => changed.includes(name))) tell(values);
      }
    },
    on(names, tell) {
      subscribers.push({ names, tell });
    },
  };
}
