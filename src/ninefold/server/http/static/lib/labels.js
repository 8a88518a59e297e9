/**
 * Cells, boards and moves in words, from what the server says about them. No DOM.
 *
 * @typedef {import("./types.js").Move} Move
 * @typedef {import("./types.js").Layout} Layout
 * @typedef {import("./types.js").Board} Board
 */

import { nameOf, namesOf, placeOf } from "./coordinates.js";

/**
 * Cells that the moves take from whom they belong to.
 *
 * @param {Board} board
 * @param {Move[]} moves
 */
export function takenBy(board, moves) {
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
 * What pressing a cell would do, in words; "" when there is nothing to say beyond the mark itself.
 *
 * @param {Layout} layout
 * @param {Board} board
 * @param {Move[]} moves that begin on the cell
 */
export function tellMoves(layout, board, moves) {
  const told = [];
  const taken = takenBy(board, moves);
  if (taken.length) told.push(`can take ${namesOf(layout, taken)}`);
  if (moves.length !== 1) return told.join(", ");
  const [{ boards, opens, ends }] = moves;
  for (const [number, owner] of Object.entries(boards)) {
    told.push(`${owner.length === 1 && owner !== "=" ? "wins" : "draws"} board ${nameOf(layout, Number(number))}`);
  }
  if (ends) told.push("ends the game");
  else if (layout.kind === "boards") told.push(tellOpens(layout, opens));
  return told.join(", ");
}

/**
 * @param {Layout} layout
 * @param {number[]} opens
 */
function tellOpens(layout, opens) {
  return `sends to ${opens.length === 1 ? "board" : "any of the boards"} ${namesOf(layout, opens)}`;
}

/**
 * A cell for those who hear it: "board 7, cell 3, empty, playable, sends to board 3".
 *
 * @param {Layout} layout
 * @param {Board} board
 * @param {number} cell
 * @param {Move[]} moves that begin on the cell now, none where it cannot be played
 */
export function cellLabel(layout, board, cell, moves) {
  const parts = [placeOf(layout, cell), board.cells[cell] || "empty"];
  if (board.last?.includes(cell)) parts.push("last move");
  if (moves.length) parts.push("playable", tellMoves(layout, board, moves));
  return parts.filter(Boolean).join(", ");
}

/**
 * A board of a board of boards: "board 5, won by X", "board 7, playable".
 *
 * @param {Layout} layout
 * @param {Board} board
 * @param {number} number
 */
export function boardLabel(layout, board, number) {
  const owner = board.owners?.[number] ?? "";
  const owned = { "": "", "=": "drawn, counts for nobody", XO: "drawn, counts for both" }[owner] ?? `won by ${owner}`;
  const open = board.open?.includes(number) ? "playable" : "";
  return [`board ${nameOf(layout, number)}`, owned, open].filter(Boolean).join(", ");
}

/**
 * The game's own question for the next choice, without whom it is put to and without the list of answers. Nobody has
 * to enter a number here.
 *
 * @param {string[]} steps
 * @param {Layout} layout
 * @param {number[]} prefix
 */
export function question(steps, layout, prefix) {
  const text = steps[Math.min(prefix.length, steps.length - 1)] ?? "";
  const chosen = prefix.length ? nameOf(layout, prefix[prefix.length - 1]) : "";
  const plain = text
    .replace(/\{player\},?\s*/g, "")
    .replace(/\s*\(\{choices\}\)/g, "")
    .replace(/enter the number of/i, "choose")
    .replace(/\{chosen\}/g, chosen);
  const trimmed = plain.replace(/[\s:]+$/, "");
  return trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
}
