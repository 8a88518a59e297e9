/** The SVG shapes of marks, owners of boards and lines. X and O differ by shape first, by colour second. */

import { svg } from "./dom.js";

const CROSS = ["M27 27L73 73", "M73 27L27 73"];
const OVERHANG = 0.11; // how far a line reaches beyond its first and last cell

/** @param {string} mark "X", "O" or "" */
export function markShape(mark) {
  if (!mark) return null;
  return svg(
    "svg",
    { class: `mark ${sideClass(mark)}`, viewBox: "0 0 100 100", "aria-hidden": "true", focusable: "false" },
    mark === "X"
      ? CROSS.map((d) => svg("path", { d, pathLength: 1 }))
      : svg("circle", { cx: 50, cy: 50, r: 25, pathLength: 1 }),
  );
}

/** Small marks in the corners of a cell, of the sides that could win there next. @param {string} sides */
export function threatShapes(sides) {
  return [...sides].map((side) => {
    const shape = /** @type {SVGSVGElement} */ (markShape(side));
    shape.classList.replace("mark", "threat");
    return shape;
  });
}

/**
 * The owner of a board, large over it: one mark, both marks, or an equals sign.
 *
 * @param {string} owner
 */
export function ownerShape(owner) {
  const shapes = {
    X: () => [svg("path", { class: "x", d: "M20 20L80 80M80 20L20 80" })],
    O: () => [svg("circle", { class: "o", cx: 50, cy: 50, r: 33 })],
    XO: () => [
      svg("path", { class: "x", d: "M12 34L40 62M40 34L12 62" }),
      svg("circle", { class: "o", cx: 73, cy: 48, r: 17 }),
    ],
    "=": () => [svg("path", { class: "nobody", d: "M28 40H72M28 60H72" })],
  };
  const shape = shapes[/** @type {keyof typeof shapes} */ (owner)];
  if (!shape) return null;
  const classes = owner.length > 1 ? "owner both" : "owner";
  return svg("svg", { class: classes, viewBox: "0 0 100 100", "aria-hidden": "true", focusable: "false" }, shape());
}

/**
 * The lines that decided the game, through the centres of three cells or boards.
 *
 * @param {number[][]} lines
 */
export function lineShapes(lines) {
  return lines.map((line) => {
    const [from, to] = [centre(line[0]), centre(line[line.length - 1])];
    const [x, y] = [0, 1].map((axis) => {
      const overhang = (to[axis] - from[axis]) * OVERHANG;
      return [from[axis] - overhang, to[axis] + overhang];
    });
    return svg("line", { pathLength: 1, x1: x[0], y1: y[0], x2: x[1], y2: y[1] });
  });
}

/** @param {number} cell */
function centre(cell) {
  return [(cell % 3) * 100 + 50, Math.floor(cell / 3) * 100 + 50];
}

/** @param {string} mark */
export function sideClass(mark) {
  return { X: "x", O: "o", XO: "both", "=": "nobody" }[mark] ?? "";
}
