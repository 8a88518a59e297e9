/**
 * The native core as WebAssembly: the rules of squared and ultimate, and the search. No DOM; Node runs it too.
 *
 *     const core = await loadCore(fetch(".../ninefold.wasm"));
 *     let position = core.start({ first: "X", drawn: "both", tie_break: "none" });
 *     position = core.play(position, 40);
 *     core.setNetwork(await (await fetch(".../squared.net")).arrayBuffer());
 *     const info = core.search(position, { nodes: 500000, lines: 5 });
 *
 * The WebAssembly has one position in its memory, which every call replaces: `native/wasm/core.cpp`.
 *
 * @typedef {import("./big-position.js").Options} Options
 * @typedef {import("./big-position.js").Side} Side
 * @typedef {import("./wasm-module.js").Exports} Exports
 *
 * @typedef {object} Outcome the end of a game, as Python's
 * @property {Side | null} winner null for a draw
 * @property {"lines" | "equal_lines" | "boards" | "full"} reason
 * @property {number[][]} lines the lines of boards that decided it
 * @property {Record<Side, number>} counts how many lines of boards each side has
 * @property {Record<Side, number>} boards how many boards each side has won
 *
 * @typedef {object} Limits 0 or nothing for no limit; a search without any ends when all is proven
 * @property {number} [nodes] exact: the same search gives the same result on every machine
 * @property {number} [depth] in plies
 * @property {number} [seconds]
 * @property {number} [lines] how many root moves are ranked, 1 if nothing is said
 *
 * @typedef {object} PvLine a root move with its principal variation
 * @property {number} move
 * @property {number} score for the side to move, in parts of LINE_VALUE; a forced win in n plies is WIN - n
 * @property {boolean} proven true if the score is exact
 * @property {number[]} pv moves, its own first
 *
 * @typedef {object} SearchInfo
 * @property {number} depth of the last whole iteration
 * @property {number} nodes
 * @property {number} seconds
 * @property {PvLine[]} lines the best first
 *
 * @typedef {object} Listeners
 * @property {() => boolean} [shouldStop] asked every 4096 nodes; the search ends when it returns true
 * @property {(info: SearchInfo) => void} [onIteration] called after every iteration
 */

import { BigPosition, cellsOf, parsePosition, POSITION_BYTES, wordsOf } from "./big-position.js";
import { readNetwork, ruleSetName, WEIGHT_BYTES } from "./network-file.js";
import { compile, importsOf } from "./wasm-module.js";

/** Scores of the engine, as native/search/score.hpp has them: the first ply's forced win, and the least forced win. */
export const WIN = 30000;
export const WIN_IN_MAX_PLY = WIN - 200;
/** The engine's unit of value: the score of one more line of boards to be expected. */
export const LINE_VALUE = 2400;
export const MIB = 2 ** 20;

const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
const OUTCOME_REASONS = /** @type {const} */ ([null, "lines", "equal_lines", "boards", "full"]);
/** The refusals of marks that are no position: the last words of their codes in Python. */
const POSITION_ERRORS = ["", "marks", "two_lines", "dead_board", "turn"];
const DEFAULT_MEMORY = 16 * MIB;
// RootMoves and PvLine of native/search/search.hpp.
const LINE_BYTES = 100, LINES_OFFSET = 8, PV_OFFSET = 16;

/**
 * Compile and start the core.
 *
 * @param {BufferSource | WebAssembly.Module | Response | Promise<Response>} source the bytes of ninefold.wasm, the
 *   compiled module, or the response that carries it
 */
export async function loadCore(source) {
  return Core.from(await compile(source));
}

/** A text or marks are no position; the message is the code of the refusal, as in Python. */
export class NotAPosition extends Error {
  /** @param {string} why */
  constructor(why) {
    super(`not_a_position.${why}`);
  }
}

export class Core {
  #exports;
  /** @type {Listeners} */
  #listeners = {};
  #memory = 0; // bytes of the transposition table
  /** The rule set whose network is there. @type {string | null} */
  #network = null;

