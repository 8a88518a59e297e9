/**
 * A position of squared or ultimate: a value, in the bytes of native/rules.hpp. What may be played in it, `core.js` says.
 *
 * @typedef {"X" | "O"} Side
 *
 * @typedef {object} Options those of the game, all of them
 * @property {Side} first
 * @property {"both" | "nobody"} drawn for whom a drawn board counts
 * @property {"none" | "boards"} tie_break
 */

/** Nine words of X and of O, two of won boards, one of drawn ones, then the board to play in and the turn as bytes. */
export const POSITION_BYTES = 44;

const ANY_BOARD = 9;
const CELLS = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const NUMPAD = "789456123";

export class BigPosition {
  #words;

  /** @param {Uint8Array} bytes @param {Options} options */
  constructor(bytes, options) {
    this.bytes = bytes;
    this.options = options;
    this.#words = new DataView(bytes.buffer, bytes.byteOffset, POSITION_BYTES);
  }

  /** Whose move it is. @returns {Side} */
  get turn() {
    return this.bytes[43] ? "O" : "X";
  }

  /** The board where the next mark must go; null for any live board. */
  get board() {
    return this.bytes[42] === ANY_BOARD ? null : this.bytes[42];
  }

  /** The cells of X, a set for each board. */
  get x() {
    return CELLS.map((board) => this.#word(board));
  }

  /** The cells of O, a set for each board. */
  get o() {
    return CELLS.map((board) => this.#word(9 + board));
  }

  /** The boards that X has won, as a set. */
  get wonX() {
    return this.#word(18);
  }

  /** The boards that O has won, as a set. */
  get wonO() {
    return this.#word(19);
  }

  /** The drawn boards, as a set. */
  get drawn() {
    return this.#word(20);
  }

  /** The marks of the 81 cells, board by board: X, O or empty. */
  get cells() {
    const [x, o] = [this.x, this.o];
    return CELLS.flatMap((board) => CELLS.map((cell) => ((x[board] >> cell) & 1 ? "X" : (o[board] >> cell) & 1 ? "O" : "")));
  }

  /** Who owns each board: X, O, XO for both, = for nobody (drawn), empty while it is live. */
  get owners() {
    const drawn = this.options.drawn === "both" ? "XO" : "=";
    const owned = /** @type {const} */ ([[this.wonX, "X"], [this.wonO, "O"], [this.drawn, drawn]]);
    return CELLS.map((board) => owned.find(([boards]) => (boards >> board) & 1)?.[1] ?? "");
  }

  /** The text of the position, as Python writes it. */
  toString() {
    const cells = this.cells.map((mark) => mark || ".");
    const marks = CELLS.map((board) => cells.slice(9 * board, 9 * board + 9).join("")).join("/");
    const { first, drawn, tie_break: tieBreak } = this.options;
    const sent = this.board === null ? "*" : NUMPAD[this.board];
    return `${marks} ${this.turn} ${sent} first=${first} drawn=${drawn} tie_break=${tieBreak}`;
  }

  /** @param {number} index */
  #word(index) {
    return this.#words.getUint16(2 * index, true);
  }
}

/** What a player types for a move: the board, then the cell, as on the numpad. @param {number} move */
export function moveName(move) {
  return NUMPAD[Math.floor(move / 9)] + NUMPAD[move % 9];
}

/** The members of a set of nine. @param {number} set */
export function cellsOf(set) {
  return CELLS.filter((cell) => (set >> cell) & 1);
}

/**
 * The parts of a position's text; null if it is none. Whether its marks can be, `fromCells` of the core says.
 *
 * @param {string} text @param {Options} defaults of the game, for options that the text does not name
 */
export function parsePosition(text, defaults) {
  const [marks = "", turn, ...words] = text.trim().split(/\s+/u);
  const cells = [...marks.replaceAll("/", "")];
  const sent = words.filter((word) => !word.includes("="));
  const named = Object.fromEntries(words.filter((word) => word.includes("=")).map((word) => word.split("=", 2)));
  const isPosition = cells.length === 81 && cells.every((mark) => "XO.".includes(mark)) && sent.length === 1;
  if (!isPosition || (turn !== "X" && turn !== "O") || !/^[1-9*]$/u.test(sent[0])) return null;
  const board = sent[0] === "*" ? null : NUMPAD.indexOf(sent[0]);
  return { cells, turn: /** @type {Side} */ (turn), board, options: /** @type {Options} */ ({ ...defaults, ...named }) };
}

/**
 * The bytes of a position without its dead boards, which the core finds.
 *
 * @param {string[]} cells @param {Side} turn @param {number | null} board
 */
export function wordsOf(cells, turn, board) {
  const bytes = new Uint8Array(POSITION_BYTES);
  const words = new DataView(bytes.buffer);
  cells.forEach((mark, index) => {
    if (mark !== "X" && mark !== "O") return;
    const at = 2 * (Math.floor(index / 9) + (mark === "O" ? 9 : 0));
    words.setUint16(at, words.getUint16(at, true) | (1 << (index % 9)), true);
  });
  bytes[42] = board ?? ANY_BOARD;
  bytes[43] = turn === "O" ? 1 : 0;
  return bytes;
}
