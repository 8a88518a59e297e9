/**
 * The WebSocket connection to a match, which reconnects. No DOM.
 *
 * Actions that were not answered are sent again with the same request id: nothing is lost, nothing is done twice.
 *
 * @typedef {import("../lib/types.js").Action} Action
 * @typedef {import("../lib/types.js").ActionAnswer} ActionAnswer
 * @typedef {import("../lib/types.js").RefusedMessage} RefusedMessage
 * @typedef {import("../lib/types.js").ServerMessage} ServerMessage
 * @typedef {import("../lib/types.js").WelcomeMessage} WelcomeMessage
 *
 * @typedef {object} ConnectionState
 * @property {"connecting" | "open" | "lost" | "caught-up" | "refused" | "closed"} name
 * @property {number} [retryIn] milliseconds until the next attempt
 * @property {number} [missed] how many events happened meanwhile
 * @property {ApiProblem} [problem] why the server refuses the connection
 *
 * @typedef {object} ConnectionListener
 * @property {(state: ConnectionState) => void} onState
 * @property {(message: ServerMessage) => void} onMessage
 *
 * @typedef {number | ReturnType<typeof setTimeout> | undefined} Timer
 *
 * @typedef {object} Environment what a test replaces
 * @property {(url: string) => WebSocket} openSocket
 * @property {(run: () => void, ms: number) => Timer} setTimer
 * @property {(timer: Timer) => void} clearTimer
 * @property {() => number} random
 *
 * @typedef {object} Unanswered
 * @property {object} message
 * @property {(answer: ActionAnswer) => void} resolve
 * @property {(problem: ApiProblem) => void} reject
 */

import { ApiProblem, newRequestId } from "../lib/api.js";
import { localize } from "../lib/server-texts.js";

const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;
const SILENCE = 40_000; // the server sends a beat every 15 seconds
const PONG_WAIT = 5_000;

/** @type {Environment} */
const BROWSER = {
  openSocket: (url) => new WebSocket(url),
  setTimer: (run, ms) => setTimeout(run, ms),
  clearTimer: (timer) => clearTimeout(timer),
  random: Math.random,
};

export class Connection {
  /**
   * @param {{url: string, token?: string | null, after?: number | null, listener: ConnectionListener}} settings
   * @param {Partial<Environment>} [environment]
   */
  constructor({ url, token = null, after = null, listener }, environment = {}) {
    this.url = url;
    this.token = token;
    /** The index of the last event that is known. */
    this.after = after;
    this.listener = listener;
    this.environment = { ...BROWSER, ...environment };
    /** @type {Map<string, Unanswered>} by request id */
    this.unanswered = new Map();
    /** @type {WebSocket | null} */
    this.socket = null;
    this.attempts = 0;
    this.isWelcome = false;
    this.wasLost = false;
    /** @type {number | null} how long the server asked us to wait */
    this.requestedWait = null;
    /** @type {Timer} */
    this.retryTimer = undefined;
    /** @type {Timer} */
    this.silenceTimer = undefined;
    /** @type {ConnectionState} */
    this.state = { name: "closed" };
  }

