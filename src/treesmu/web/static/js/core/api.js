/** Ask the service. Every failure becomes an ApiError with a sentence for the reader. */

const BUSY = 429;
const ATTEMPTS = 4; // if the service is busy

export class ApiError extends Error {
  constructor(message, { status = 0, position = null, length = 1, remedy = null } = {}) {
    super(remedy ? `${message}: ${remedy}` : message);
    Object.assign(this, { status, position, length: length ?? 1 });
  }
}

/** Return the answer to a POST request with a JSON body. */
export function post(address, body, signal) {
  return answer(`api/${address}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal,
  });
}

/** Return the answer to a GET request. Values that are null or "" are left out of the query, except those of `kept`. */
export function get(address, query = {}, signal, kept = []) {
  const given = Object.entries(query).filter(([name, value]) => kept.includes(name) || (value !== null && value !== ""));
  const search = new URLSearchParams(given.filter(([, value]) => value !== null)).toString();
  return answer(`api/${address}${search ? `?${search}` : ""}`, { signal });
}

async function answer(address, request) {
  for (let attempt = 1; ; attempt += 1) {
    const response = await sent(address, request);
    const content = await response.json().catch(() => null);
    if (response.ok && content !== null) return content;
    if (response.status !== BUSY || attempt === ATTEMPTS) throw failure(response, content);
    await pause(1000, request.signal);
  }
}

async function sent(address, request) {
  try {
    return await fetch(address, request);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError("The service does not answer", { remedy: "is “treesmu serve” still running?" });
  }
}

function failure(response, content) {
  const { message, ...facts } = content?.error ?? { message: `The service answered ${response.status} ${response.statusText}` };
  return new ApiError(message, { ...facts, status: response.status });
}

/** Return a promise of `milliseconds` from now; it is broken off as a request is. */
export function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/** Return a function that runs one job at a time: a new one breaks off the one before, which then returns undefined. */
export function latest() {
  let current = null;
  return async (job) => {
    current?.abort();
    const mine = new AbortController();
    current = mine;
    try {
      const result = await job(mine.signal);
      return mine.signal.aborted ? undefined : result;
    } catch (error) {
      if (mine.signal.aborted) return undefined;
      throw error;
    }
  };
}
