/**
 * Small boards that play a demo game over and over.
 *
 * @typedef {import("../lib/board-element.js").NineBoard} NineBoard
 * @typedef {import("../lib/types.js").Layout} Layout
 * @typedef {import("../lib/types.js").Board} Board
 */

import { DEMO_GAMES } from "./demo-games.js";

const STEP = 900; // milliseconds between two moves of a board
const BOARDS = 5; // boards that take turns in a step, at least
const REST = 4; // steps for which the finished board stays

export class DemoBoard {
  /**
   * @param {NineBoard} board
   * @param {Layout} layout
   * @param {string} game
   */
  constructor(board, layout, game) {
    this.board = board;
    this.layout = layout;
    this.game = DEMO_GAMES[game] ?? { open: [], lines: [], moves: [] };
    this.ply = Math.ceil(this.game.moves.length * 0.6);
    this.#show();
  }

  step() {
    const { moves } = this.game;
    this.ply = this.ply > moves.length + REST ? 0 : this.ply + 1;
    if (this.ply <= moves.length) this.#show();
  }

  #show() {
    this.board.show({ layout: this.layout, board: this.#boardAt(this.ply) });
  }

  /** @param {number} ply @returns {Board} */
  #boardAt(ply) {
    const { moves, open, lines } = this.game;
    const hasBoards = this.layout.kind === "boards";
    const cells = new Array(hasBoards ? 81 : 9).fill("");
    const owners = hasBoards ? new Array(9).fill("") : [];
    for (const move of moves.slice(0, ply)) {
      for (const [cell, mark] of Object.entries(move.cells)) cells[Number(cell)] = mark;
      for (const [board, owner] of Object.entries(move.boards ?? {})) owners[Number(board)] = owner;
    }
    const last = moves[ply - 1];
    const isOver = moves.length > 0 && ply >= moves.length;
    return {
      cells,
      owners,
      open: isOver ? [] : (last?.opens ?? open),
      last: last ? Object.keys(last.cells).map(Number) : [],
      lines: isOver ? lines : [],
    };
  }
}

/** Lets the boards play one after the other, while the page is visible and not paused. */
export class DemoLoop {
  /** @param {boolean} isPaused */
  constructor(isPaused) {
    this.isPaused = isPaused;
    /** @type {DemoBoard[]} */
    this.boards = [];
    this.next = 0;
    setInterval(() => this.#step(), STEP / BOARDS);
  }

  /** @param {DemoBoard} board */
  add(board) {
    this.boards.push(board);
  }

  #step() {
    if (this.isPaused || document.hidden || !this.boards.length) return;
    this.next = (this.next + 1) % Math.max(BOARDS, this.boards.length);
    this.boards[this.next]?.step();
  }
}
