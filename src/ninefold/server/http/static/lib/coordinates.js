/**
 * Where cells are on the board and what they are called. No DOM.
 *
 * Cells are numbered 0 to 8, or 0 to 80 board by board. A path names a cell by its choices: [cell] or [board, cell].
 *
 * @typedef {import("./types.js").Layout} Layout
 */

import { text } from "./messages.js";

/**
 * The cell that a path leads to; null if it leads to a whole board.
 *
 * @param {Layout["kind"]} kind
 * @param {number[]} path
 */
export function cellAt(kind, path) {
  if (kind === "boards") return path.length < 2 ? null : path[0] * 9 + path[1];
  return path.at(-1) ?? null;
}

/**
 * @param {Layout["kind"]} kind
 * @param {number} cell
 */
export function pathTo(kind, cell) {
  return kind === "boards" ? [Math.floor(cell / 9), cell % 9] : [cell];
}

/**
 * @param {Layout} layout
 * @param {number} cell 0 to 8; a board of a board of boards is named as a cell is
 */
export function cellName(layout, cell) {
  return layout.naming.cells[cell] ?? String(cell + 1);
}

/**
 * @param {Layout} layout
 * @param {number[]} cells
 */
export function cellNames(layout, cells) {
  return cells.map((cell) => cellName(layout, cell)).join(" ");
}

/**
 * Describes where a cell is: "board 7, cell 3" or "cell 5".
 *
 * @param {Layout} layout
 * @param {number} cell
 */
export function describeCell(layout, cell) {
  const names = pathTo(layout.kind, cell).map((step) => cellName(layout, step));
  return layout.kind === "boards"
    ? text("cell.in_board", { board: names[0], cell: names[1] })
    : text("cell", { cell: names[0] });
}

const ROWS = /** @type {const} */ (["top", "middle", "bottom"]);
const COLUMNS = /** @type {const} */ (["left", "middle", "right"]);

/**
 * Where a cell is, in words: "top-middle".
 *
 * @param {number} cell 0 to 8, of a board or of the board of boards
 */
export function place(cell) {
  const [row, column] = [ROWS[Math.floor(cell / 3)], COLUMNS[cell % 3]];
  if (cell === 4) return text("place.centre");
  return text("place", { row: text(`place.${row}`), column: text(`place.${column}`) });
}

/**
 * The cell to which a key moves the focus, over the whole board; the same cell at the edge.
 *
 * @param {Layout["kind"]} kind
 * @param {number} cell
 * @param {string} key an arrow key, Home or End
 */
export function cellAfterKey(kind, cell, key) {
  const size = kind === "boards" ? 9 : 3;
  const [row, column] = kind === "boards" ? toRowColumn(cell) : [Math.floor(cell / 3), cell % 3];
  const clamp = (/** @type {number} */ index) => Math.min(size - 1, Math.max(0, index));
  const rows = { ArrowUp: row - 1, ArrowDown: row + 1 };
  const columns = { ArrowLeft: column - 1, ArrowRight: column + 1, Home: 0, End: size - 1 };
  const nextRow = clamp(rows[/** @type {keyof typeof rows} */ (key)] ?? row);
  const nextColumn = clamp(columns[/** @type {keyof typeof columns} */ (key)] ?? column);
  return kind === "boards" ? fromRowColumn(nextRow, nextColumn) : nextRow * 3 + nextColumn;
}

/**
 * Row and column of one of eighty-one cells.
 *
 * @param {number} cell
 */
function toRowColumn(cell) {
  const [board, inner] = [Math.floor(cell / 9), cell % 9];
  return [Math.floor(board / 3) * 3 + Math.floor(inner / 3), (board % 3) * 3 + (inner % 3)];
}

/**
 * @param {number} row
 * @param {number} column
 */
function fromRowColumn(row, column) {
  const board = Math.floor(row / 3) * 3 + Math.floor(column / 3);
  return board * 9 + (row % 3) * 3 + (column % 3);
}
