/**
 * A small board that shows a game being played, over and over.
 *
 * @typedef {import("../lib/board-element.js").NineBoard} NineBoard
 * @typedef {import("../lib/types.js").Layout} Layout
 * @typedef {import("../lib/types.js").Board} Board
 */

import { DEMOS } from "./demo-games.js";

const STEP = 900;
const REST = 4; // steps that the finished board stays

export class Demo {
  /**
   * @param {NineBoard} board
   * @param {Layout} layout
   * @param {string} game
   */
  constructor(board, layout, game) {
    this.board = board;
    this.layout = layout;
    this.demo = DEMOS[game] ?? { open: [], lines: [], moves: [] };
    this.ply = Math.ceil(this.demo.moves.length * 0.6);
    this.show();
  }

  step() {
    const { moves } = this.demo;
    this.ply = this.ply > moves.length + REST ? 0 : this.ply + 1;
    if (this.ply <= moves.length) this.show();
  }

  show() {
    this.board.show({ layout: this.layout, board: this.#at(this.ply) });
  }

  /** @param {number} ply @returns {Board} */
  #at(ply) {
    const { moves, open, lines } = this.demo;
    const boards = this.layout.kind === "boards";
    const cells = new Array(boards ? 81 : 9).fill("");
    const owners = boards ? new Array(9).fill("") : [];
    for (const move of moves.slice(0, ply)) {
      for (const [cell, mark] of Object.entries(move.cells)) cells[Number(cell)] = mark;
      for (const [board, owner] of Object.entries(move.boards ?? {})) owners[Number(board)] = owner;
    }
    const last = moves[ply - 1];
    const ended = moves.length > 0 && ply >= moves.length;
    return {
      cells,
      owners,
      open: ended ? [] : (last?.opens ?? open),
      last: last ? Object.keys(last.cells).map(Number) : [],
      lines: ended ? lines : [],
    };
  }
}

/** All of them together, while anybody looks and motion is wanted. */
export class Demos {
  /** @param {boolean} still */
  constructor(still) {
    /** @type {Demo[]} */
    this.all = [];
    this.paused = still;
    this.turn = 0;
    setInterval(() => this.#step(), STEP / 5);
  }

  /** One board after the other, so that the page is calm. */
  #step() {
    if (this.paused || document.hidden || !this.all.length) return;
    this.turn = (this.turn + 1) % Math.max(5, this.all.length);
    this.all[this.turn]?.step();
  }
}
