/**
 * What places on the board are called, everywhere on a page: in words ("top-middle board, centre cell"), or by the labels
 * on the edges of the board if the settings show them. Boards always have words. No DOM.
 *
 * @typedef {import("./types.js").Layout} Layout
 */

import { cellAt, pathTo, rowColumn } from "./coordinates.js";
import { text } from "./messages.js";
import { loadSettings } from "./settings.js";

const ROWS = /** @type {const} */ (["top", "middle", "bottom"]);
const COLUMNS = /** @type {const} */ (["left", "middle", "right"]);
const PLACES = /** @type {const} */ ([
  ...["top_left", "top_middle", "top_right", "middle_left", "centre"],
  ...["middle_right", "bottom_left", "bottom_middle", "bottom_right"],
]);

/**
 * Where a cell is, in words: "top-middle".
 *
 * @param {number} cell 0 to 8, of a board or of the board of boards
 */
export function place(cell) {
  const where = PLACES[cell];
  return text(`place.${where}`);
}

/** "top-middle board" @param {number} number */
export function boardPlace(number) {
  return text("place.board", { board: place(number) });
}

/** True if a game names its cells by row and column: "[0,2]". @param {Layout} layout */
function namesRowAndColumn({ naming }) {
  return naming.cells[0]?.startsWith("[") ?? false;
}

/**
 * The labels on the edges: of the rows from the top, and of the columns from the left. They are those of chess, but a game
 * that names its cells by row and column keeps its own.
 *
 * @param {Layout} layout
 */
export function edgeLabels(layout) {
  const lines = Array.from({ length: layout.kind === "boards" ? 9 : 3 }, (_, line) => line);
  if (namesRowAndColumn(layout)) return { rows: lines.map(String), columns: lines.map(String) };
  return {
    rows: lines.map((row) => String(lines.length - row)),
    columns: lines.map((column) => String.fromCharCode("a".charCodeAt(0) + column)),
  };
}

/** @param {Layout} layout @param {number} cell */
function labelOf(layout, cell) {
  if (namesRowAndColumn(layout)) return layout.naming.cells[cell];
  const [row, column] = rowColumn(layout.kind, cell);
  const { rows, columns } = edgeLabels(layout);
  return `${columns[column]}${rows[row]}`;
}

/**
 * A cell in a sentence: "centre cell", "top-middle board, centre cell", or "e8".
 *
 * @param {Layout} layout
 * @param {number} cell
 */
export function cellPlace(layout, cell) {
  if (loadSettings().labels) return labelOf(layout, cell);
  const [first, second] = pathTo(layout.kind, cell);
  if (second === undefined) return text("place.cell", { cell: place(first) });
  return text("place.cell_in_board", { board: boardPlace(first), cell: place(second) });
}

/**
 * A cell in a list: "centre", "top-middle/centre", or "e8".
 *
 * @param {Layout} layout
 * @param {number} cell
 */
export function shortPlace(layout, cell) {
  return loadSettings().labels ? labelOf(layout, cell) : pathTo(layout.kind, cell).map(place).join("/");
}

/** @param {Layout} layout @param {number[]} cells */
export function shortPlaces(layout, cells) {
  return cells.map((cell) => shortPlace(layout, cell)).join(", ");
}

/**
 * Three cells, as a line if they are one: "top row", "left column", "falling diagonal".
 *
 * @param {Layout} layout of one board
 * @param {number[]} cells ascending
 */
export function linePlace(layout, cells) {
  const [first, second, third] = cells;
  const isLine = cells.length === 3 && third - second === second - first;
  const step = loadSettings().labels || !isLine ? 0 : second - first;
  const [row, column] = [ROWS[Math.floor(first / 3)], COLUMNS[first % 3]];
  if (step === 1 && column === "left") return text(`place.${row}_row`);
  if (step === 3) return text(`place.${column}_column`);
  if (step === 4 && first === 0) return text("place.falling");
  if (step === 2 && first === 2) return text("place.rising");
  return shortPlaces(layout, cells);
}

/**
 * A move in a list: "centre", "top-middle/centre", "centre takes top-middle"; as it is written if it names no cell.
 *
 * @param {Layout} layout
 * @param {string | number[]} move its text, or its path
 */
export function movePlace(layout, move) {
  const [first, ...others] = cellsOfMove(layout, move);
  if (first === undefined) return String(move);
  const placed = shortPlace(layout, first);
  return others.length ? text("place.taking", { cell: placed, taken: shortPlaces(layout, others) }) : placed;
}

/**
 * A move in a sentence: "centre", "top-middle board, centre cell", "centre takes top-middle".
 *
 * @param {Layout} layout
 * @param {string | number[]} move its text, or its path
 */
export function moveWords(layout, move) {
  const [cell] = cellsOfMove(layout, move);
  return layout.kind === "boards" && cell !== undefined ? cellPlace(layout, cell) : movePlace(layout, move);
}

/**
 * The cells of a move: where a mark is placed, and those that are taken.
 *
 * @param {Layout} layout
 * @param {string | number[]} move its text, or its path
 */
export function cellsOfMove(layout, move) {
  const path = typeof move === "string" ? pathOf(layout, move) : move;
  const cell = cellAt(layout.kind, path);
  return layout.kind === "boards" && cell !== null ? [cell] : path;
}

/**
 * The path of a move that is written as in a record: names of cells, with anything between them.
 *
 * @param {Layout} layout
 * @param {string} written
 */
function pathOf({ naming }, written) {
  const path = [];
  for (let at = 0; at < written.length; at++) {
    const cell = naming.cells.findIndex((name) => written.startsWith(name, at));
    if (cell < 0) continue;
    path.push(cell);
    at += naming.cells[cell].length - 1;
  }
  return path;
}
