/**
 * The best move of a hint: on the board, and in words. No DOM.
 *
 * @typedef {import("../lib/types.js").Hint} Hint
 * @typedef {import("../lib/types.js").Layout} Layout
 * @typedef {import("../lib/painter.js").CellValue} CellValue
 */

import { cellAt } from "../lib/coordinates.js";
import { text } from "../lib/messages.js";
import { moveWords } from "../lib/places.js";
import { describeValue, valueClass, valueSign } from "../review/move-values.js";

/** @type {Map<number, CellValue>} */
export const NO_VALUES = new Map();

/**
 * The value of the best move on each of its cells.
 *
 * @param {Hint} hint
 * @param {Layout["kind"]} kind
 * @returns {Map<number, CellValue>}
 */
export function valuesOfHint({ best }, kind) {
  const value = { sign: valueSign(best), words: describeValue(best), classes: `${valueClass(best)} best` };
  const cells = kind === "boards" ? [cellAt(kind, best.path) ?? 0] : best.path;
  return new Map(cells.map((cell) => [cell, value]));
}

/** @param {Hint} hint @param {Layout} layout */
export function describeHint({ best }, layout) {
  return text("hint.best", { move: moveWords(layout, best.path), value: describeValue(best) });
}
