/**
 * The page of a puzzle: the puzzle of the day, or one of the sets.
 *
 * @typedef {import("../lib/types.js").Game} Game
 * @typedef {import("../lib/types.js").LegalMove} LegalMove
 * @typedef {import("../lib/types.js").Position} Position
 * @typedef {import("../lib/types.js").Puzzle} Puzzle
 * @typedef {import("../lib/types.js").PuzzleSummary} PuzzleSummary
 */

import * as api from "../lib/api.js";
import { NineBoard } from "../lib/board-element.js";
import { celebrate } from "../lib/celebration.js";
import { showDeadEnd } from "../lib/dead-end.js";
import { announce, button, byId, html, showNotice, update } from "../lib/dom.js";
import { text } from "../lib/messages.js";
import { lightMoves, markCurrent, moveItem } from "../lib/move-list.js";
import { moveWords } from "../lib/places.js";
import { pageAddress } from "../lib/site.js";
import { startPage } from "../lib/start-page.js";
import { saveSolved, solvedPuzzles } from "../lib/solved-puzzles.js";
import { playSound } from "../lib/sounds.js";
import { PuzzleSolver, describeTask, explainTask, puzzleNumber } from "./puzzle-solver.js";

/** @type {LegalMove[]} */
const NO_MOVES = [];
const NO_FEEDBACK = { say: () => "", kind: /** @type {const} */ ("") };

class PuzzlePage {
  /** @param {Game} game @param {Puzzle} puzzle @param {PuzzleSummary[]} all */
  constructor(game, puzzle, all) {
    this.game = game;
    this.puzzle = puzzle;
    this.all = all;
    this.board = /** @type {NineBoard} */ (byId("board"));
    this.solver = new PuzzleSolver(puzzle, game.layout);
    this.isOver = false;
    /** The position in which the solver is to move. */
    this.position = puzzle.start;
    /** How many moves of the solution are shown; 0 if it is not. */
    this.line = 0;
    /** Counts what was asked for, so that an answer that comes too late is dropped. */
    this.asked = 0;
    /** What was said of the last try. @type {{say: () => string, kind: "right" | "wrong" | ""}} */
    this.feedback = NO_FEEDBACK;
  }

  show() {
    const { puzzle } = this;
    const number = puzzleNumber(puzzle);
    const title = puzzle.day
      ? text("puzzle.today_of", { game: puzzle.title })
      : text("puzzle.number", { number, game: puzzle.title });
    document.title = text("page.title", { title });
    byId("title").textContent = title;
    byId("about").textContent = explainTask(puzzle);
    this.board.addEventListener("play", (event) => void this.#try(/** @type {CustomEvent} */ (event).detail));
    document.addEventListener("keydown", (event) => this.#onKey(event));
    lightMoves(byId("solution-moves"), this.board);
    addEventListener("look", () => {
      this.#listSolution();
      this.#showFeedback(this.feedback);
    });
    this.#showSets();
    this.#start();
  }

  #start() {
    this.solver = new PuzzleSolver(this.puzzle, this.game.layout);
    this.isOver = false;
    this.position = this.puzzle.start;
    byId("solution").hidden = true;
    this.#markLine(0);
    this.#showFeedback(NO_FEEDBACK);
    byId("status").textContent = describeTask(this.puzzle);
    this.#showPosition(this.position);
    this.#showActions(false);
  }

  /** @param {Position} position @param {boolean} [isPlayable] */
  #showPosition({ board, moves, turn }, isPlayable = true) {
    this.board.dataset.turn = turn?.toLowerCase() ?? "";
    this.board.pending = null;
    this.board.show({ layout: this.game.layout, board, moves: isPlayable ? moves : NO_MOVES });
  }