  /** @param {WebAssembly.Module} module */
  static async from(module) {
    /** @type {{ core: Core | null }} */
    const own = { core: null };
    const imports = importsOf(() => /** @type {Core} */ (own.core));
    const { exports } = await WebAssembly.instantiate(module, imports);
    own.core = new Core(/** @type {Exports} */ (/** @type {unknown} */ (exports)));
    return own.core;
  }

  /** @param {Exports} exports */
  constructor(exports) {
    this.#exports = exports;
    exports._initialize();
  }

  /** The start of a game. @param {Options} options */
  start(options) {
    this.#setRules(options);
    this.#exports.start(options.first === "O" ? 1 : 0);
    return this.#read(options);
  }

  /**
   * The position of such marks. Throws NotAPosition for marks that are none.
   *
   * @param {string[]} cells 81 of X, O or anything else for empty, board by board
   * @param {Side} turn
   * @param {number | null} board where the next mark must go; null for any live board
   * @param {Options} options
   */
  fromCells(cells, turn, board, options) {
    this.#setRules(options);
    this.#bytes(this.#exports.position_address(), POSITION_BYTES).set(wordsOf(cells, turn, board));
    const error = this.#exports.complete_position();
    if (error) throw new NotAPosition(POSITION_ERRORS[error]);
    return this.#read(options);
  }

  /**
   * The position of a text, as Python writes it. Throws NotAPosition for a text that is none.
   *
   * @param {string} text @param {Options} defaults of the game, for options that the text does not name
   */
  parse(text, defaults) {
    const parts = parsePosition(text, defaults);
    if (!parts) throw new NotAPosition("marks");
    return this.fromCells(parts.cells, parts.turn, parts.board, parts.options);
  }

  /**
   * The position after moves from the start; null if one of them is not legal.
   *
   * @param {Options} options @param {Iterable<number>} moves
   */
  fromMoves(options, moves) {
    /** @type {BigPosition | null} */
    let position = this.start(options);
    for (const move of moves) {
      position = this.play(position, move);
      if (!position) return null;
    }
    return position;
  }

