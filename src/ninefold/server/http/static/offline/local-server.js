/**
 * Answers the requests of the pages in the browser, as a server would: matches against the computer or on one screen,
 * games, puzzles, lessons, positions, analysis. No DOM.
 *
 * @typedef {import("../lib/types.js").MatchRequest} MatchRequest
 * @typedef {import("../lib/types.js").MatchView} MatchView
 * @typedef {import("./rulebook.js").Rulebook} Rulebook
 * @typedef {import("./saved-matches.js").MatchStore} MatchStore
 * @typedef {import("./saved-matches.js").SavedMatch} SavedMatch
 *
 * @typedef {{method: string, path: string, query: URLSearchParams, token: string | null, body: any}} LocalRequest
 * @typedef {{status: number, body: unknown}} LocalResponse a string, or a document for JSON
 */

import { codedText } from "../lib/messages.js";
import { analysisDoc, hintDoc } from "./values.js";
import { Learning } from "./learning.js";
import { readLog, writeLog } from "./log.js";
import { LocalMatches, StaleVersion } from "./local-matches.js";
import { recordDoc } from "./view.js";
import { Refusal } from "./wording.js";

const NOT_FOUND = ["no_such_match", "no_such_puzzle", "no_such_game", "not_found"];

export class LocalServer {
  /**
   * @param {Rulebook} book
   * @param {MatchStore} store
   * @param {import("./computer.js").Engine} engine
   * @param {() => number} [now]
   */
  constructor(book, store, engine, now = Date.now) {
    this.book = book;
    this.engine = engine;
    this.now = now;
    this.matches = new LocalMatches(book, store, engine, now);
    this.learning = new Learning(book, now);
  }

  /** @param {string} method @param {string} address path and query @param {{token?: string | null, body?: unknown}} [given] */
  async respond(method, address, { token = null, body = {} } = {}) {
    const { pathname, searchParams } = new URL(address, "http://local");
    const request = { method, path: decodeURIComponent(pathname), query: searchParams, token, body };
    try {
      return await this.#route(request);
    } catch (problem) {
      if (problem instanceof Refusal) return this.problem(problem);
      throw problem;
    }
  }

  /** True if matches outlive the page. */
  get keepsMatches() {
    return this.matches.store.lasts;
  }

  /** All matches of this browser, the newest first, with the tokens of their seats. */
  async savedMatches() {
    const loaded = await this.matches.all();
    return loaded.map(({ saved, match }) => ({ view: this.matches.view(saved, match), seats: seatTokens(saved) }));
  }

  /** @param {Refusal} refusal @returns {LocalResponse} */
  problem(refusal) {
    const { code, params, reason } = refusal;
    const [detail, instead] = reason === "offline" ? offlineTexts(refusal) : this.book.wording.refusal(refusal);
    const status = NOT_FOUND.includes(reason) ? 404 : 409;
    const match = refusal instanceof StaleVersion ? { match: refusal.view } : {};
    const document = { type: "about:blank", title: detail, status, reason, code, params: this.book.wording.params(params) };
    const parts = this.book.wording.parts(params);
    return { status, body: { ...document, detail, instead, ...(Object.keys(parts).length ? { parts } : {}), ...match } };
  }

  /** @param {LocalRequest} request @returns {Promise<LocalResponse>} */
  async #route({ method, path, token, body }) {
    const [, first, second = "", third = ""] = path.split("/");
    const ok = (/** @type {unknown} */ document) => ({ status: 200, body: document });
    switch (`${method} /${first}`) {
      case "GET /games":
        return ok(this.book.document.games);
      case "GET /lessons":
        return ok(await this.learning.lesson(second));
      case "GET /puzzles":
        return ok(await (second ? this.learning.puzzle(second) : this.learning.puzzles()));
      case "POST /positions":
        return ok(await this.learning.position(body));
      case "POST /analysis":
        return ok(await this.#analysis(body));
      case "POST /records":
        return ok(await this.#record(body.text));
      case "GET /matches":
        return second ? this.#read(second, third) : ok({ matches: [], next: null });
      case "POST /matches":
        return second ? this.#write(second, third, token, body) : { status: 201, body: await this.matches.create(body) };
      default:
        throw new Refusal("offline");
    }
  }

  /** @param {{game: string, position: string, millis?: number, claims?: boolean | null}} asked */
  async #analysis({ game: id, position, millis = 1000, claims }) {
    const game = await this.book.game(id);
    return analysisDoc(this, game, game.rules.parse(position, game.settleOptions({})), millis, claims ?? game.mustClaim);
  }

  /** @param {string} text */
  async #record(text) {
    if (!text.trimStart().startsWith("{")) throw new Refusal("offline.record");
    const match = await readLog(this.book, text);
    return recordDoc(match, writeLog(match));
  }

  /** @param {string} id @param {string} what @returns {Promise<LocalResponse>} */
  async #read(id, what) {
    const { saved, match } = await this.matches.load(id);
    if (what === "") return { status: 200, body: this.matches.view(saved, match) };
    if (what === "log" || what === "record") return { status: 200, body: writeLog(match) };
    if (what === "hint") return { status: 200, body: await hintDoc(this, match) };
    if (what === "seats") return { status: 200, body: seatTokens(saved) };
    throw new Refusal("offline");
  }

  /** @param {string} id @param {string} what @param {string | null} token @param {any} body @returns {Promise<LocalResponse>} */
  async #write(id, what, token, body) {
    if (what === "actions") return { status: 200, body: await this.matches.act(id, seatOfToken(token), body) };
    if (what === "rematch") return { status: 200, body: { match: await this.matches.rematch(id) } };
    throw new Refusal("offline");
  }
}

/** What only a server can do, in the language of the page. @param {Refusal} refusal */
function offlineTexts({ code, params }) {
  const words = /** @type {Record<string, string>} */ (params);
  return [`${code}.sentence`, `${code}.instead`].map((name) => codedText(name, words));
}

/** The token of a seat. It opens nothing: whoever sits at this browser may play. @param {number} seat */
export const tokenOf = (seat) => `local-${seat}`;

/** @param {string | null} token */
export const seatOfToken = (token) => (token === tokenOf(2) ? 2 : 1);

/** The tokens of the seats that people play. @param {SavedMatch} saved */
export function seatTokens({ holders }) {
  const people = [1, 2].filter((seat) => holders[seat - 1] === "person");
  return Object.fromEntries(people.map((seat) => [seat, tokenOf(seat)]));
}
