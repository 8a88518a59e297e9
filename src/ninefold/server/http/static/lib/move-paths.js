/**
 * Walks the tree of move paths: a move is a path of choices on the board. No DOM.
 *
 * The legal moves and their effects come from the server.
 *
 * @typedef {import("./types.js").LegalMove} LegalMove
 * @typedef {import("./types.js").Layout} Layout
 *
 * @typedef {{play: LegalMove} | {prefix: number[]}} Step a complete move, or the choices made so far
 *
 * @typedef {object} Preview what pressing a cell would do
 * @property {Record<string, string>} cells
 * @property {Record<string, string>} boards
 * @property {number[]} opens the boards that the opponent may play in
 * @property {number[]} options the cells that could be chosen next
 */

import { cellAt, cellName, pathTo } from "./coordinates.js";

/**
 * All moves of a game, with unknown effects: what can be tried if the server does not show the legal moves.
 *
 * @param {number[][]} paths
 * @returns {LegalMove[]}
 */
export function unverifiedMoves(paths) {
  return paths.map((path, move) => ({ move, text: "", path, cells: {}, boards: {}, opens: [], ends: false }));
}

/**
 * The next cells that can be chosen after a prefix, and the move that the prefix itself is, if it is one.
 *
 * @param {LegalMove[]} moves
 * @param {number[]} [prefix]
 * @returns {{next: number[], move: LegalMove | null}}
 */
export function choices(moves, prefix = []) {
  const depth = prefix.length;
  const matching = moves.filter(
    ({ path }) => prefix.every((cell, step) => path[step] === cell) && path.length >= depth,
  );
  const next = new Set(matching.filter(({ path }) => path.length > depth).map(({ path }) => path[depth]));
  return {
    next: [...next].sort((one, other) => one - other),
    move: matching.find(({ path }) => path.length === depth) ?? null,
  };
}

/**
 * What pressing a cell does after some choices; null if it does nothing. Pressing the cell chosen last again declines
 * what could follow. Pressing another cell that can begin a move starts over.
 *
 * @param {LegalMove[]} moves
 * @param {Layout["kind"]} kind
 * @param {number[]} prefix
 * @param {number} cell
 * @returns {Step | null}
 */
export function pressCell(moves, kind, prefix, cell) {
  const complete = choices(moves, prefix).move;
  if (complete && cellAt(kind, prefix) === cell) return { play: complete };
  const boardAndCell = kind === "boards" && prefix.length < 2;
  const step = follow(moves, boardAndCell ? pathTo(kind, cell) : [...prefix, cell]);
  return step ?? (prefix.length && !boardAndCell ? pressCell(moves, kind, [], cell) : null);
}

/**
 * @param {LegalMove[]} moves
 * @param {number[]} path
 * @returns {Step | null}
 */
function follow(moves, path) {
  const { next, move } = choices(moves, path);
  if (next.length) return { prefix: path };
  return move && { play: move };
}

/**
 * The prefix after all choices that have only one answer and are not a move themselves.
 *
 * @param {LegalMove[]} moves
 * @param {number[]} prefix
 * @returns {number[]}
 */
export function skipForcedChoices(moves, prefix = []) {
  const { next, move } = choices(moves, prefix);
  if (move || next.length !== 1) return prefix;
  const after = choices(moves, [...prefix, next[0]]);
  return after.move || !after.next.length ? prefix : skipForcedChoices(moves, [...prefix, next[0]]);
}

/**
 * What typing digits does: each choice is typed by the digits of its cell's name. The name of the cell chosen last,
 * typed again, declines what could follow.
 *
 * @param {LegalMove[]} moves
 * @param {Layout} layout
 * @param {number[]} prefix
 * @param {string} digits typed so far, including the newest
 * @returns {{step: Step | null, digits: string}} and the digits that still wait for more
 */
export function typeDigits(moves, layout, prefix, digits) {
  const from = prefix.length ? prefix : skipForcedChoices(moves);
  const { next, move } = choices(moves, from);
  if (move && digitsOf(layout, from[from.length - 1]) === digits) return { step: { play: move }, digits: "" };
  const names = next.map((cell) => ({ cell, name: digitsOf(layout, cell) }));
  const chosen = names.find(({ name }) => name === digits);
  if (chosen) return { step: follow(moves, [...from, chosen.cell]), digits: "" };
  return { step: null, digits: names.some(({ name }) => name.startsWith(digits)) ? digits : "" };
}

/**
 * @param {Layout} layout
 * @param {number} cell
 */
function digitsOf(layout, cell) {
  return cellName(layout, cell).replace(/\D/g, "");
}

/**
 * The moves by the cell they begin on.
 *
 * @param {LegalMove[]} moves
 * @param {Layout["kind"]} kind
 * @returns {Map<number, LegalMove[]>}
 */
export function movesByCell(moves, kind) {
  /** @type {Map<number, LegalMove[]>} */
  const found = new Map();
  for (const move of moves) {
    const cell = cellAt(kind, kind === "boards" ? move.path.slice(0, 2) : move.path.slice(0, 1));
    if (cell !== null) found.set(cell, [...(found.get(cell) ?? []), move]);
  }
  return found;
}

/**
 * What the choices so far put on the board, to be seen until the move is complete.
 *
 * @param {LegalMove[]} moves
 * @param {Layout["kind"]} kind
 * @param {number[]} prefix
 * @returns {Record<string, string>} the mark of the chosen cell; none if only a board is chosen
 */
export function chosenMark(moves, kind, prefix) {
  const cell = prefix.length ? cellAt(kind, prefix) : null;
  const begun = moves.find(({ path }) => prefix.every((choice, index) => path[index] === choice));
  const mark = cell === null ? undefined : begun?.cells[cell];
  return cell === null || mark === undefined ? {} : { [cell]: mark };
}

/**
 * What pressing a cell would do; null if nothing.
 *
 * @param {LegalMove[]} moves
 * @param {Layout["kind"]} kind
 * @param {number[]} prefix
 * @param {number} cell
 * @returns {Preview | null}
 */
export function previewPress(moves, kind, prefix, cell) {
  const step = pressCell(moves, kind, prefix, cell);
  if (!step) return null;
  const { next, move } = "play" in step ? { next: [], move: step.play } : choices(moves, step.prefix);
  const options = "play" in step ? [] : next.map((choice) => cellAt(kind, [...step.prefix, choice]) ?? choice);
  return { cells: move?.cells ?? {}, boards: move?.boards ?? {}, opens: move?.opens ?? [], options };
}
