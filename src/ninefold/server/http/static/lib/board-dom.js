/** Creates the elements of a board: nine or eighty-one buttons in grids that screen readers understand. */

import { html, svg } from "./dom.js";

/**
 * @typedef {object} BoardElements
 * @property {HTMLElement} root
 * @property {HTMLButtonElement[]} cells
 * @property {HTMLElement[]} boards one, or nine
 * @property {HTMLElement[]} grids the grid of each board
 * @property {SVGSVGElement} lines drawn over the board
 */

/**
 * @param {"grid" | "boards"} kind
 * @returns {BoardElements}
 */
export function createBoardElements(kind) {
  const count = kind === "boards" ? 9 : 1;
  const cells = Array.from({ length: count * 9 }, (_, cell) =>
    html("button", { type: "button", class: "cell", tabindex: -1, "data-cell": cell }),
  );
  const grids = Array.from({ length: count }, (_, board) => createGrid(cells.slice(board * 9, board * 9 + 9)));
  const boards = grids.map((grid) => html("div", { class: "nine" }, grid));
  const lines = svg("svg", { class: "lines", viewBox: "0 0 300 300", "aria-hidden": "true", focusable: "false" });
  return { root: html("div", { class: `plane ${kind}` }, boards, lines), cells, boards, grids, lines };
}

/** @param {HTMLButtonElement[]} cells */
function createGrid(cells) {
  const rows = [0, 3, 6].map((start) =>
    html(
      "div",
      { role: "row", class: "row" },
      cells.slice(start, start + 3).map((cell) => html("div", { role: "gridcell" }, cell)),
    ),
  );
  return html("div", { role: "grid", class: "rows" }, rows);
}
