/**
 * The positions of a small game, in a table that scripts/offline_data.py has made of its Python rules. No DOM.
 *
 * @typedef {import("../lib/types.js").Side} Side
 * @typedef {import("./wording.js").Message} Message
 *
 * @typedef {object} Outcome
 * @property {Side | null} winner
 * @property {string} reason
 * @property {Message} why
 * @property {number[][]} lines
 *
 * @typedef {object} Value for the side asked about: +1 win, 0 draw, -1 loss, and the plies to a forced end
 * @property {number} sign
 * @property {number | null} distance
 *
 * @typedef {object} TableAbout what rules.json says of a table
 * @property {string[]} details
 * @property {Outcome[]} outcomes
 *
 * @typedef {object} Position a value that knows its own rules, here by lookup
 * @property {Side} turn
 * @property {(Side | "")[]} cells
 * @property {Outcome | null} outcome
 * @property {string} written its text
 * @property {string[] | null} owners of the boards; null in a game of one board
 * @property {number[]} openBoards
 * @property {boolean} isDeadDraw
 * @property {() => number[]} moves
 * @property {(move: number) => Position} play
 * @property {(path: number[], naming: string[]) => Message} whyNot
 */

import { Refusal } from "./wording.js";

/** @param {Side} side @returns {Side} */
export const otherSide = (side) => (side === "X" ? "O" : "X");

/** The columns of a table; scripts/offline_data.py writes them in this order. */
export class Table {
  /**
   * @param {ArrayBuffer} buffer
   * @param {TableAbout} about
   * @param {Record<string, string>} refusals
   * @param {number[][]} paths
   */
  constructor(buffer, about, refusals, paths) {
    const [size, edges] = new Uint32Array(buffer, 0, 2);
    let at = 8;
    const wide = (/** @type {number} */ length) => new Uint16Array(buffer, (at += length * 2) - length * 2, length);
    const narrow = (/** @type {number} */ length) => new Int8Array(buffer, (at += length) - length, length);
    this.size = size;
    this.x = wide(size);
    this.o = wide(size);
    this.detail = wide(size);
    this.outcome = wide(size);
    this.successor = wide(edges);
    this.side = narrow(size);
    this.value = narrow(size);
    this.distance = narrow(size);
    this.alive = narrow(size);
    this.count = narrow(size);
    this.move = narrow(edges);
    this.firstEdge = new Uint32Array(size + 1);
    for (let state = 0; state < size; state++) this.firstEdge[state + 1] = this.firstEdge[state] + this.count[state];
    this.about = about;
    this.refusals = refusals;
    this.paths = paths;
    /** @type {Map<string, number> | null} */
    this.numbers = null;
  }

  /** The start of the games that a side begins. @param {Side} first */
  start(first) {
    return new TablePosition(this, 0, first);
  }

  /**
   * The position with these marks; one that play cannot reach is refused.
   *
   * @param {string} marks nine, each X, O or a dot
   * @param {Side} turn
   * @param {Side} first
   * @param {string} detail
   */
  find(marks, turn, first, detail) {
    if (!this.numbers) {
      const states = Array.from({ length: this.size }, (_, state) => new TablePosition(this, state, "X"));
      this.numbers = new Map(states.map((position) => [position.key, position.state]));
    }
    const exchanged = first === "X" ? marks : marks.replace(/[XO]/g, (mark) => otherSide(/** @type {Side} */ (mark)));
    const state = this.numbers.get(`${exchanged} ${first === "X" ? turn : otherSide(turn)} ${detail}`);
    if (state === undefined) throw new Refusal("unreachable");
    return new TablePosition(this, state, first);
  }
}

/** @implements {Position} */
export class TablePosition {
  /** @param {Table} table @param {number} state @param {Side} first who started; the table is of the games that X starts */
  constructor(table, state, first) {
    this.table = table;
    this.state = state;
    this.first = first;
    /** @type {string[] | null} */
    this.owners = null;
    /** @type {number[]} */
    this.openBoards = [];
  }

