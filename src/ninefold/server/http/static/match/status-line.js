/**
 * The status line under the board: whose turn it is, what can be chosen next, and what a cell would do.
 *
 * @typedef {import("../lib/board-element.js").NineBoard} NineBoard
 * @typedef {import("../lib/types.js").Game} Game
 * @typedef {import("../lib/types.js").MatchView} MatchView
 */

import { cellAt } from "../lib/coordinates.js";
import { announce, button, byId, html, update } from "../lib/dom.js";
import { describePress, takenCells } from "../lib/labels.js";
import { isTurnOf } from "../lib/match-view.js";
import { text } from "../lib/messages.js";
import { choices, movesByCell } from "../lib/move-paths.js";
import { shortPlaces } from "../lib/places.js";
import { describeResult, describeStatus, shortResult } from "./match-status.js";

/**
 * @param {MatchView} view
 * @param {Game} game
 * @param {number[]} mySeats
 * @param {NineBoard} board
 */
export function showStatus(view, game, mySeats, board) {
  const { headline, rest } = describeResult(view, mySeats);
  const status = describeStatus(view, game, mySeats, board.pending ? null : board.movePrefix);
  const isMyTurn = isTurnOf(view, mySeats);
  byId("status").classList.toggle("my-turn", isMyTurn);
  update(byId("status"), headline && html("strong", {}, headline), rest || status);
  const turn = isMyTurn && mySeats.length === 1 ? text("status.your_turn") : view.title;
  document.title = text("page.title", { title: shortResult(view, mySeats) || turn });
  showChoiceButtons(board);
}

/** Shows the buttons in the middle of a move: decline what could follow, or start over. @param {NineBoard} board */
function showChoiceButtons(board) {
  const { movePrefix: prefix, moves } = board;
  const { move, next } = prefix.length ? choices(moves, prefix) : { move: null, next: [] };
  const begun = moves.filter(({ path }) => path[0] === prefix[0]);
  const decline = text(takenCells(board.board, begun).length ? "choice.no_swap" : "choice.done");
  byId("choice").hidden = !next.length;
  update(
    byId("choice"),
    move && button(decline, { class: "strong small", "data-key": "decline", onclick: () => board.decline() }),
    next.length > 0 &&
      button(text("choice.again"), { class: "quiet small", "data-key": "cancel", onclick: () => board.cancel() }),
  );
}

/** Announces what can be chosen next. @param {Game} game @param {NineBoard} board */
export function announceChoice(game, board) {
  const { next, move } = choices(board.moves, board.movePrefix);
  if (!board.movePrefix.length) return;
  const cells = next.map((cell) => cellAt(game.layout.kind, [...board.movePrefix, cell]) ?? cell);
  const places = board.movesAreLegal ? [shortPlaces(game.layout, cells)] : [];
  const options = [...places, ...(move ? [text("choice.or_none")] : [])].join(", ");
  announce([byId("status").textContent, options && `${options}.`].filter(Boolean).join(" "));
}

/**
 * Shows what the cell under the pointer would do, else the best move if it was asked for. Screen readers have the one in
 * the cell's name, and the other was announced.
 *
 * @param {Game} game
 * @param {NineBoard} board
 * @param {string} bestMove in a sentence; "" if it was not asked for
 */
export function showHint({ layout }, board, bestMove) {
  const cell = board.pending || !board.movesAreLegal ? null : board.pointed;
  const moves = cell === null ? [] : (movesByCell(board.moves, layout.kind).get(cell) ?? []);
  const effect = cell === null ? "" : describePress(layout, board.board, cell, moves);
  byId("hint").textContent = effect || bestMove;
  byId("hint").classList.toggle("asked", bestMove !== "");
}
