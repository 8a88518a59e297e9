/**
 * A game as the server describes it, with the positions of its rules. No DOM.
 *
 * @typedef {import("../lib/types.js").Game} GameDocument
 * @typedef {import("../lib/types.js").LegalMove} LegalMove
 * @typedef {import("../lib/types.js").Side} Side
 * @typedef {import("./table-rules.js").Outcome} Outcome
 * @typedef {import("./table-rules.js").Position} Position
 * @typedef {import("./wording.js").Message} Message
 * @typedef {Record<string, string>} Options
 *
 * @typedef {object} Facts what is not in the document
 * @property {string} rule_set
 * @property {boolean} small
 * @property {boolean} player_1_is_x
 * @property {boolean} skip_single
 * @property {string[]} of_match options that are no part of the position
 * @property {Record<string, string>} refusals
 *
 * @typedef {object} Rules where the positions of a game come from
 * @property {(options: Options) => Position} start
 * @property {(text: string, options: Options) => Position} parse
 */

import { Refusal, quoted } from "./wording.js";

const OUTSIDE = -1; // the cell of coordinates that are readable but not on the board
const PAIR = /^(?:\[(-?[0-9]{1,3}),(-?[0-9]{1,3})\]|(-?[0-9]),(-?[0-9]))/;

export class Game {
  /**
   * @param {GameDocument} document
   * @param {Facts} facts
   * @param {Rules} rules
   * @param {import("./wording.js").Wording} wording
   */
  constructor(document, facts, rules, wording) {
    this.document = document;
    this.facts = facts;
    this.rules = rules;
    this.wording = wording;
    this.id = document.id;
    this.title = document.title;
    this.paths = document.paths;
    this.names = document.layout.naming.cells;
    this.hasBoards = document.layout.kind === "boards";
    this.lengths = new Set(this.paths.map((path) => path.length));
    this.mayDecline = this.lengths.size > 1;
    this.moveByPath = new Map(this.paths.map((path, move) => [path.join(), move]));
  }

  /** Every option with its value: the chosen one or the default. @param {Options} chosen @returns {Options} */
  settleOptions(chosen) {
    const { options } = this.document;
    for (const [name, value] of Object.entries(chosen)) {
      const known = options.find((option) => option.name === name);
      const names = options.map((option) => option.name).join(" ");
      if (!known) throw new Refusal("no_such_option", { game: this.id, option: quoted(name), options: names });
      if (!known.values.includes(value))
        throw new Refusal("no_such_value", { option: name, value: quoted(String(value)), values: known.values.join(" ") });
    }
    return Object.fromEntries(options.map(({ name, default: usual }) => [name, chosen[name] ?? usual]));
  }

  /** True if victory must be claimed by the game's own rules. */
  get mustClaim() {
    return this.settleOptions({}).claims === "yes";
  }

  /** @param {number} move */
  name(move) {
    return this.paths[move].map((cell) => this.names[cell]).join(this.document.joiner);
  }

  /** @param {number[]} cells */
  format(cells) {
    return cells.map((cell) => this.names[cell]).join(" ");
  }

  /** The legal move that a path stands for, or why it cannot be played. @param {Position} position @param {number[]} path */
  moveAt(position, path) {
    const found = this.moveByPath.get(path.join());
    const legal = position.moves();
    if (found !== undefined && legal.includes(found)) return found;
    const isStarted = legal.some((move) => path.every((cell, place) => this.paths[move][place] === cell));
    if (isStarted || !this.#isReadable(path)) throw new Refusal("not_a_move.partial", { example: this.#example });
    const { code, params } = position.whyNot(path, this.names);
    throw new Refusal(code, params);
  }

  get #example() {
    return this.name(this.paths.length - 1);
  }

  /** @param {number[]} path */
  #isReadable(path) {
    if (path.length === 1 && path[0] === OUTSIDE) return true;
    // One choice too many is still readable where a choice may be declined.
    return this.lengths.has(path.length) || (this.mayDecline && path.length > Math.max(...this.lengths));
  }

  /** The path that a text stands for here. @param {Position} position @param {string} written */
  parseMoveAt(position, written) {
    const cell = this.names.indexOf(written);
    if (this.facts.skip_single && cell >= 0) {
      const choices = this.choices(position);
      if (choices.length === 1) return [...choices, cell];
    }
    return this.#parseMove(written);
  }

  /** @param {string} written */
  #parseMove(written) {
    const { joiner } = this.document;
    const parts = (joiner ? written.split(joiner) : [written]).map((part) => this.#parseCells(part));
    const path = parts.flatMap((part) => part ?? []);
    const isOneEach = !joiner || parts.every((part) => part?.length === 1);
    if (parts.includes(null) || !isOneEach || !this.#isReadable(path))
      throw new Refusal("not_a_move", { text: quoted(written), example: this.#example });
    return path;
  }

  /** @param {string} text @returns {number[] | null} */
  #parseCells(text) {
    const found = [];
    while (text) {
      const pair = PAIR.exec(text);
      const name = this.names.find((one) => text.startsWith(one));
      if (pair) {
        const [row, column] = pair.slice(1).filter((number) => number !== undefined).map(Number);
        const isInside = row >= 0 && row < 3 && column >= 0 && column < 3;
        found.push(isInside ? row * 3 + column : OUTSIDE);
        text = text.slice(pair[0].length);
      } else if (name) {
        found.push(this.names.indexOf(name));
        text = text.slice(name.length);
      } else return null;
    }
    return found;
  }

  /** The first choices on the way to a move. @param {Position} position */
  choices(position) {
    return [...new Set(position.moves().map((move) => this.paths[move][0]))].sort((one, other) => one - other);
  }

  /** The cells that a move changes, with their new marks. @param {Position} before @param {Position} after */
  changedCells(before, after) {
    const marks = after.cells;
    return Object.fromEntries(before.cells.flatMap((mark, cell) => (mark === marks[cell] ? [] : [[cell, marks[cell]]])));
  }

  /** A legal move with its effects. @param {Position} position @param {number} move @returns {LegalMove} */
  #legalMove(position, move) {
    const after = position.play(move);
    const owners = after.owners ?? [];
    const boards = (position.owners ?? []).flatMap((owner, board) => (owner === owners[board] ? [] : [[board, owners[board]]]));
    return {
      move,
      text: this.name(move),
      path: this.paths[move],
      cells: this.changedCells(position, after),
      boards: Object.fromEntries(boards),
      opens: this.choices(after),
      ends: after.outcome !== null,
    };
  }

  /** @param {Position} position */
  legalMoves(position) {
    return position.moves().map((move) => this.#legalMove(position, move));
  }

  /** Why a game has ended, with the lines that decided it. @param {Outcome} outcome @returns {Message} */
  why({ why, lines }) {
    const named = lines.map((line) => this.format(line)).join(", ");
    return named ? { code: "outcome.lines", params: { why, lines: named } } : why;
  }

  /** An outcome as a sentence. @param {Outcome} outcome */
  describe(outcome) {
    return this.wording.sentence(this.outcomeMessage(outcome));
  }

  /** @param {Outcome} outcome @returns {Message} */
  outcomeMessage(outcome) {
    const why = this.why(outcome);
    if (outcome.winner === null) return { code: "outcome.draw", params: { why } };
    return { code: "outcome.win", params: { side: outcome.winner, why } };
  }
}
