/**
 * The server's REST door. A refusal is a Problem that says what is wrong and what is possible instead. No DOM.
 *
 * @typedef {import("./types.js").View} View
 * @typedef {import("./types.js").Game} Game
 */

const ROOT = "/api/v1";
const PASSING = [0, 429, 502, 503, 504];
const TRIES = 8;
const LONGEST_PAUSE = 5; // seconds

export class Problem extends Error {
  /** @param {Record<string, any>} document */
  constructor(document) {
    super(document.detail || document.title || "Something went wrong.");
    this.name = "Problem";
    /** @type {number} 0 when the server could not be reached */
    this.status = document.status ?? 0;
    /** @type {string} */
    this.reason = document.reason ?? "";
    /** @type {string} */
    this.instead = document.instead ?? "";
    /** @type {View | undefined} */
    this.match = document.match;
    /** @type {number} seconds to wait, 0 when not told */
    this.retryAfter = document.retryAfter ?? 0;
  }

  /** The whole of it in words. */
  get sentence() {
    return `${this.message} ${this.message.includes(this.instead) ? "" : this.instead}`.trim();
  }

  /** Whether the same write may be sent again: it may not have arrived, or the server asks to come back. */
  get passing() {
    return PASSING.includes(this.status);
  }

  /** Whether the server has heard the request and said no. */
  get definite() {
    return this.status >= 400 && this.status < 500 && !this.passing;
  }
}

/**
 * @param {string} method
 * @param {string} path
 * @param {{token?: string | null, body?: unknown, text?: boolean, signal?: AbortSignal}} [more]
 * @returns {Promise<any>}
 */
export async function call(method, path, { token, body, text = false, signal } = {}) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  /** @type {Response} */
  let response;
  try {
    const sent = body === undefined ? undefined : JSON.stringify(body);
    response = await fetch(ROOT + path, { method, headers, body: sent, signal, cache: "no-store" });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Problem({ reason: "unreachable", detail: "The server cannot be reached.", instead: "Try again." });
  }
  if (!response.ok) throw await problemOf(response);
  return text ? response.text() : response.json();
}

/** @param {Response} response */
async function problemOf(response) {
  const retryAfter = Number(response.headers.get("Retry-After")) || 0;
  const plain = { detail: `The server answered ${response.status}.` };
  try {
    return new Problem({ ...plain, ...(await response.json()), status: response.status, retryAfter });
  } catch {
    return new Problem({ ...plain, status: response.status, retryAfter });
  }
}

/** A new id for a write: a repeat of the write carries the same one. */
export function newRequest() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * The same write, again and again until it is answered: under one request id it is done once.
 *
 * @template Answer
 * @param {() => Promise<Answer>} send
 * @param {{tries?: number, troubled?: (problem: Problem) => void}} [how]
 * @returns {Promise<Answer>}
 */
export async function insist(send, { tries = TRIES, troubled = () => {} } = {}) {
  for (let tried = 1; ; tried++) {
    try {
      return await send();
    } catch (problem) {
      if (!(problem instanceof Problem && problem.passing) || tried === tries) throw problem;
      troubled(problem);
      const seconds = problem.retryAfter || Math.min(tried / 2, LONGEST_PAUSE);
      await new Promise((done) => setTimeout(done, seconds * 1000));
    }
  }
}

/** @param {string} path @param {{token?: string, body?: object, tries?: number}} [more] */
function post(path, { token, body = {}, tries } = {}) {
  const named = { ...body, request: newRequest() };
  return insist(() => call("POST", path, { token, body: named }), { tries });
}

const of = (/** @type {string} */ match) => `/matches/${encodeURIComponent(match)}`;

/** @returns {Promise<Game[]>} */
export const games = () => call("GET", "/games");

/** @param {Record<string, unknown>} wish */
export const create = (wish) => post("/matches", { body: wish, tries: 3 });

/**
 * @param {"open" | "live"} state
 * @param {number} limit
 * @param {string | null} [before] where the page before this one ended
 * @returns {Promise<import("./types.js").Page>}
 */
export const list = (state, limit, before = null) =>
  call("GET", `/matches?state=${state}&limit=${limit}${before ? `&before=${encodeURIComponent(before)}` : ""}`);

/**
 * @param {string} match
 * @param {string | null} [token]
 * @returns {Promise<View>}
 */
export const view = (match, token) => call("GET", of(match), { token });

/**
 * @param {string} match
 * @param {import("./match-storage.js").Joining} body
 * @returns {Promise<{seat: number, token: string}>}
 */
export const join = (match, body) => call("POST", `${of(match)}/join`, { body });

/**
 * @param {string} match
 * @param {string} token
 * @param {{version?: number, action: Record<string, unknown>}} body
 */
export const act = (match, token, body) => post(`${of(match)}/actions`, { token, body });

/**
 * @param {string} match
 * @param {string} token
 */
export const handover = (match, token) => post(`${of(match)}/handover`, { token });

/**
 * @param {string} match
 * @param {string} token
 */
export const absent = (match, token) => post(`${of(match)}/absent`, { token });

/**
 * @param {string} match
 * @param {string} token
 */
export const rematch = (match, token) => post(`${of(match)}/rematch`, { token });

/**
 * @param {string} match
 * @param {"log" | "record"} form
 * @param {string | null} [token]
 * @returns {Promise<string>}
 */
export const textOf = (match, form, token) => call("GET", `${of(match)}/${form}`, { token, text: true });

/**
 * @param {string} match
 * @param {string | null} [token]
 * @returns {Promise<import("./types.js").Report>}
 */
export const report = (match, token) => call("GET", `${of(match)}/report`, { token });

/**
 * @param {string} text a record or a log
 * @returns {Promise<import("./types.js").RecordView>}
 */
export const readRecord = (text) => call("POST", "/records", { body: { text } });

/**
 * @param {{game: string, position: string, millis?: number}} body
 * @param {AbortSignal} [signal]
 * @returns {Promise<import("./types.js").Analysis>}
 */
export const analyze = (body, signal) => call("POST", "/analysis", { body, signal });
