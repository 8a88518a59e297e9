/**
 * Matches in the browser: creates them, takes actions, and lets the computer act. As server/hosting/handlers.py. No DOM.
 *
 * @typedef {import("../lib/types.js").ActionAnswer} ActionAnswer
 * @typedef {import("../lib/types.js").CreatedMatch} CreatedMatch
 * @typedef {import("../lib/types.js").MatchRequest} MatchRequest
 * @typedef {import("../lib/types.js").MatchView} MatchView
 * @typedef {import("../lib/types.js").Side} Side
 * @typedef {import("./match.js").Action} Action
 * @typedef {import("./match.js").Match} Match
 * @typedef {import("./saved-matches.js").MatchStore} MatchStore
 * @typedef {import("./saved-matches.js").SavedMatch} SavedMatch
 * @typedef {{saved: SavedMatch, match: Match}} LoadedMatch
 */

import { Computer } from "./computer.js";
import { seatTokens } from "./local-server.js";
import { headOf, loggedEvent, replay } from "./log.js";
import { begin } from "./match.js";
import { matchView } from "./view.js";
import { Refusal } from "./wording.js";

/** Local matches are known by the beginning of their ids. */
export const LOCAL = "local-";

const HUMAN = "human";
const OPEN = "open";

/** The match has gone on since it was seen. */
export class StaleVersion extends Refusal {
  /** @param {MatchView} view as it is now */
  constructor(view) {
    super("stale_version", { version: view.version });
    this.view = view;
  }
}

export class LocalMatches {
  /**
   * @param {import("./rulebook.js").Rulebook} book
   * @param {MatchStore} store
   * @param {import("./computer.js").Engine} engine
   * @param {() => number} now
   */
  constructor(book, store, engine, now) {
    this.book = book;
    this.store = store;
    this.now = now;
    this.computer = new Computer(book, engine);
    /** @type {Map<string, Match>} as they were loaded last: events are only added */
    this.known = new Map();
    /** @type {Set<string>} where the computer is thinking */
    this.thinking = new Set();
  }

  /** @param {string} id @returns {Promise<LoadedMatch>} */
  async load(id) {
    const saved = await this.store.get(id);
    if (!saved) throw new Refusal("no_such_match");
    const known = this.known.get(id);
    const match = known?.events.length === saved.events.length ? known : await replay(this.book, saved.head, saved.events);
    this.known.set(id, match);
    return { saved, match };
  }

  /** All matches of this browser, the newest first. @returns {Promise<LoadedMatch[]>} */
  async all() {
    const saved = await this.store.all();
    const loaded = await Promise.allSettled(saved.map(({ id }) => this.load(id)));
    return loaded.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  }

  /** @param {SavedMatch} saved @param {Match} match */
  view(saved, match) {
    return matchView(saved, match, this.now());
  }

  /** @param {MatchRequest} request @returns {Promise<CreatedMatch>} */
  async create(request) {
    const game = await this.book.game(request.game);
    const { seats, sides } = inSeats(request, game.facts.player_1_is_x);
    if (seats.some(({ player }) => player === OPEN)) throw new Refusal("offline.person");
    const wrong = seats.find(({ player }) => ![HUMAN, "random", ...game.document.levels].includes(player));
    if (wrong) throw new Refusal("offline.player", { name: this.book.quoted(wrong.player) });
    const toss = request.first === "toss";
    const first = toss ? (crypto.getRandomValues(new Uint8Array(1))[0] % 2 ? "O" : "X") : request.first;
    const options = { ...request.options, ...(first ? { first } : {}) };
    const setup = seats.map(({ player, name = "" }, place) => ({ side: /** @type {Side} */ (sides[place]), name, player }));
    const match = begin(this.book, game, options, setup, { at: this.now(), seed: request.seed ?? 0, toss });
    const settings = { showMoves: request.show_moves ?? true, showLines: request.show_lines ?? true };
    const saved = await this.#save(match, setup.map(({ player }) => (player === HUMAN ? "person" : "computer")), settings);
    const links = { play: "", invite: {}, watch: "" };
    return { match: saved.id, seats: seatTokens(saved), invitations: {}, watch: null, links };
  }

