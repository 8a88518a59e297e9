/**
 * Solving a puzzle: what a try leads to, by the solution that came with the puzzle. No DOM.
 *
 * @typedef {import("../lib/types.js").Layout} Layout
 * @typedef {import("../lib/types.js").Puzzle} Puzzle
 * @typedef {import("../lib/types.js").PuzzleTry} PuzzleTry
 *
 * @typedef {object} Tried what a move of the solver has led to
 * @property {boolean} right
 * @property {boolean} solved
 * @property {string[]} moves from the start of the puzzle: the try included, and the reply if there is one
 * @property {() => string} feedback makes the sentence, in the words that places have then
 */

import { sentenceCase, text } from "../lib/messages.js";
import { moveWords } from "../lib/places.js";

export class PuzzleSolver {
  /** @param {Puzzle} puzzle @param {Layout} layout */
  constructor(puzzle, layout) {
    this.puzzle = puzzle;
    this.layout = layout;
    this.step = 0;
    /** @type {string[]} the moves that stand */
    this.moves = [];
  }

  get #other() {
    return this.puzzle.side === "X" ? "O" : "X";
  }

  /** @param {string} move @returns {Tried} */
  try(move) {
    const { plies, tries } = this.puzzle.steps[this.step];
    const tried = tries[move];
    const moves = [...this.moves, move, ...(tried.reply === null ? [] : [tried.reply])];
    if (!tried.right) return { right: false, solved: false, moves, feedback: () => this.#whyWrong(move, tried, plies) };
    this.moves = moves;
    const solved = tried.then === null;
    this.step = tried.then ?? this.step;
    const feedback = () =>
      solved
        ? text(this.puzzle.game === "agents" ? "puzzle.solved_claim" : "puzzle.solved")
        : text("puzzle.right", { side: this.#other, reply: moveWords(this.layout, tried.reply ?? "") });
    return { right: true, solved, moves, feedback };
  }

  /** @param {string} written @param {PuzzleTry} tried @param {number} best */
  #whyWrong(written, { value, plies, reply: answer }, best) {
    const move = sentenceCase(moveWords(this.layout, written));
    if (value === "win") return text("puzzle.slow", { move, plies: plies ?? "", best });
    if (answer === null) return text("puzzle.ends", { move });
    const reply = moveWords(this.layout, answer);
    if (value === "draw") return text("puzzle.draws", { move, side: this.#other, reply });
    return text("puzzle.loses", { move, side: this.#other, reply, plies: plies ?? "" });
  }
}

/** What is to be done, in a sentence. @param {Puzzle} puzzle */
export function describeTask({ side, plies }) {
  return text("puzzle.task", { side, plies });
}

/** How it is done, for those who see their first puzzle. @param {Puzzle} puzzle */
export function explainTask({ side, plies }) {
  const other = side === "X" ? "O" : "X";
  return plies % 2
    ? text("puzzle.about", { side, moves: (plies + 1) / 2 })
    : text("puzzle.about_last", { side, other });
}

/** Its number in its set. @param {{id: string}} puzzle */
export function puzzleNumber({ id }) {
  return id.slice(id.lastIndexOf("-") + 1);
}
