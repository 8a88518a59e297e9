/**
 * What people learn with: any position with its moves, puzzles and lessons. As server/http/learning.py. No DOM.
 *
 * @typedef {import("../lib/types.js").Lesson} Lesson
 * @typedef {import("../lib/types.js").Position} PositionDocument
 * @typedef {import("../lib/types.js").PositionRequest} PositionRequest
 * @typedef {import("../lib/types.js").Puzzle} Puzzle
 * @typedef {import("../lib/types.js").PuzzleSummary} PuzzleSummary
 * @typedef {import("./game.js").Game} Game
 * @typedef {import("./rulebook.js").Rulebook} Rulebook
 * @typedef {import("./table-rules.js").Position} Position
 *
 * @typedef {object} Puzzles puzzles.json
 * @property {PuzzleSummary[]} list
 * @property {string[][]} sets the ids of each game's puzzles
 * @property {number} step from one day's puzzle of a set to the next
 * @property {Record<string, Puzzle>} puzzles
 */

import { threatsOf } from "./threats.js";
import { boardOf } from "./view.js";
import { Refusal } from "./wording.js";

const DAY = 86_400_000; // milliseconds
const DAY_OF_1970 = 719_163; // Python's ordinal of 1970-01-01

export class Learning {
  /** @param {Rulebook} book @param {() => number} now */
  constructor(book, now) {
    this.book = book;
    this.now = now;
    /** @type {Map<string, Promise<any>>} */
    this.files = new Map();
  }

  /** @param {string} name */
  #file(name) {
    const known = this.files.get(name) ?? this.book.files.json(name);
    this.files.set(name, known);
    known.catch(() => this.files.delete(name));
    return known;
  }

  /** @param {string} game @returns {Promise<Lesson>} */
  async lesson(game) {
    const lessons = await this.#file("lessons.json");
    if (!Object.hasOwn(lessons, game)) await this.book.game(game); // which refuses it
    return lessons[game];
  }

  /** @returns {Promise<PuzzleSummary[]>} */
  async puzzles() {
    return (await this.#file("puzzles.json")).list;
  }

  /** @param {string} id "today" for the puzzle of the day @returns {Promise<Puzzle>} */
  async puzzle(id) {
    /** @type {Puzzles} */
    const { puzzles, sets, step } = await this.#file("puzzles.json");
    if (id === "today") return this.#today(puzzles, sets, step);
    if (!Object.hasOwn(puzzles, id)) {
      const games = [...new Set(Object.values(puzzles).map(({ game }) => game))].join(" ");
      throw new Refusal("no_such_puzzle", { puzzle: this.book.quoted(id), games });
    }
    return puzzles[id];
  }

  /** The same for everybody: the games take turns. @param {Puzzles["puzzles"]} puzzles @param {string[][]} sets @param {number} step */
  #today(puzzles, sets, step) {
    const ordinal = Math.floor(this.now() / DAY) + DAY_OF_1970;
    const found = sets[ordinal % sets.length];
    const id = found[(Math.floor(ordinal / sets.length) * step) % found.length];
    return { ...puzzles[id], day: new Date(this.now()).toISOString().slice(0, 10) };
  }

  /** @param {PositionRequest} request @returns {Promise<PositionDocument>} */
  async position({ game: id, position: text, moves = [], threats = false, claims }) {
    const game = await this.book.game(id);
    const options = game.settleOptions({});
    let reached = text ? game.rules.parse(text, options) : game.rules.start(options);
    /** @type {number[]} */
    let last = [];
    for (const written of moves) {
      const after = reached.play(game.moveAt(reached, game.parseMoveAt(reached, written)));
      last = Object.keys(game.changedCells(reached, after)).map(Number);
      reached = after;
    }
    const document = positionDocument(game, reached, last);
    return threats ? { ...document, threats: threatsOf(game, reached, this.book.lines, claims ?? game.mustClaim) } : document;
  }
}

/** @param {Game} game @param {Position} position @param {number[]} last @returns {PositionDocument} */
function positionDocument(game, position, last) {
  const { outcome } = position;
  const moves = game.legalMoves(position);
  return {
    game: game.id,
    position: position.written,
    board: boardOf(position, last),
    turn: moves.length ? position.turn : null,
    moves,
    outcome: outcome && game.describe(outcome),
  };
}