  start() {
    this.#setState({ name: this.wasLost ? "lost" : "connecting", retryIn: 0 });
    this.environment.clearTimer(this.retryTimer);
    this.isWelcome = false;
    const socket = this.environment.openSocket(this.url);
    this.socket = socket;
    socket.onopen = () => socket.send(JSON.stringify(this.#hello()));
    socket.onmessage = ({ data }) => socket === this.socket && this.#receive(localize(JSON.parse(data)));
    socket.onclose = () => socket === this.socket && this.#lose();
    this.#expectMessageWithin(SILENCE);
  }

  /** Disconnects for good. */
  stop() {
    this.#drop();
    this.environment.clearTimer(this.retryTimer);
    this.#setState({ name: "closed" });
  }

  /** Reconnects at once if it is waiting to. */
  retryNow() {
    if (this.state.name === "lost" && !this.socket) this.start();
  }

  /** Finds out whether the server still answers: the network may have changed. */
  check() {
    if (!this.isWelcome) return this.retryNow();
    this.socket?.send(JSON.stringify({ type: "ping" }));
    this.#expectMessageWithin(PONG_WAIT);
  }

  /**
   * @param {Action} action
   * @param {number} [version]
   * @returns {Promise<ActionAnswer>} rejected with an ApiProblem
   */
  act(action, version) {
    const request = newRequestId();
    const message = { type: "act", request, ...(version === undefined ? {} : { version }), action };
    return new Promise((resolve, reject) => {
      this.unanswered.set(request, { message, resolve, reject });
      if (this.isWelcome) this.socket?.send(JSON.stringify(message));
    });
  }

  #hello() {
    return {
      type: "hello",
      view: true,
      arrive: false, // a rematch is accepted by a button
      ...(this.token ? { token: this.token } : {}),
      ...(this.after === null || this.after < 0 ? {} : { after: this.after }),
    };
  }

  /** @param {ServerMessage} message */
  #receive(message) {
    this.#expectMessageWithin(SILENCE);
    if ("view" in message && message.view) this.after = Math.max(this.after ?? -1, message.view.size - 1);
    if (message.type === "refused" && !message.request && !this.isWelcome) return this.#refused(problemOf(message));
    if (message.type === "bye") this.requestedWait = message.retry_ms;
    if (message.type === "moved") this.token = null;
    if (message.type === "answer") this.#takeUnanswered(message.request)?.resolve(message);
    if (message.type === "refused") this.#takeUnanswered(message.request)?.reject(problemOf(message));
    if (message.type === "welcome") this.#welcome(message);
    this.listener.onMessage(message);
  }

  /** @param {WelcomeMessage} message */
  #welcome(message) {
    this.isWelcome = true;
    this.attempts = 0;
    this.requestedWait = null;
    for (const { message: sent } of this.unanswered.values()) this.socket?.send(JSON.stringify(sent));
    this.#setState(this.wasLost ? { name: "caught-up", missed: message.events?.length ?? 0 } : { name: "open" });
    this.wasLost = false;
  }

  /** @param {string | null} request */
  #takeUnanswered(request) {
    const waiting = this.unanswered.get(request ?? "");
    this.unanswered.delete(request ?? "");
    return waiting;
  }

  /** @param {ApiProblem} problem */
  #refused(problem) {
    if (problem.isTransient) return this.#lose();
    this.#drop();
    this.#setState({ name: "refused", problem });
  }

  #lose() {
    this.#drop();
    this.wasLost = true;
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.attempts);
    const random = this.environment.random() * wait;
    // Everybody loses the connection at once when a server restarts; they must not all come back at once.
    const retryIn = Math.round(this.requestedWait === null ? wait / 2 + random : this.requestedWait + random / 2);
    this.attempts += 1;
    this.requestedWait = null;
    this.#setState({ name: "lost", retryIn });
    this.retryTimer = this.environment.setTimer(() => this.start(), retryIn);
  }

  #drop() {
    const socket = this.socket;
    this.socket = null;
    this.isWelcome = false;
    this.environment.clearTimer(this.silenceTimer);
    socket?.close();
  }

  /** @param {number} ms after which the connection counts as lost */
  #expectMessageWithin(ms) {
    this.environment.clearTimer(this.silenceTimer);
    this.silenceTimer = this.environment.setTimer(() => this.#lose(), ms);
  }

  /** @param {ConnectionState} state */
  #setState(state) {
    this.state = state;
    this.listener.onState(state);
  }
}

/** @param {RefusedMessage} message */
export function problemOf({ type, ...document }) {
  return new ApiProblem(document);
}

/**
 * The address of a match's socket, on the server that the page came from.
 *
 * @param {string} match
 * @param {{protocol: string, host: string}} page
 */
export function socketAddress(match, { protocol, host }) {
  return `${protocol === "https:" ? "wss:" : "ws:"}//${host}/api/v1/matches/${encodeURIComponent(match)}/socket`;
}
