/**
 * The board of the first page: the first move on it creates the match, private, against the computer.
 *
 * @typedef {import("../lib/board-element.js").ChosenMove} ChosenMove
 * @typedef {import("../lib/board-element.js").NineBoard} NineBoard
 * @typedef {import("../lib/types.js").Game} Game
 * @typedef {import("../lib/types.js").MatchRequest} MatchRequest
 */

import * as api from "../lib/api.js";
import { announce, byId, showNotice } from "../lib/dom.js";
import { question } from "../lib/labels.js";
import { loadName } from "../lib/match-storage.js";
import { text } from "../lib/messages.js";
import { skipForcedChoices } from "../lib/move-paths.js";
import { loadSettings } from "../lib/settings.js";
import { playSound } from "../lib/sounds.js";
import { createMatch, enterMatch, firstPage, preloadMatchPage } from "./enter-match.js";
import { chosenPlace } from "./match-place.js";

export class FirstGame {
  /** @param {NineBoard} board */
  constructor(board) {
    this.board = board;
    /** @type {Game | null} */
    this.game = null;
    const signal = firstPage;
    board.addEventListener("play", (event) => void this.#play(/** @type {CustomEvent} */ (event).detail), { signal });
    board.addEventListener("choose", () => this.#showStatus(), { signal });
    board.addEventListener("point", preloadMatchPage, { signal, once: true });
    document.addEventListener("keydown", (event) => this.#onKey(event), { signal });
  }

  /** @param {Game} game */
  show(game) {
    this.game = game;
    const { start, layout } = game;
    this.board.pending = null;
    this.board.show({ layout, board: start.board, moves: start.moves });
    this.board.dataset.turn = start.turn.toLowerCase();
    byId("board-area").hidden = false;
    this.#showStatus();
  }

  #showStatus() {
    if (!this.game) return;
    const { movePrefix, moves } = this.board;
    const asked = question(this.game, movePrefix.length ? movePrefix : skipForcedChoices(moves), moves);
    byId("status").textContent = text("lobby.turn", { question: asked });
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const isTyping = event.target instanceof Element && event.target.closest("input, textarea, select, dialog");
    if (!isTyping && !event.ctrlKey && !event.altKey && !event.metaKey && this.board.type(event.key))
      event.preventDefault();
  }

  /** Creates the match and sends the move, which is already shown. @param {ChosenMove} move */
  async #play(move) {
    const { game } = this;
    if (!game) return;
    playSound("move");
    showNotice("");
    byId("status").textContent = text("status.sending");
    try {
      const { match, seats } = await createMatch(game, requestFor(game), chosenPlace());
      await api.postAction(match, seats[1], { version: 0, action: { kind: "move", move: move.path } });
      await enterMatch(match, 0);
    } catch (problem) {
      this.board.refuse(move);
      this.#showStatus();
      showNotice(api.describeError(problem));
      announce(api.describeError(problem));
    }
  }
}

/** A match against the computer in which this device has the first move. @param {Game} game @returns {MatchRequest} */
function requestFor(game) {
  const name = loadName();
  return {
    game: game.id,
    seats: [{ player: "human", ...(name ? { name } : {}) }, { player: chosenLevel(game) }],
    sides: game.start.turn === "O" ? "OX" : "XO",
    private: true,
  };
}

/** The level of the computer that was chosen last. @param {Game} game */
export function chosenLevel(game) {
  const level = loadSettings().levels[game.id];
  return game.levels.includes(level) ? level : game.default_level;
}
