/**
 * The computer's actions: levels of the small games by tables, of the big ones by the engine. As players/player.py. No DOM.
 *
 * @typedef {import("./match.js").Action} Action
 * @typedef {import("./match.js").Match} Match
 * @typedef {import("./rulebook.js").Rulebook} Rulebook
 * @typedef {import("./table-rules.js").TablePosition} TablePosition
 *
 * @typedef {Pick<import("./page-engine.js").PageEngine, "analyze" | "choose">} Engine of the big games
 */

import { verdictMessage, verdictOn } from "./match-state.js";
import { Solver, completedLine } from "./solver.js";

export class Computer {
  /** @param {Rulebook} book @param {Engine} engine @param {() => number} [random] */
  constructor(book, engine, random = Math.random) {
    this.book = book;
    this.engine = engine;
    this.random = random;
  }

  /** What the computer at a seat does. @param {Match} match @param {number} seat @returns {Promise<Action>} */
  async act(match, seat) {
    const { offer, pending, barred } = match.state;
    if (offer && offer.seat !== seat) return { kind: this.#accepts(match) ? "accept" : "decline" };
    if (pending) return this.#answer(match);
    const { position, setup } = match;
    if (setup.options.claims !== "yes") return { kind: "move", move: await this.#choose(match, seat) };
    const { turn } = position;
    const line = completedLine(this.book.lines, position.cells, turn);
    if (line && !barred.includes(turn)) return { kind: "claim", cells: line };
    const move = await this.#choose(match, seat);
    return { kind: "move", move, cells: completedLine(this.book.lines, position.play(move).cells, turn) };
  }

  /** A take-back is always accepted; a draw where the value of the position is a draw. @param {Match} match */
  #accepts(match) {
    if (match.state.offer?.what === "take_back") return true;
    if (!match.game.facts.small) return false;
    const values = this.solver(match).values(/** @type {TablePosition} */ (match.position)).values();
    return Math.max(...[...values].map(({ sign }) => sign)) === 0;
  }

  /** An honest answer to a claim. @param {Match} match @returns {Action} */
  #answer({ game, position, state: { pending: claim } }) {
    if (!claim) throw new Error("no claim to answer");
    const reason = verdictOn(this.book, claim, position.cells);
    const held = claim.cells.filter((cell) => position.cells[cell] === claim.side).length;
    if (reason === "true") return { kind: "confirm" };
    return { kind: "dispute", text: this.book.wording.sentence(verdictMessage({ reason, claim, held }, game)) };
  }

  /** @param {Match} match */
  solver({ game, setup }) {
    return new Solver(game, this.book.lines, setup.options.claims === "yes");
  }

  /** @param {Match} match @param {number} seat @returns {Promise<number>} */
  async #choose(match, seat) {
    const { position, game, setup } = match;
    const { player: level } = setup.seats[seat - 1];
    if (level === "random") return this.#pick(position.moves());
    if (!game.facts.small)
      return this.engine.choose({ position: position.written, defaults: /** @type {any} */ (setup.options), level: /** @type {any} */ (level) });
    const isRandom = this.random() < this.book.document.random_share[level];
    return this.#pick(isRandom ? position.moves() : this.solver(match).sharpest(/** @type {TablePosition} */ (position)));
  }

  /** @param {number[]} moves */
  #pick(moves) {
    return moves[Math.floor(this.random() * moves.length)];
  }
}
