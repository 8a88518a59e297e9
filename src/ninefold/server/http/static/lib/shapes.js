/** The marks: told apart by shape first, by colour second. */

import { drawn } from "./dom.js";

const CROSS = "M27 27L73 73M73 27L27 73";

/** @param {string} mark "X", "O" or "" */
export function markShape(mark) {
  if (!mark) return null;
  return drawn(
    "svg",
    { class: `mark ${sideClass(mark)}`, viewBox: "0 0 100 100", "aria-hidden": "true", focusable: "false" },
    mark === "X" ? drawn("path", { d: CROSS }) : drawn("circle", { cx: 50, cy: 50, r: 25 }),
  );
}

/**
 * Who owns a board, large over it: one mark, both, or a sign of equality.
 *
 * @param {string} owner
 */
export function ownerShape(owner) {
  const shapes = {
    X: () => [drawn("path", { class: "x", d: "M20 20L80 80M80 20L20 80" })],
    O: () => [drawn("circle", { class: "o", cx: 50, cy: 50, r: 33 })],
    XO: () => [
      drawn("path", { class: "x", d: "M12 34L40 62M40 34L12 62" }),
      drawn("circle", { class: "o", cx: 73, cy: 48, r: 17 }),
    ],
    "=": () => [drawn("path", { class: "nobody", d: "M28 40H72M28 60H72" })],
  };
  const shape = shapes[/** @type {keyof typeof shapes} */ (owner)];
  if (!shape) return null;
  const kind = owner.length > 1 ? "owner both" : "owner";
  return drawn("svg", { class: kind, viewBox: "0 0 100 100", "aria-hidden": "true", focusable: "false" }, shape());
}

/**
 * The lines that decided, through the middles of three places.
 *
 * @param {number[][]} lines
 */
export function lineShapes(lines) {
  return lines.map((line) => {
    const [from, to] = [middle(line[0]), middle(line[line.length - 1])];
    const reach = 0.22;
    const ends = [0, 1].map((axis) => [
      from[axis] - (to[axis] - from[axis]) * reach * 0.5,
      to[axis] + (to[axis] - from[axis]) * reach * 0.5,
    ]);
    return drawn("line", { pathLength: 1, x1: ends[0][0], y1: ends[1][0], x2: ends[0][1], y2: ends[1][1] });
  });
}

/** @param {number} place */
function middle(place) {
  return [(place % 3) * 100 + 50, Math.floor(place / 3) * 100 + 50];
}

/** @param {string} mark */
export function sideClass(mark) {
  return { X: "x", O: "o", XO: "both", "=": "nobody" }[mark] ?? "";
}