  /** @param {number} side of the table, 0 or 1 @returns {Side} */
  #named(side) {
    return (side === 0) === (this.first === "X") ? "X" : "O";
  }

  /** @returns {Side} */
  get turn() {
    return this.#named(this.table.side[this.state]);
  }

  /** @returns {(Side | "")[]} */
  get cells() {
    const { table, state } = this;
    const mark = (/** @type {number} */ cell) =>
      (table.x[state] >> cell) & 1 ? this.#named(0) : (table.o[state] >> cell) & 1 ? this.#named(1) : "";
    return Array.from({ length: 9 }, (_, cell) => mark(cell));
  }

  get marks() {
    return this.cells.map((mark) => mark || ".").join("");
  }

  get detail() {
    return this.table.about.details[this.table.detail[this.state]];
  }

  get key() {
    return `${this.marks} ${this.turn} ${this.detail}`;
  }

  get written() {
    const rows = [0, 3, 6].map((start) => this.marks.slice(start, start + 3)).join("/");
    return `${rows} ${this.turn} first=${this.first} ${this.detail}`.trimEnd();
  }

  /** @returns {Outcome | null} */
  get outcome() {
    const number = this.table.outcome[this.state];
    if (!number) return null;
    const outcome = this.table.about.outcomes[number - 1];
    const winner = outcome.winner && this.#named(outcome.winner === "X" ? 0 : 1);
    return { ...outcome, winner };
  }

  /** True if no sequence of moves from here ends in a win. */
  get isDeadDraw() {
    return !this.table.alive[this.state];
  }

  moves() {
    const { firstEdge, move } = this.table;
    return Array.from(move.subarray(firstEdge[this.state], firstEdge[this.state + 1]));
  }

  /** @param {number} move a legal one */
  play(move) {
    const place = this.moves().indexOf(move);
    if (place < 0) throw new Error(`${move} is not legal`);
    return new TablePosition(this.table, this.table.successor[this.table.firstEdge[this.state] + place], this.first);
  }

  /** The exact value for the side to move. @returns {Value} */
  get value() {
    return this.valueFor(this.table.side[this.state]);
  }

  /** @param {number} side of the table @returns {Value} */
  valueFor(side) {
    const sign = (side ? -1 : 1) * this.table.value[this.state] + 0;
    return { sign, distance: sign ? this.table.distance[this.state] : null };
  }

  /** The value of every legal move for the side that makes it. @returns {Map<number, Value>} */
  valuesOfMoves() {
    const side = this.table.side[this.state];
    const entries = this.moves().map((move) => {
      const { sign, distance } = this.play(move).valueFor(side);
      return /** @type {const} */ ([move, { sign, distance: distance === null ? null : distance + 1 }]);
    });
    return new Map(entries);
  }

  /**
   * The refusal of a path, in the words of a naming.
   *
   * @param {number[]} path
   * @param {string[]} naming
   * @returns {Message}
   */
  whyNot(path, naming) {
    const paths = this.moves().map((move) => this.table.paths[move]);
    if (!paths.length) return { code: "ended", params: {} };
    const names = (/** @type {number[]} */ cells) => cells.map((cell) => naming[cell]).join(" ");
    const free = names([...new Set(paths.map(([cell]) => cell))]);
    const code = this.table.refusals[refusalKey(this, path)];
    const [placed, taken] = path;
    const takeable = paths.filter((other) => other[0] === placed && other.length > 1).map((other) => other[1]);
    const instead = {
      code: takeable.length ? "swap_nine.takeable" : "swap_nine.not_takeable",
      params: { placed: naming[placed], cells: names(takeable) },
    };
    /** @type {Record<string, () => Record<string, unknown>>} */
    const params = {
      outside: () => ({ free }),
      taken: () => ({ cell: naming[placed], side: this.cells[placed], free }),
      two_swaps: () => ({ instead }),
      not_adjacent: () => ({ cell: naming[taken], placed: naming[placed], instead }),
      not_opponents: () => ({ side: otherSide(this.turn), cell: naming[taken], instead }),
    };
    return { code, params: params[code]() };
  }
}

/** As refusal_key in scripts/offline_data.py. @param {TablePosition} position @param {number[]} path */
function refusalKey({ cells, turn }, path) {
  if (path.some((cell) => cell < 0 || cell > 8)) return "outside";
  const marks = path.slice(0, 2).map((cell) => (!cells[cell] ? "." : cells[cell] === turn ? "m" : "t"));
  return path.length > 2 ? `more:${marks[0]}` : `${path.join(",")}:${marks.join("")}`;
}
