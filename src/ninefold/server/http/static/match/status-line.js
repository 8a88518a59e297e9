/**
 * What is asked of whoever sits here: the status, the choices halfway through a move, and what a cell would do.
 *
 * @typedef {import("../lib/types.js").View} View
 * @typedef {import("../lib/types.js").Game} Game
 * @typedef {import("../lib/board-element.js").NineBoard} NineBoard
 */

import { fill, make, part, say } from "../lib/dom.js";
import { takenBy, tellMoves } from "../lib/labels.js";
import { choices, movesByCell } from "../lib/move-paths.js";
import { namesOf, placeOf } from "../lib/coordinates.js";
import { statusOf, verdictFor } from "./match-status.js";
import { capital } from "./announcer.js";

/**
 * @param {View} view
 * @param {Game} game
 * @param {number[]} mine
 * @param {NineBoard} board
 */
export function showStatus(view, game, mine, board) {
  const verdict = verdictFor(view, mine);
  const status = statusOf(view, game, mine, board.pending ? null : board.way);
  const yours = view.status === "live" && view.asked !== null && mine.includes(view.asked);
  part("status").classList.toggle("yours", yours);
  const told = status.startsWith(`${verdict}:`); // "A draw: agreed by both players."
  const words = told ? status.slice(verdict.length) : status;
  fill(part("status"), verdict && make("strong", {}, told ? verdict : `${verdict}. `), words);
  showHint(game, board);
  document.title = `${verdict || (yours && mine.length === 1 ? "Your turn" : view.title)} · Ninefold`;
  showChoice(board);
}

/** Where a move may be stopped halfway: decline, or begin again. @param {NineBoard} board */
function showChoice(board) {
  const { way, moves } = board;
  const { move, next } = way.length ? choices(moves, way) : { move: null, next: [] };
  const begun = moves.filter(({ path }) => path[0] === way[0]);
  const none = takenBy(board.board, begun).length ? "No swap" : "That is all";
  part("choice").hidden = !next.length;
  fill(
    part("choice"),
    move &&
      make(
        "button",
        { type: "button", class: "strong small", "data-key": "decline", onclick: () => board.decline() },
        none,
      ),
    next.length > 0 &&
      make(
        "button",
        { type: "button", class: "quiet small", "data-key": "cancel", onclick: () => board.cancel() },
        "Choose again",
      ),
  );
}

/** Say what can be chosen next. @param {Game} game @param {NineBoard} board */
export function sayChoice(game, board) {
  const { next, move } = choices(board.moves, board.way);
  if (!board.way.length) return;
  const named = board.told ? [namesOf(game.layout, next)] : [];
  const choice = [...named, ...(move ? ["or none: the same cell again"] : [])].join(", ");
  say([part("status").textContent, choice && `${choice}.`].filter(Boolean).join(" "));
}

/**
 * What the cell pointed at would do, for eyes; ears have it in the cell's name.
 *
 * @param {Game} game
 * @param {NineBoard} board
 */
export function showHint({ layout }, board) {
  const cell = board.pending || !board.told ? null : board.at;
  const moves = cell === null ? [] : (movesByCell(board.moves, layout.kind).get(cell) ?? []);
  const words = moves.length ? tellMoves(layout, board.board, moves) : "";
  part("hint").textContent = cell !== null && words ? `${capital(placeOf(layout, cell))}: ${words}` : "";
}
