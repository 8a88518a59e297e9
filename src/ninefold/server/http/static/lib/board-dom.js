/** Creates the elements of a board: nine or eighty-one buttons in grids that screen readers understand. */

import { html, svg } from "./dom.js";
import { edgeLabels } from "./places.js";

/**
 * @typedef {object} BoardElements
 * @property {HTMLElement} root
 * @property {HTMLButtonElement[]} cells
 * @property {HTMLElement[]} boards one, or nine
 * @property {HTMLElement[]} grids the grid of each board
 * @property {SVGSVGElement} lines drawn over the board
 * @property {HTMLElement[]} edges the labels of the rows and of the columns
 */

/**
 * @param {import("./types.js").Layout} layout
 * @returns {BoardElements}
 */
export function createBoardElements(layout) {
  const { kind } = layout;
  const count = kind === "boards" ? 9 : 1;
  const cells = Array.from({ length: count * 9 }, (_, cell) =>
    html("button", { type: "button", class: "cell", tabindex: -1, "data-cell": cell }),
  );
  const grids = Array.from({ length: count }, (_, board) => createGrid(cells.slice(board * 9, board * 9 + 9)));
  const boards = grids.map((grid) => html("div", { class: "nine" }, grid));
  const lines = svg("svg", { class: "lines", viewBox: "0 0 300 300", "aria-hidden": "true", focusable: "false" });
  const { rows, columns } = edgeLabels(layout);
  const edges = [createEdge(`rows-edge ${kind}`, rows), createEdge(`columns-edge ${kind}`, columns)];
  return { root: html("div", { class: `plane ${kind}` }, boards, lines), cells, boards, grids, lines, edges };
}

/** The labels along an edge, three for each board. @param {string} className @param {string[]} labels */
function createEdge(className, labels) {
  const boards = labels.length / 3;
  const groups = Array.from({ length: boards }, (_, board) => labels.slice(board * 3, board * 3 + 3));
  const spans = groups.map((group) => html("span", {}, group.map((label) => html("span", {}, label))));
  return html("div", { class: `edge ${className}`, "aria-hidden": "true" }, spans);
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
