/** The elements of a board: nine buttons, or nine times nine, each a button that can be reached by keyboard. */

import { drawn, make } from "./dom.js";

/**
 * @typedef {object} Squares
 * @property {HTMLElement} plane
 * @property {HTMLButtonElement[]} cells
 * @property {HTMLElement[]} boards one, or nine
 * @property {HTMLElement[]} grids what is announced as a grid, in each board
 * @property {SVGSVGElement} lines
 */

/**
 * @param {"grid" | "boards"} kind
 * @returns {Squares}
 */
export function squares(kind) {
  const count = kind === "boards" ? 9 : 1;
  const cells = Array.from({ length: count * 9 }, (_, cell) => square(cell));
  const grids = Array.from({ length: count }, (_, board) => grid(cells.slice(board * 9, board * 9 + 9)));
  const boards = grids.map((inside) => make("div", { class: "nine" }, inside));
  const lines = drawn("svg", { class: "lines", viewBox: "0 0 300 300", "aria-hidden": "true", focusable: "false" });
  return { plane: make("div", { class: `plane ${kind}` }, boards, lines), cells, boards, grids, lines };
}

/** @param {number} cell */
function square(cell) {
  return make("button", { type: "button", class: "cell", tabindex: -1, "data-cell": cell });
}

/** @param {HTMLButtonElement[]} cells */
function grid(cells) {
  const rows = [0, 3, 6].map((start) =>
    make(
      "div",
      { role: "row", class: "row" },
      cells.slice(start, start + 3).map((cell) => make("div", { role: "gridcell" }, cell)),
    ),
  );
  return make("div", { role: "grid", class: "rows" }, rows);
}
