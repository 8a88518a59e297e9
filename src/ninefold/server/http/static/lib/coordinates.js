/**
 * Where things are on the board, and what people call them. No DOM.
 *
 * @typedef {import("./types.js").Layout} Layout
 */

/**
 * The cell on the board that a path points at: in a board of boards the first choice is a board.
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
 * @param {number} cell
 */
export function nameOf(layout, cell) {
  return layout.naming.cells[cell] ?? String(cell + 1);
}

/**
 * @param {Layout} layout
 * @param {number[]} cells
 */
export function namesOf(layout, cells) {
  return cells.map((cell) => nameOf(layout, cell)).join(" ");
}

/**
 * Where a cell is, in words: "board 7, cell 3" or "cell 5".
 *
 * @param {Layout} layout
 * @param {number} cell
 */
export function placeOf(layout, cell) {
  const names = pathTo(layout.kind, cell).map((step) => nameOf(layout, step));
  return layout.kind === "boards" ? `board ${names[0]}, cell ${names[1]}` : `cell ${names[0]}`;
}

/**
 * The cell beside a cell, as the eye sees the whole board; itself at the edge.
 *
 * @param {Layout["kind"]} kind
 * @param {number} cell
 * @param {string} key an arrow key, Home or End
 */
export function beside(kind, cell, key) {
  const size = kind === "boards" ? 9 : 3;
  const [row, column] = kind === "boards" ? seen(cell) : [Math.floor(cell / 3), cell % 3];
  const inside = (/** @type {number} */ place) => Math.min(size - 1, Math.max(0, place));
  const rows = { ArrowUp: row - 1, ArrowDown: row + 1 };
  const columns = { ArrowLeft: column - 1, ArrowRight: column + 1, Home: 0, End: size - 1 };
  const there = [
    inside(rows[/** @type {keyof typeof rows} */ (key)] ?? row),
    inside(columns[/** @type {keyof typeof columns} */ (key)] ?? column),
  ];
  return kind === "boards" ? unseen(there[0], there[1]) : there[0] * 3 + there[1];
}

/**
 * Row and column of one of eighty-one cells.
 *
 * @param {number} cell
 */
function seen(cell) {
  const [board, inner] = [Math.floor(cell / 9), cell % 9];
  return [Math.floor(board / 3) * 3 + Math.floor(inner / 3), (board % 3) * 3 + (inner % 3)];
}

/**
 * @param {number} row
 * @param {number} column
 */
function unseen(row, column) {
  const board = Math.floor(row / 3) * 3 + Math.floor(column / 3);
  return board * 9 + (row % 3) * 3 + (column % 3);
}