  /** The position after some moves; null if something else was asked for meanwhile. @param {string[]} moves */
  async #positionAfter(moves) {
    const { game, start } = this.puzzle;
    const asked = ++this.asked;
    const found = await api.getPosition({ game, position: start.position, moves });
    return asked === this.asked ? found : null;
  }

  /** @param {LegalMove} move */
  async #try(move) {
    playSound("move");
    const { right, solved, moves, feedback } = this.solver.try(move.text);
    try {
      const after = await this.#positionAfter(moves);
      if (!after) return;
      if (right) this.position = after;
      this.#showPosition(after, right && !solved);
    } catch (problem) {
      this.#start();
      return showNotice(api.describeError(problem));
    }
    showNotice("");
    this.#showFeedback({ say: feedback, kind: right ? "right" : "wrong" });
    if (solved) this.#finish();
    else playSound(right ? "reply" : "loss");
    this.#showActions(!right);
  }

  #finish() {
    this.isOver = true;
    saveSolved(this.puzzle.id);
    playSound("win");
    celebrate(this.board, this.puzzle.side);
    this.#showSets();
  }

  /** @param {PuzzlePage["feedback"]} feedback */
  #showFeedback(feedback) {
    this.feedback = feedback;
    const element = byId("feedback");
    const sentence = feedback.say();
    element.hidden = !sentence;
    element.textContent = sentence;
    element.className = `feedback ${feedback.kind}`;
  }

  /** @param {boolean} wasWrong */
  #showActions(wasWrong) {
    const next = html("a", { class: this.isOver ? "strong" : "quiet", href: pageAddress("puzzle", `?id=${this.puzzle.next}`) });
    next.append(text("puzzle.next"));
    update(
      byId("actions"),
      wasWrong && button(text("puzzle.retry"), { class: "strong", "data-key": "retry", onclick: () => this.#retry() }),
      button(text("puzzle.solution"), { class: "quiet", "data-key": "solution", onclick: () => this.#showSolution() }),
      next,
    );
  }

  /** Goes back to before the wrong move. */
  #retry() {
    this.asked++;
    this.#markLine(0);
    this.#showFeedback(NO_FEEDBACK);
    this.#showPosition(this.position);
    this.#showActions(false);
    this.board.focus();
  }

  #listSolution() {
    const { line, side } = this.puzzle;
    const other = side === "X" ? "O" : "X";
    const items = line.map((move, index) => {
      const button = { onclick: () => void this.#showLine(index + 1) };
      return moveItem(this.game.layout, index % 2 ? other : side, move, button);
    });
    byId("solution-moves").replaceChildren(...items);
    this.#markLine(this.line);
  }

  /** @param {number} count of moves of the solution that are shown */
  #markLine(count) {
    this.line = count;
    markCurrent(byId("solution-moves"), count - 1);
  }

  #showSolution() {
    this.#listSolution();
    byId("solution").hidden = false;
    this.isOver = true;
    this.#showActions(true);
    void this.#showLine(1);
  }

  /** Shows the solution up to a move. @param {number} count */
  async #showLine(count) {
    const moves = this.puzzle.line.slice(0, count);
    try {
      const shown = await this.#positionAfter(moves);
      if (!shown) return;
      this.solver = new PuzzleSolver(this.puzzle, this.game.layout);
      this.position = this.puzzle.start;
      this.#markLine(count);
      this.#showPosition(shown, false);
    } catch (problem) {
      return showNotice(api.describeError(problem));
    }
    showNotice("");
    announce(moves.map((move) => moveWords(this.game.layout, move)).join(", "));
  }

  /** Lists the sets of all games; that of this puzzle is open. */
  #showSets() {
    const solved = solvedPuzzles();
    const games = [...new Set(this.all.map(({ game }) => game))];
    const sets = games.map((id) => {
      const puzzles = this.all.filter(({ game }) => game === id);
      const items = puzzles.map((puzzle) => html("li", {}, this.#link(puzzle, solved.has(puzzle.id))));
      return html(
        "details",
        { open: id === this.puzzle.game },
        html("summary", {}, describeSet(puzzles, solved)),
        html("ol", { class: "numbers" }, items),
      );
    });
    byId("sets").replaceChildren(...sets);
  }

  /** @param {PuzzleSummary} puzzle @param {boolean} isSolved */
  #link(puzzle, isSolved) {
    const [number, plies] = [puzzleNumber(puzzle), puzzle.plies];
    const label = isSolved
      ? text("puzzle.in_set_solved", { number, plies })
      : text("puzzle.in_set", { number, plies });
    const current = puzzle.id === this.puzzle.id ? "page" : null;
    const attributes = { href: pageAddress("puzzle", `?id=${puzzle.id}`), "aria-label": label, title: label, "aria-current": current };
    return html("a", { ...attributes, class: isSolved ? "solved" : "" }, number);
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Escape") this.board.cancel();
    else if (this.board.type(event.key)) event.preventDefault();
  }
}

/** A set in a line: "Swap Nine: 3 of 48 solved". @param {PuzzleSummary[]} puzzles @param {Set<string>} solved */
function describeSet(puzzles, solved) {
  const count = puzzles.filter(({ id }) => solved.has(id)).length;
  return text("puzzle.set", { game: puzzles[0].title, solved: count, puzzles: puzzles.length });
}

async function open() {
  const id = new URLSearchParams(location.search).get("id") ?? "today";
  const [games, puzzle, all] = await Promise.all([api.getGames(), api.getPuzzle(id), api.listPuzzles()]);
  const game = games.find((one) => one.id === puzzle.game);
  if (!game) throw new api.ApiProblem({ status: 404, detail: text("puzzle.missing") });
  new PuzzlePage(game, puzzle, all).show();
}

startPage();
const today = html("a", { class: "strong", href: pageAddress("puzzle") }, text("puzzle.today"));
open().catch((problem) => showDeadEnd(problem, text("puzzle.missing"), today));
