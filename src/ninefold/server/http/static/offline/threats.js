/**
 * Where a side could win at its next move: the game, a board of it, or a line to claim. As analysis/threats.py. No DOM.
 *
 * @typedef {import("../lib/types.js").Side} Side
 * @typedef {import("./game.js").Game} Game
 * @typedef {import("./table-rules.js").Position} Position
 */

const MOST_MOVES = 18; // of which every one is tried; more would take long

/** @param {Game} game @param {Position} position @param {number[][]} lines @param {boolean} claims @returns {Record<string, string>} */
export function threatsOf(game, position, lines, claims) {
  const wins = (/** @type {Position} */ at) => winningCells(game, at, lines, claims);
  const mine = wins(position);
  const theirs = new Set(afterMoves(position).flatMap((after) => [...wins(after)]));
  const x = position.turn === "X" ? mine : theirs;
  const o = position.turn === "X" ? theirs : mine;
  const cells = [...new Set([...mine, ...theirs])].sort((one, other) => one - other).filter((cell) => !position.cells[cell]);
  return Object.fromEntries(cells.map((cell) => [cell, (x.has(cell) ? "X" : "") + (o.has(cell) ? "O" : "")]));
}

/** Where there are many moves, two for each board to which the other side can be sent. @param {Position} position */
function afterMoves(position) {
  const every = position.moves().map((move) => position.play(move));
  if (every.length <= MOST_MOVES) return every;
  /** @type {Map<string, Position[]>} */
  const sent = new Map();
  for (const after of every) sent.set(after.openBoards.join(), [...(sent.get(after.openBoards.join()) ?? []), after]);
  return [...sent.values()].flatMap((alike) => alike.slice(0, 2));
}

/** @param {Game} game @param {Position} position @param {number[][]} lines @param {boolean} claims */
function winningCells(game, position, lines, claims) {
  const { turn, cells } = position;
  const isWon = (/** @type {Position} */ after) =>
    claims ? countLines(lines, after.cells, turn) > countLines(lines, cells, turn) : hasWon(position, after, turn);
  const won = position.moves().map((move) => position.play(move)).filter(isWon);
  const changed = won.flatMap((after) => Object.keys(game.changedCells(position, after)).map(Number));
  return new Set(changed.filter((cell) => !cells[cell]));
}

/** @param {number[][]} lines @param {string[]} cells @param {Side} side */
function countLines(lines, cells, side) {
  return lines.filter((line) => line.every((cell) => cells[cell] === side)).length;
}

/** @param {Position} before @param {Position} after @param {Side} side */
function hasWon(before, after, side) {
  if (after.outcome) return after.outcome.winner === side;
  const owned = (/** @type {Position} */ { owners }) => owners?.filter((owner) => owner === side).length ?? 0;
  return owned(after) > owned(before);
}
