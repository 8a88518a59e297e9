/**
 * The form in which any position is set up. The server says whether it can arise in play.
 *
 * @typedef {import("../lib/types.js").Game} Game
 * @typedef {import("../lib/types.js").LegalMove} LegalMove
 * @typedef {import("../lib/types.js").Position} Position
 * @typedef {import("../lib/types.js").Side} Side
 */

import * as api from "../lib/api.js";
import { NineBoard } from "../lib/board-element.js";
import { cellName, pathTo } from "../lib/coordinates.js";
import { announce, byId, html } from "../lib/dom.js";
import { text } from "../lib/messages.js";
import { unverifiedMoves } from "../lib/move-paths.js";
import { boardPlace } from "../lib/places.js";
import { positionText } from "./position-text.js";

const NEXT_MARK = /** @type {Record<string, string>} */ ({ "": "X", X: "O", O: "" });

export class PositionEditor {
  /**
   * @param {Game[]} games
   * @param {(game: Game, position: Position, options: Record<string, string>) => void} onDone
   * @param {() => void} onCancel
   */
  constructor(games, onDone, onCancel) {
    this.games = games;
    this.onDone = onDone;
    this.board = /** @type {NineBoard} */ (byId("editor-board"));
    this.gameField = /** @type {HTMLSelectElement} */ (byId("editor-game"));
    this.turnField = /** @type {HTMLSelectElement} */ (byId("editor-turn"));
    this.sentField = /** @type {HTMLSelectElement} */ (byId("editor-sent"));
    /** @type {string[]} */
    this.cells = [];
    /** @type {string[]} those of the match that the position is from */
    this.options = [];
    /** @type {Record<string, string>} all options of that match, also those that are not part of a position */
    this.match = {};
    this.gameField.replaceChildren(...games.map(({ id, title }) => html("option", { value: id }, title)));
    this.gameField.addEventListener("change", () => this.#clear());
    this.board.addEventListener("play", (event) => this.#press(/** @type {CustomEvent} */ (event).detail));
    byId("editor-cancel").addEventListener("click", () => {
      byId("editor").hidden = true;
      onCancel();
    });
    byId("editor-clear").addEventListener("click", () => this.#clear());
    byId("editor-form").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#check();
    });
  }

  get #game() {
    return this.games.find(({ id }) => id === this.gameField.value) ?? this.games[0];
  }

  /**
   * Shows the form with a position in it, or with an empty board.
   *
   * @param {{game: string, cells: string[], turn: Side | null, sent: string, options: string[],
   *   match: Record<string, string>}} [from]
   */
  open(from) {
    if (from) this.gameField.value = from.game;
    this.#clear();
    if (from) {
      this.cells = [...from.cells];
      this.options = from.options;
      this.match = from.match;
      this.sentField.value = from.sent;
    }
    if (from?.turn) this.turnField.value = from.turn;
    this.#paint();
    byId("editor").hidden = false;
    this.gameField.focus();
  }

  #clear() {
    const { layout } = this.#game;
    const isBoards = layout.kind === "boards";
    this.cells = Array.from({ length: isBoards ? 81 : 9 }, () => "");
    this.options = [];
    this.match = {};
    const boards = Array.from({ length: 9 }, (_, board) =>
      html("option", { value: cellName(layout, board) }, boardPlace(board)),
    );
    this.sentField.replaceChildren(html("option", { value: "*" }, text("editor.any_board")), ...boards);
    byId("editor-sent-row").hidden = !isBoards;
    byId("editor-problem").hidden = true;
    this.#paint();
  }

  #paint() {
    const { layout } = this.#game;
    const moves = unverifiedMoves(this.cells.map((_, cell) => pathTo(layout.kind, cell)));
    this.board.pending = null;
    this.board.show({ layout, board: { cells: this.cells, last: [], lines: [] }, moves, movesAreLegal: false });
  }

  /** @param {LegalMove} pressed its number is that of the cell */
  #press({ move }) {
    this.cells[move] = NEXT_MARK[this.cells[move]];
    this.#paint();
  }

  async #check() {
    const game = this.#game;
    const turn = /** @type {Side} */ (this.turnField.value);
    const problem = byId("editor-problem");
    try {
      const position = positionText(game.layout.kind, this.cells, turn, this.sentField.value, this.options);
      const found = await api.getPosition({ game: game.id, position });
      problem.hidden = true;
      byId("editor").hidden = true;
      this.onDone(game, found, this.match);
    } catch (refused) {
      problem.textContent = api.describeError(refused);
      problem.hidden = false;
      announce(problem.textContent);
    }
  }
}
