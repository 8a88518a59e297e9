/**
 * Cells and boards with what is on them and what a press would do, mostly for screen readers. No DOM.
 *
 * @typedef {import("./types.js").Game} Game
 * @typedef {import("./types.js").LegalMove} LegalMove
 * @typedef {import("./types.js").Layout} Layout
 * @typedef {import("./types.js").Board} Board
 */

import { format, plainText, sentenceCase, text } from "./messages.js";
import { boardPlace, cellPlace, shortPlace, shortPlaces } from "./places.js";

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
function describeEffects(layout, board, moves) {
  const taken = takenCells(board, moves);
  const effects = taken.length ? [text("effect.takes", { cells: shortPlaces(layout, taken) })] : [];
  if (moves.length !== 1) return effects.join(", ");
  const [{ boards, opens, ends }] = moves;
  for (const [number, owner] of Object.entries(boards)) {
    const isWon = owner === "X" || owner === "O";
    effects.push(text(isWon ? "effect.wins_board" : "effect.draws_board", { board: boardPlace(Number(number)) }));
  }
  if (ends) effects.push(text("effect.ends"));
  else if (opens.length === 1) effects.push(text("effect.sends", { board: boardPlace(opens[0]) }));
  else if (layout.kind === "boards") effects.push(text("effect.sends_any", { boards: opens.length }));
  return effects.join(", ");
}

/**
 * What pressing a cell would do, under the board: "Top-middle board, centre cell: sends to the centre board"; "" if it only
 * places a mark.
 *
 * @param {Layout} layout
 * @param {Board} board
 * @param {number} cell
 * @param {LegalMove[]} moves that begin on the cell
 */
export function describePress(layout, board, cell, moves) {
  const effects = describeEffects(layout, board, moves);
  return effects && text("effect.of", { where: sentenceCase(cellPlace(layout, cell)), effects });
}

/**
 * The accessible name of a cell: "top-left board, centre cell, empty, playable, sends to the centre board".
 *
 * @param {Layout} layout
 * @param {Board} board
 * @param {number} cell
 * @param {LegalMove[]} moves that can begin on the cell now
 */
export function cellLabel(layout, board, cell, moves) {
  const parts = [cellPlace(layout, cell), board.cells[cell] || text("cell.empty")];
  if (board.last?.includes(cell)) parts.push(text("cell.last_move"));
  if (moves.length) parts.push(text("cell.playable"), describeEffects(layout, board, moves));
  return parts.filter(Boolean).join(", ");
}

/**
 * The accessible name of one board of a board of boards: "centre board, won by X", "top-left board, playable".
 *
 * @param {Board} board
 * @param {number} number
 */
export function boardLabel(board, number) {
  const open = board.open?.includes(number) ? text("board.playable") : "";
  return [boardPlace(number), describeOwner(board.owners?.[number] ?? ""), open].filter(Boolean).join(", ");
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
 * @param {LegalMove[]} [moves] that are legal, if that is known
 */
export function question({ press_steps: steps, layout, paths }, prefix, moves = []) {
  const step = steps[Math.min(prefix.length, steps.length - 1)] ?? "";
  if (!prefix.length) return layout.kind === "boards" && moves.length === paths.length ? text("choice.any_cell") : step;
  const last = prefix[prefix.length - 1];
  if (layout.kind !== "boards") return format(step, { chosen: shortPlace(layout, last) });
  return step.replace(plainText("place.numbered_board"), text("place.the", { place: boardPlace(last) }));
}
