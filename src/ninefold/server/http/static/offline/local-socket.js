/**
 * A socket to a match in this browser: it has the messages of the server's WebSocket. No DOM.
 *
 * @typedef {import("./local-server.js").LocalServer} LocalServer
 */

import { seatOfToken } from "./local-server.js";
import { Refusal } from "./wording.js";

const BEAT_EVERY = 15_000; // milliseconds, as a server

export class LocalSocket {
  #end = () => {};
  #size = -1; // events that were sent
  /** @type {Promise<void>} messages are answered one after the other */
  #last = Promise.resolve();

  /** @param {() => Promise<LocalServer>} open @param {string} match */
  constructor(open, match) {
    this.match = match;
    this.isClosed = false;
    /** @type {(() => void) | null} */
    this.onopen = null;
    /** @type {((event: {data: string}) => void) | null} */
    this.onmessage = null;
    /** @type {(() => void) | null} */
    this.onclose = null;
    this.server = open();
    this.server.then(
      () => this.isClosed || this.onopen?.(),
      () => this.onclose?.(),
    );
  }

  /** @param {string} text */
  send(text) {
    this.#last = this.#last.then(() => this.#take(JSON.parse(text))).catch((problem) => this.#fail(problem));
  }

  close() {
    this.isClosed = true;
    clearInterval(this.beat);
    this.#end();
  }

  /** @param {unknown} problem */
  #fail(problem) {
    if (problem instanceof Refusal) return void this.#refuse(problem, null);
    console.error(problem);
    if (!this.isClosed) this.onclose?.();
  }

  /** @param {object} message */
  #tell(message) {
    if (!this.isClosed) this.onmessage?.({ data: JSON.stringify(message) });
  }

  /** @param {any} message */
  async #take(message) {
    if (message.type === "ping") return this.#tell({ type: "pong" });
    if (message.type === "hello") return this.#welcome(message.token ?? null);
    return this.#act(message);
  }

  /** @param {string | null} token */
  async #welcome(token) {
    const server = await this.server;
    this.seat = seatOfToken(token);
    this.#end = server.matches.store.subscribe((id) => id === this.match && void this.#sendChange());
    const view = await this.#view();
    this.#tell({ type: "welcome", role: String(this.seat), seat: this.seat, view });
    this.beat = setInterval(() => this.#tell({ type: "beat", now: server.now() }), BEAT_EVERY);
    this.#computer();
  }

  async #view() {
    const { matches } = await this.server;
    const { saved, match } = await matches.load(this.match);
    this.#size = match.events.length;
    return matches.view(saved, match);
  }

  async #sendChange() {
    const after = this.#size;
    const view = await this.#view();
    if (view.size > after || view.rematch) this.#tell({ type: "events", events: [], view });
    this.#computer();
  }

  /** Lets the computer act, in this tab. */
  #computer() {
    void this.server.then(({ matches }) => matches.letComputerAct(this.match)).catch((problem) => this.#fail(problem));
  }

  /** @param {{request: string, version?: number, action: import("./match.js").Action}} message */
  async #act({ request, version, action }) {
    const server = await this.server;
    try {
      const answer = await server.matches.act(this.match, this.seat ?? 1, { version, action });
      this.#tell({ type: "answer", request, ...answer });
    } catch (problem) {
      if (!(problem instanceof Refusal)) throw problem;
      await this.#refuse(problem, request);
    }
  }

  /** @param {Refusal} problem @param {string | null} request null if the computer's action is refused, or the match itself */
  async #refuse(problem, request) {
    const { body } = (await this.server).problem(problem);
    this.#tell({ .../** @type {object} */ (body), type: "refused", request });
  }
}
