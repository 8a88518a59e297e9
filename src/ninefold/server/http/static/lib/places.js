/**
 * Where things are on the board in words for people who see it: "top-middle board". No DOM.
 *
 * Screen readers hear the names of cells as they are typed and listed; see labels.js.
 *
 * @typedef {import("./types.js").Board} Board
 * @typedef {import("./types.js").Layout} Layout
 * @typedef {import("./types.js").LegalMove} LegalMove
 */

import { pathTo, place } from "./coordinates.js";
import { takenCells } from "./labels.js";
import { capitalize, text } from "./messages.js";

/**
 * What pressing a cell would do: "Top-middle board, centre cell: sends to the centre board"; "" if it only places a mark.
 *
 * @param {Layout} layout
 * @param {Board} board
 * @param {number} cell
 * @param {LegalMove[]} moves that begin on the cell
 */
export function describePress(layout, board, cell, moves) {
  const effects = effectsOf(layout, board, moves);
  if (!effects.length) return "";
  const [first, second] = pathTo(layout.kind, cell).map(place);
  const where = second ? text("place.cell_in_board", { board: first, cell: second }) : text("place.cell", { cell: first });
  return text("place.effects", { where: capitalize(where), effects: effects.join(", ") });
}

/** @param {Layout} layout @param {Board} board @param {LegalMove[]} moves */
function effectsOf(layout, board, moves) {
  const taken = takenCells(board, moves);
  const effects = taken.length ? [text("place.takes", { cells: taken.map(place).join(", ") })] : [];
  if (moves.length !== 1) return effects;
  const [{ boards, opens, ends }] = moves;
  for (const [number, owner] of Object.entries(boards)) {
    const isWon = owner === "X" || owner === "O";
    effects.push(text(isWon ? "place.wins_board" : "place.draws_board", { board: place(Number(number)) }));
  }
  if (ends) effects.push(text("effect.ends"));
  else if (opens.length === 1) effects.push(text("place.sends", { board: place(opens[0]) }));
  else if (layout.kind === "boards") effects.push(text("place.sends_any", { boards: opens.length }));
  return effects;
}
