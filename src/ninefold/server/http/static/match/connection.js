/**
 * One connection to a match that comes back by itself. What was sent and not answered is sent again under the same
 * request id, so that nothing is lost and nothing is done twice. No DOM.
 *
 * @typedef {import("../lib/types.js").View} View
 *
 * @typedef {object} State
 * @property {"connecting" | "open" | "lost" | "caught-up" | "refused" | "closed"} name
 * @property {number} [retryIn] milliseconds until the next attempt
 * @property {number} [missed] events that happened meanwhile
 * @property {Problem} [problem] why the server does not let us in
 *
 * @typedef {object} Listener
 * @property {(state: State) => void} changed
 * @property {(message: Record<string, any>) => void} heard
 *
 * @typedef {object} World what a test replaces
 * @property {(url: string) => WebSocket} open
 * @property {(run: () => void, ms: number) => any} later
 * @property {(timer: any) => void} cancel
 * @property {() => number} random
 */

import { Problem, newRequest } from "../lib/api.js";

const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;
const SILENCE = 40_000; // the server beats every 15 seconds
const PONG = 5_000;

/** @type {World} */
const BROWSER = {
  open: (url) => new WebSocket(url),
  later: (run, ms) => setTimeout(run, ms),
  cancel: (timer) => clearTimeout(timer),
  random: Math.random,
};

export class Connection {
  /**
   * @param {{url: string, token?: string | null, after?: number | null, listener: Listener}} to
   * @param {Partial<World>} [world]
   */
  constructor({ url, token = null, after = null, listener }, world = {}) {
    this.url = url;
    this.token = token;
    this.after = after;
    this.listener = listener;
    this.world = { ...BROWSER, ...world };
    /** @type {Map<string, {message: Record<string, unknown>, done: (answer: any) => void, failed: (problem: Problem) => void}>} */
    this.unanswered = new Map();
    /** @type {WebSocket | null} */
    this.socket = null;
    this.attempts = 0;
    this.welcomed = false;
    this.wasLost = false;
    /** @type {number | null} */
    this.told = null; // how long the server asked us to wait
    /** @type {State} */
    this.state = { name: "closed" };
  }

  start() {
    this.#become({ name: this.wasLost ? "lost" : "connecting", retryIn: 0 });
    this.world.cancel(this.retry);
    this.welcomed = false;
    const socket = this.world.open(this.url);
    this.socket = socket;
    socket.onopen = () => socket.send(JSON.stringify(this.#hello()));
    socket.onmessage = ({ data }) => socket === this.socket && this.#hear(JSON.parse(data));
    socket.onclose = () => socket === this.socket && this.#lose();
    this.#listen(SILENCE);
  }

  /** Leave for good. */
  stop() {
    this.#drop();
    this.world.cancel(this.retry);
    this.#become({ name: "closed" });
  }

  /** Do not wait any longer, when waiting. */
  retryNow() {
    if (this.state.name === "lost" && !this.socket) this.start();
  }

  /** The network may have changed: ask whether anybody is there, and do not wait long for the answer. */
  check() {
    if (!this.welcomed) return this.retryNow();
    this.socket?.send(JSON.stringify({ type: "ping" }));
    this.#listen(PONG);
  }

  /**
   * @param {Record<string, unknown>} action
   * @param {number} [version]
   * @returns {Promise<any>} the server's answer; rejected with a Problem
   */
  act(action, version) {
    const request = newRequest();
    const message = { type: "act", request, ...(version === undefined ? {} : { version }), action };
    return new Promise((done, failed) => {
      this.unanswered.set(request, { message, done, failed });
      if (this.welcomed) this.socket?.send(JSON.stringify(message));
    });
  }

  #hello() {
    return {
      type: "hello",
      ...(this.token ? { token: this.token } : {}),
      ...(this.after === null || this.after < 0 ? {} : { after: this.after }),
    };
  }

  /** @param {Record<string, any>} message */
  #hear(message) {
    this.#listen(SILENCE);
    if (message.view) this.after = Math.max(this.after ?? -1, message.view.size - 1);
    if (message.type === "refused" && !message.request && !this.welcomed) return this.#turnedAway(new Problem(message));
    if (message.type === "bye") this.told = message.retry_ms ?? FIRST_WAIT;
    if (message.type === "moved") this.token = null;
    if (message.type === "answer") this.#settle(message.request, (waiting) => waiting.done(message));
    if (message.type === "refused") this.#settle(message.request, (waiting) => waiting.failed(new Problem(message)));
    if (message.type === "welcome") this.#welcome(message);
    this.listener.heard(message);
  }

  /** @param {Record<string, any>} message */
  #welcome(message) {
    this.welcomed = true;
    this.attempts = 0;
    this.told = null;
    for (const { message: sent } of this.unanswered.values()) this.socket?.send(JSON.stringify(sent));
    this.#become(this.wasLost ? { name: "caught-up", missed: message.events?.length ?? 0 } : { name: "open" });
    this.wasLost = false;
  }

  /**
   * @param {string} request
   * @param {(waiting: {done: (answer: any) => void, failed: (problem: Problem) => void}) => void} how
   */
  #settle(request, how) {
    const waiting = this.unanswered.get(request);
    this.unanswered.delete(request);
    if (waiting) how(waiting);
  }

  /** @param {Problem} problem */
  #turnedAway(problem) {
    if (problem.passing) return this.#lose();
    this.#drop();
    this.#become({ name: "refused", problem });
  }

  #lose() {
    this.#drop();
    this.wasLost = true;
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.attempts);
    // Everybody is thrown out at once when a server restarts; they must not all come back at once.
    const retryIn = Math.round((this.told ?? wait / 2) + (this.world.random() * wait) / (this.told === null ? 1 : 2));
    this.attempts += 1;
    this.told = null;
    this.#become({ name: "lost", retryIn });
    this.retry = this.world.later(() => this.start(), retryIn);
  }

  #drop() {
    const socket = this.socket;
    this.socket = null;
    this.welcomed = false;
    this.world.cancel(this.silence);
    socket?.close();
  }

  /** @param {number} ms after which silence means that nobody is there */
  #listen(ms) {
    this.world.cancel(this.silence);
    this.silence = this.world.later(() => this.#lose(), ms);
  }

  /** @param {State} state */
  #become(state) {
    this.state = state;
    this.listener.changed(state);
  }
}

/**
 * Where a match's socket is, seen from a page's address.
 *
 * @param {string} match
 * @param {{protocol: string, host: string}} place
 */
export function socketAddress(match, { protocol, host }) {
  return `${protocol === "https:" ? "wss:" : "ws:"}//${host}/api/v1/matches/${encodeURIComponent(match)}/socket`;
}
