/**
 * Cells, boards and moves in words, mostly for screen readers. No DOM.
 *
 * @typedef {import("./types.js").Game} Game
 * @typedef {import("./types.js").LegalMove} LegalMove
 * @typedef {import("./types.js").Layout} Layout
 * @typedef {import("./types.js").Board} Board
 */

import { cellName, cellNames, describeCell, place } from "./coordinates.js";
import { format, text } from "./messages.js";

/**
 * The marked cells that the moves change: markers that can be taken.
 *
 * @param {Board} board
 * @param {LegalMove[]} moves
 */
export function takenCells(board, moves) {
  const taken = new Set(
    moves.flatMap(({ cells }) =>
      Object.keys(cells)
        .map(Number)
        .filter((cell) => board.cells[cell]),
    ),
  );
  return [...taken].sort((one, other) => one - other);
}

/**
 * Describes what pressing a cell would do; "" if it only places a mark.
 *
 * @param {Layout} layout
 * @param {Board} board
 * @param {LegalMove[]} moves that begin on the cell
 */
export function describeEffects(layout, board, moves) {
  const effects = [];
  const taken = takenCells(board, moves);
  if (taken.length) effects.push(text("effect.takes", { cells: cellNames(layout, taken) }));
  if (moves.length !== 1) return effects.join(", ");
  const [{ boards, opens, ends }] = moves;
  for (const [number, owner] of Object.entries(boards)) {
    const isWon = owner === "X" || owner === "O";
    effects.push(text(isWon ? "effect.wins_board" : "effect.draws_board", { board: cellName(layout, Number(number)) }));
  }
  if (ends) effects.push(text("effect.ends"));
  else if (layout.kind === "boards")
    effects.push(text("effect.sends", { count: opens.length, boards: cellNames(layout, opens) }));
  return effects.join(", ");
}

/**
 * The accessible name of a cell: "board 7, cell 3, empty, playable, sends to board 3".
 *
 * @param {Layout} layout
 * @param {Board} board
 * @param {number} cell
 * @param {LegalMove[]} moves that can begin on the cell now
 */
export function cellLabel(layout, board, cell, moves) {
  const parts = [describeCell(layout, cell), board.cells[cell] || text("cell.empty")];
  if (board.last?.includes(cell)) parts.push(text("cell.last_move"));
  if (moves.length) parts.push(text("cell.playable"), describeEffects(layout, board, moves));
  return parts.filter(Boolean).join(", ");
}

/**
 * The accessible name of one board of a board of boards: "board 5, won by X", "board 7, playable".
 *
 * @param {Layout} layout
 * @param {Board} board
 * @param {number} number
 */
export function boardLabel(layout, board, number) {
  const open = board.open?.includes(number) ? text("board.playable") : "";
  const name = text("board.in_boards", { board: cellName(layout, number) });
  return [name, describeOwner(board.owners?.[number] ?? ""), open].filter(Boolean).join(", ");
}

/** @param {string} owner */
function describeOwner(owner) {
  if (owner === "") return "";
  if (owner === "=") return text("board.drawn_nobody");
  return owner === "XO" ? text("board.drawn_both") : text("board.won", { side: owner });
}

/**
 * The game's own question for the next choice, "choose a cell in the centre board"; "" if it has none.
 *
 * @param {Game} game
 * @param {number[]} prefix
 */
export function question({ press_steps: steps, layout }, prefix) {
  const step = steps[Math.min(prefix.length, steps.length - 1)] ?? "";
  if (!prefix.length) return step;
  const last = prefix[prefix.length - 1];
  const board = text("place.board", { board: place(last) });
  const inWords = layout.kind === "boards" ? step.replace("board {chosen}", board) : step;
  return format(inWords, { chosen: cellName(layout, last) });
}
