/**
 * Where cells are on the board, and their names in records. No DOM.
 *
 * Cells are numbered 0 to 8, or 0 to 80 board by board. A path names a cell by its choices: [cell] or [board, cell].
 *
 * @typedef {import("./types.js").Layout} Layout
 */

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
 * The name of a cell in records and on the keyboard; places.js has what people read.
 *
 * @param {Layout} layout
 * @param {number} cell 0 to 8; a board of a board of boards is named as a cell is
 */
export function cellName(layout, cell) {
  return layout.naming.cells[cell] ?? String(cell + 1);
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
  const [row, column] = rowColumn(kind, cell);
  const clamp = (/** @type {number} */ index) => Math.min(size - 1, Math.max(0, index));
  const rows = { ArrowUp: row - 1, ArrowDown: row + 1 };
  const columns = { ArrowLeft: column - 1, ArrowRight: column + 1, Home: 0, End: size - 1 };
  const nextRow = clamp(rows[/** @type {keyof typeof rows} */ (key)] ?? row);
  const nextColumn = clamp(columns[/** @type {keyof typeof columns} */ (key)] ?? column);
  return kind === "boards" ? fromRowColumn(nextRow, nextColumn) : nextRow * 3 + nextColumn;
}

/**
 * Row and column of a cell on the whole board, from the top left.
 *
 * @param {Layout["kind"]} kind
 * @param {number} cell
 */
export function rowColumn(kind, cell) {
  if (kind === "grid") return [Math.floor(cell / 3), cell % 3];
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