  /** @param {Match} match @param {SavedMatch["holders"]} holders @param {SavedMatch["settings"]} settings */
  async #save(match, holders, settings) {
    const id = LOCAL + randomId();
    const now = this.now();
    const saved = { id, head: headOf(match), events: [], holders, settings, rematch: null, createdAt: now, changedAt: now };
    return this.store.change(id, () => saved);
  }

  /** @param {string} id @param {number} seat @param {{version?: number | null, action: Action}} body @returns {Promise<ActionAnswer>} */
  async act(id, seat, { version, action }) {
    const loaded = await this.load(id);
    const { saved, match } = loaded;
    const { seat: kinds, unversioned } = this.book.actions;
    if (!kinds.includes(action.kind)) throw new Refusal("no_such_action.seat", { kinds: kinds.join(" ") });
    if (!unversioned.includes(action.kind) && version !== match.version && !match.result)
      throw new StaleVersion(this.view(saved, match));
    const { move } = action;
    const read = typeof move === "string" ? { ...action, move: match.game.parseMoveAt(match.position, move) } : action;
    return this.#append(loaded, seat, read);
  }

  /** Takes an action, if nobody has acted meanwhile in another tab. @param {LoadedMatch} loaded @param {number} seat @param {Action} action */
  async #append({ saved, match }, seat, action) {
    const now = this.now();
    const after = match.act(seat, action, now);
    const index = match.events.length;
    const added = after.events.slice(index).map((event) => loggedEvent(this.book, event));
    await this.store.change(saved.id, (current) => {
      if (current?.events.length !== index) throw new StaleVersion(this.view(saved, match));
      return { ...current, events: [...current.events, ...added], changedAt: now };
    });
    this.known.set(saved.id, after);
    const events = added.map((event, place) => ({ index: index + place, ...event }));
    return { version: after.version, index, events, replayed: false };
  }

  /** Lets the computer act where it is to act, until it is somebody else's turn. @param {string} id */
  async letComputerAct(id) {
    if (this.thinking.has(id)) return;
    this.thinking.add(id);
    try {
      for (;;) {
        const loaded = await this.load(id);
        const seat = computerToAct(loaded);
        if (!seat) return;
        const action = await this.computer.act(loaded.match, seat);
        await this.#append(loaded, seat, action).catch((problem) => {
          if (!(problem instanceof StaleVersion)) throw problem; // else it looks again
        });
      }
    } finally {
      this.thinking.delete(id);
    }
  }

  /** The same players again; the other one starts. @param {string} id @returns {Promise<string>} */
  async rematch(id) {
    const { saved, match } = await this.load(id);
    if (saved.rematch) return saved.rematch;
    if (!match.result) throw new Refusal("not_ended.rematch");
    const { game, options, seats, seed } = match.setup;
    const isFixed = game.facts.player_1_is_x;
    const first = isFixed ? otherSide(/** @type {Side} */ (options.first)) : options.first;
    const turned = isFixed ? seats : seats.map((seat) => ({ ...seat, side: otherSide(seat.side) }));
    const again = begin(this.book, game, { ...options, first }, turned, { at: this.now(), seed: ((seed ?? 0) + 1) % 2 ** 32 });
    const { id: rematch } = await this.#save(again, saved.holders, saved.settings);
    const offered = await this.store.change(id, (current) => ({ ...saved, ...current, rematch: current?.rematch ?? rematch }));
    return offered.rematch ?? rematch;
  }
}

/** Plain http addresses of the local network have no `crypto.randomUUID`. */
function randomId() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {Side} side @returns {Side} */
const otherSide = (side) => (side === "X" ? "O" : "X");

/** The request with X in seat 1, where signs belong to the seats. @param {MatchRequest} request @param {boolean} isFixed */
function inSeats({ seats, sides = "XO" }, isFixed) {
  return isFixed && sides === "OX" ? { seats: [seats[1], seats[0]], sides: "XO" } : { seats, sides };
}

/** The seat of a computer that has to act now, or 0. @param {LoadedMatch} loaded */
function computerToAct({ saved: { holders }, match }) {
  if (match.result) return 0;
  const { offer } = match.state;
  const candidates = [...(offer ? [3 - offer.seat] : []), match.toAct ?? 0];
  return candidates.find((seat) => seat && holders[seat - 1] === "computer") ?? 0;
}