  /** The legal moves, ascending; none when the game has ended. @param {BigPosition} position */
  moves(position) {
    this.#write(position);
    const count = this.#exports.moves();
    return [...this.#bytes(this.#exports.moves_address(), count)];
  }

  /** The position after a move; null if the move is not legal. @param {BigPosition} position @param {number} move */
  play(position, move) {
    this.#write(position);
    return Number.isInteger(move) && this.#exports.play(move) ? this.#read(position.options) : null;
  }

  /** The boards that may be played, ascending; none when the game has ended. @param {BigPosition} position */
  openBoards(position) {
    this.#write(position);
    return cellsOf(this.#exports.open_boards());
  }

  /** The end of the game, or null while it goes on. @param {BigPosition} position @returns {Outcome | null} */
  outcome(position) {
    this.#write(position);
    const reason = OUTCOME_REASONS[this.#exports.end_reason()];
    if (!reason) return null;
    const result = this.#exports.result();
    const winner = result > 0 ? "X" : result < 0 ? "O" : null;
    const [x, o] = [0, 1].map((side) => linesIn(this.#exports.scoring_boards(side)));
    const lines = winner === "X" ? x : winner === "O" ? o : [...x, ...o];
    const boards = { X: cellsOf(position.wonX).length, O: cellsOf(position.wonO).length };
    return { winner, reason, lines, counts: { X: x.length, O: o.length }, boards };
  }

  /** The number of move sequences of a length. @param {BigPosition} position @param {number} depth */
  perft(position, depth) {
    this.#write(position);
    return this.#exports.perft(depth);
  }

  /** True if the network of these rules is loaded. @param {Options} options */
  hasNetwork(options) {
    return this.#network === ruleSetName(options);
  }

  /** Use the network of a file, for the rules it was made for; null for none. @param {ArrayBuffer | Uint8Array | null} file */
  setNetwork(file) {
    if (!file) return this.#useNetwork(null, 0);
    const { rules, scale, weights } = readNetwork(file);
    this.#bytes(this.#exports.weights_address(), WEIGHT_BYTES).set(weights);
    return this.#useNetwork(rules, scale);
  }

  /** Empty the transposition table, or make one of another size. @param {number} [bytes] */
  clear(bytes = this.#memory || DEFAULT_MEMORY) {
    this.#exports.make_table(bytes);
    this.#memory = bytes;
  }

  /**
   * Search a position until a limit is reached or its ranked lines are proven. It runs to its end: in a page, call it in
   * a worker. A search of an ended game has no lines. With an empty table (`clear`) and a limit in nodes the result is
   * that of the native engine with one thread.
   *
   * @param {BigPosition} position
   * @param {Limits} limits
   * @param {Listeners} [listeners]
   * @returns {SearchInfo}
   */
  search(position, { nodes = 0, depth = 0, seconds = 0, lines = 1 }, listeners = {}) {
    if (!this.moves(position).length) return { depth: 0, nodes: 0, seconds: 0, lines: [] };
    if (!this.#memory) this.clear();
    this.#write(position);
    this.#listeners = listeners;
    try {
      this.#exports.search(nodes, depth, seconds, Math.max(1, lines), this.hasNetwork(position.options) ? 1 : 0);
    } finally {
      this.#listeners = {};
    }
    return { ...this.#rootMoves(), nodes: this.#exports.searched_nodes(), seconds: this.#exports.searched_seconds() };
  }

  /** For the clock of the WebAssembly only: nanoseconds, at an address. @param {number} address */
  writeTime(address) {
    const now = BigInt(Math.round(performance.now() * 1e6));
    new DataView(this.#exports.memory.buffer).setBigUint64(address, now, true);
  }

  /** For the imports of the WebAssembly only. */
  get listeners() {
    return this.#listeners;
  }

  /** What the running search has found so far; its nodes and seconds are known when it has ended. @returns {SearchInfo} */
  get progress() {
    return { ...this.#rootMoves(), nodes: 0, seconds: 0 };
  }

  /** @param {string | null} rules @param {number} scale */
  #useNetwork(rules, scale) {
    this.#exports.make_network(scale);
    this.#network = rules;
  }

  #rootMoves() {
    const address = this.#exports.root_moves_address();
    const view = new DataView(this.#exports.memory.buffer, address);
    const lines = Array.from({ length: view.getInt32(4, true) }, (_, index) => {
      const at = LINES_OFFSET + LINE_BYTES * index;
      const pv = [...this.#bytes(address + at + PV_OFFSET, view.getInt32(at + 12, true))];
      const [move, score] = [view.getInt32(at, true), view.getInt32(at + 4, true)];
      return { move, score, proven: view.getUint8(at + 8) !== 0, pv };
    });
    return { depth: view.getInt32(0, true), lines };
  }

  /** @param {Options} options */
  #setRules({ drawn, tie_break: tieBreak }) {
    this.#exports.set_rules(drawn === "both" ? 1 : 0, tieBreak === "boards" ? 1 : 0);
  }

  /** @param {BigPosition} position */
  #write(position) {
    this.#setRules(position.options);
    this.#bytes(this.#exports.position_address(), POSITION_BYTES).set(position.bytes);
  }

  /** @param {Options} options */
  #read(options) {
    return new BigPosition(this.#bytes(this.#exports.position_address(), POSITION_BYTES).slice(), options);
  }

  /** A view of the memory, which is good until the memory grows. @param {number} address @param {number} length */
  #bytes(address, length) {
    return new Uint8Array(this.#exports.memory.buffer, address, length);
  }
}

/** The lines of three in a set of nine. @param {number} set */
function linesIn(set) {
  return LINES.filter((line) => line.every((cell) => (set >> cell) & 1));
}
