/**
 * <nine-puzzle>: the puzzle of the day in small, a link to its page. Any page can have it; without a puzzle it is hidden.
 */

import * as api from "./api.js";
import { pictureBoard } from "./board-element.js";
import { html } from "./dom.js";
import { text } from "./messages.js";
import { pageAddress } from "./site.js";
import { solvedPuzzles } from "./solved-puzzles.js";

export class PuzzleCard extends HTMLElement {
  connectedCallback() {
    this.hidden = true;
    void this.#load().catch(() => {}); // a page without the puzzle of the day is a page all the same
  }

  async #load() {
    const [games, puzzle] = await Promise.all([api.getGames(), api.getPuzzle("today")]);
    const game = games.find(({ id }) => id === puzzle.game);
    if (!game) return;
    const board = pictureBoard("puzzle-board");
    board.show({ layout: game.layout, board: puzzle.start.board });
    const isSolved = solvedPuzzles().has(puzzle.id);
    const task = isSolved ? text("puzzle.tomorrow") : text("puzzle.task", { side: puzzle.side, plies: puzzle.plies });
    this.replaceChildren(
      html(
        "a",
        { class: "puzzle-card", href: pageAddress("puzzle") },
        board,
        html(
          "span",
          { class: "name-and-note" },
          html("span", { class: "name" }, text("puzzle.today_of", { game: puzzle.title })),
          html("span", { class: "note" }, task),
        ),
      ),
    );
    this.hidden = false;
  }
}

customElements.define("nine-puzzle", PuzzleCard);
