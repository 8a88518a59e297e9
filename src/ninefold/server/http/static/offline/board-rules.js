/**
 * The positions of the games of nine boards, by the WebAssembly core. No DOM.
 *
 * @typedef {import("../lib/types.js").Side} Side
 * @typedef {import("./big-position.js").BigPosition} BigPosition
 * @typedef {import("./core.js").Core} Core
 * @typedef {import("./game.js").Options} Options
 * @typedef {import("./table-rules.js").Outcome} Outcome
 * @typedef {import("./table-rules.js").Position} Position
 * @typedef {import("./wording.js").Message} Message
 */

import { splitPosition } from "./position-text.js";
import { Refusal } from "./wording.js";

const NUMPAD = "789456123";

/** @param {Core} core @param {import("../lib/types.js").Game} document @returns {import("./game.js").Rules} */
export function boardRules(core, document) {
  const values = Object.fromEntries(document.options.map(({ name, values: all }) => [name, all]));
  return {
    start: (options) => new BoardPosition(core, core.start(/** @type {any} */ (options))),
    parse: (text, defaults) => parse(core, text, values, defaults),
  };
}

/** @param {Core} core @param {string} text @param {Record<string, string[]>} values @param {Options} defaults */
function parse(core, text, values, defaults) {
  const { marks, turn, words, options } = splitPosition(text, { boards: 9, moreWords: 1, values, defaults });
  const board = words[0] === "*" ? null : NUMPAD.indexOf(words[0]);
  if (board === -1 || words[0].length !== 1) throw new Refusal("not_a_position.no_board");
  // The core says that marks are none in English only; here it is either two lines or a dead board.
  const found = attempt(() => core.fromCells([...marks], turn, null, /** @type {any} */ (options)));
  if (!found) throw new Refusal("not_a_position.two_lines");
  const sent = attempt(() => core.fromCells([...marks], turn, board, /** @type {any} */ (options)));
  if (!sent) throw new Refusal("not_a_position.dead_board", { board: words[0] });
  return new BoardPosition(core, sent);
}

/** @template T @param {() => T} work @returns {T | null} */
function attempt(work) {
  try {
    return work();
  } catch {
    return null;
  }
}

/** @implements {Position} */
export class BoardPosition {
  /** @param {Core} core @param {BigPosition} position */
  constructor(core, position) {
    this.core = core;
    this.position = position;
    this.isDeadDraw = false; // these games have no early draw
  }

  get turn() {
    return this.position.turn;
  }

  /** @returns {(Side | "")[]} */
  get cells() {
    return /** @type {(Side | "")[]} */ (this.position.cells);
  }

  /** @returns {string[]} */
  get owners() {
    return this.position.owners;
  }

  get openBoards() {
    return this.core.openBoards(this.position);
  }

  get written() {
    return this.position.toString();
  }

  /** @returns {Outcome | null} */
  get outcome() {
    const outcome = this.core.outcome(this.position);
    if (!outcome) return null;
    const { winner, reason, lines } = outcome;
    return { winner, reason, why: whyEnded(outcome), lines };
  }

  moves() {
    return this.core.moves(this.position);
  }

  /** @param {number} move */
  play(move) {
    const after = this.core.play(this.position, move);
    if (!after) throw new Error(`${move} is not legal`);
    return new BoardPosition(this.core, after);
  }

  /** @param {number[]} path @param {string[]} naming @returns {Message} */
  whyNot(path, naming) {
    const { openBoards: open, owners } = this;
    if (!open.length) return { code: "ended", params: {} };
    const boards = open.map((board) => naming[board]).join(" ");
    if (path.some((cell) => cell < 0 || cell > 8)) return { code: "outside.boards", params: { boards } };
    const [board, cell] = path;
    const owner = owners[board];
    if (owner)
      return {
        code: ["XO", "="].includes(owner) ? "dead_board.drawn" : "dead_board.won",
        params: { board: naming[board], owner, boards },
      };
    if (!open.includes(board)) return { code: "wrong_board", params: { board: naming[open[0]], boards } };
    const marks = this.cells.slice(board * 9, board * 9 + 9);
    const free = naming.filter((_, place) => !marks[place]).join(" ");
    return { code: "taken.in_board", params: { cell: naming[cell], board: naming[board], side: marks[cell], free } };
  }
}

/** @param {import("./core.js").Outcome} outcome @returns {Message} */
function whyEnded({ winner, reason, counts, boards }) {
  if (reason === "full") return { code: "squared.full", params: {} };
  const loser = winner === "X" ? "O" : "X";
  if (reason === "boards") return { code: "squared.boards", params: { more: boards[winner ?? "X"], fewer: boards[loser] } };
  const [count, fewer] = [counts[winner ?? "X"], counts[loser]];
  return { code: fewer ? "squared.lines_to" : "squared.lines", params: { count, fewer } };
}
