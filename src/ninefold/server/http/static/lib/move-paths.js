/**
 * A move is a path of choices on the board. Here the tree of the legal paths is walked; what is legal, and
 * what a move does, comes from the server. No DOM.
 *
 * @typedef {import("./types.js").Move} Move
 * @typedef {import("./types.js").Layout} Layout
 * @typedef {{play: Move} | {prefix: number[]}} Step
 */

import { cellAt, nameOf, pathTo } from "./coordinates.js";

/**
 * What can be tried where the server does not tell the legal moves: all moves there are, of unknown effect.
 *
 * @param {number[][]} paths
 * @returns {Move[]}
 */
export function untold(paths) {
  return paths.map((path, move) => ({ move, text: "", path, cells: {}, boards: {}, opens: [], ends: false }));
}

/**
 * The next cells that lead on from a prefix, and the move that the prefix itself is, if it is one.
 *
 * @param {Move[]} moves
 * @param {number[]} [prefix]
 * @returns {{next: number[], move: Move | null}}
 */
export function choices(moves, prefix = []) {
  const depth = prefix.length;
  const here = moves.filter(({ path }) => prefix.every((cell, step) => path[step] === cell) && path.length >= depth);
  const next = new Set(here.filter(({ path }) => path.length > depth).map(({ path }) => path[depth]));
  return {
    next: [...next].sort((one, other) => one - other),
    move: here.find(({ path }) => path.length === depth) ?? null,
  };
}

/**
 * What pressing a cell does when some choices have been made: it plays, leads on, or (null) nothing. Pressing the cell
 * chosen last once more declines what could follow; pressing another one that can begin a move begins anew.
 *
 * @param {Move[]} moves
 * @param {Layout["kind"]} kind
 * @param {number[]} prefix
 * @param {number} cell
 * @returns {Step | null}
 */
export function press(moves, kind, prefix, cell) {
  const here = choices(moves, prefix).move;
  if (here && cellAt(kind, prefix) === cell) return { play: here };
  const whole = kind === "boards" && prefix.length < 2;
  const step = walk(moves, whole ? pathTo(kind, cell) : [...prefix, cell]);
  return step ?? (prefix.length && !whole ? press(moves, kind, [], cell) : null);
}

/**
 * @param {Move[]} moves
 * @param {number[]} path
 * @returns {Step | null}
 */
function walk(moves, path) {
  const { next, move } = choices(moves, path);
  if (next.length) return { prefix: path };
  return move && { play: move };
}

/**
 * Where choosing begins: past every choice that has one answer only and is no move by itself.
 *
 * @param {Move[]} moves
 * @param {number[]} prefix
 * @returns {number[]}
 */
export function skipped(moves, prefix = []) {
  const { next, move } = choices(moves, prefix);
  if (move || next.length !== 1) return prefix;
  const on = choices(moves, [...prefix, next[0]]);
  return on.move || !on.next.length ? prefix : skipped(moves, [...prefix, next[0]]);
}

/**
 * What typing digits does: each choice is named as people of the game name its cell, brackets left out. The cell
 * chosen last, named once more, declines what could follow.
 *
 * @param {Move[]} moves
 * @param {Layout} layout
 * @param {number[]} prefix
 * @param {string} digits typed so far, the newest included
 * @returns {{step: Step | null, digits: string}} digits that still wait for more
 */
export function typed(moves, layout, prefix, digits) {
  const from = prefix.length ? prefix : skipped(moves);
  const { next, move } = choices(moves, from);
  if (move && digitsOf(layout, from[from.length - 1]) === digits) return { step: { play: move }, digits: "" };
  const names = next.map((cell) => ({ cell, name: digitsOf(layout, cell) }));
  const chosen = names.find(({ name }) => name === digits);
  if (chosen) return { step: walk(moves, [...from, chosen.cell]), digits: "" };
  return { step: null, digits: names.some(({ name }) => name.startsWith(digits)) ? digits : "" };
}

/**
 * @param {Layout} layout
 * @param {number} cell
 */
function digitsOf(layout, cell) {
  return nameOf(layout, cell).replace(/\D/g, "");
}

/**
 * The legal moves by the cell they begin on.
 *
 * @param {Move[]} moves
 * @param {Layout["kind"]} kind
 * @returns {Map<number, Move[]>}
 */
export function movesByCell(moves, kind) {
  /** @type {Map<number, Move[]>} */
  const found = new Map();
  for (const move of moves) {
    const cell = cellAt(kind, kind === "boards" ? move.path.slice(0, 2) : move.path.slice(0, 1));
    if (cell !== null) found.set(cell, [...(found.get(cell) ?? []), move]);
  }
  return found;
}

/**
 * What pressing a cell would do: its effects, and the cells that could be chosen after it.
 *
 * @param {Move[]} moves
 * @param {Layout["kind"]} kind
 * @param {number[]} prefix
 * @param {number} cell
 * @returns {{cells: Record<string, string>, boards: Record<string, string>, opens: number[], options: number[]} | null}
 */
export function foresee(moves, kind, prefix, cell) {
  const step = press(moves, kind, prefix, cell);
  if (!step) return null;
  const { next, move } = "play" in step ? { next: [], move: step.play } : choices(moves, step.prefix);
  const options = "play" in step ? [] : next.map((on) => cellAt(kind, [...step.prefix, on]) ?? on);
  return { cells: move?.cells ?? {}, boards: move?.boards ?? {}, opens: move?.opens ?? [], options };
}
