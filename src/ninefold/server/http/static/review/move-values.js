/**
 * The values of moves from an analysis: signs on cells, words, and their order. No DOM.
 *
 * @typedef {import("../lib/types.js").Analysis} Analysis
 * @typedef {import("../lib/types.js").MoveValue} MoveValue
 * @typedef {import("../lib/types.js").Layout} Layout
 * @typedef {import("../lib/painter.js").CellValue} CellValue
 */

import { cellAt } from "../lib/coordinates.js";
import { text } from "../lib/messages.js";

const EVEN = 0.05; // scores up to this count as a draw
const NONE = { score: 0, value: null, plies: null };

/** A value in words: "win in 3", "draw", "about +42". @param {MoveValue} move */
export function describeValue({ value, score, plies, proven }) {
  if (!value) return proven ? formatScore(score) : text("value.about", { score: formatScore(score) });
  return value === "draw" || plies === null ? text(`value.${value}`) : text(`value.${value}_in`, { plies });
}

/** A value as a sign: "+3", "=", "−4", or a score. @param {MoveValue} move */
export function valueSign({ value, score, plies }) {
  if (value === "draw") return "=";
  if (value) return `${value === "win" ? "+" : "−"}${plies ?? ""}`;
  return formatScore(score);
}

/** Explains the signs that are on the board. @param {Analysis} analysis */
export function explainSigns({ moves }) {
  const parts = [
    moves.some(({ value }) => value) && text("value.signs"),
    moves.some(({ value }) => !value) && text("value.estimates"),
  ];
  return parts.filter(Boolean).join(" ");
}

/** A score in hundredths, with its sign. @param {number} score from -1 to 1 */
export function formatScore(score) {
  const hundredths = Math.round(score * 100);
  return hundredths === 0 ? "0" : `${hundredths > 0 ? "+" : "−"}${Math.abs(hundredths)}`;
}

/** The CSS class of a value. @param {MoveValue} move */
export function valueClass({ value, score }) {
  if (value) return value;
  return score > EVEN ? "win" : score < -EVEN ? "loss" : "draw";
}

/**
 * A number by which moves can be compared: sooner wins and later losses are better.
 *
 * @param {Pick<MoveValue, "score" | "value" | "plies">} move
 */
function rank({ score, value, plies }) {
  const distance = plies === null || value === "draw" ? 0 : (value === "win" ? -plies : plies) / 1000;
  return score + distance;
}

/** The moves, the best first. @param {MoveValue[]} moves */
export function bestFirst(moves) {
  return [...moves].sort((one, other) => rank(other) - rank(one));
}

/**
 * The value of each cell: of the best move that begins there, or, if a cell is pointed at, of what can follow on it.
 *
 * @param {Analysis} analysis
 * @param {Layout["kind"]} kind
 * @param {number | null} pointed
 * @returns {Map<number, CellValue>}
 */
export function valuesByCell({ moves }, kind, pointed = null) {
  const steps = kind === "boards" ? 2 : 1;
  const canFollow = kind === "grid" && moves.some(({ path }) => path[0] === pointed && path.length > 1);
  const shown = canFollow ? moves.filter(({ path }) => path[0] === pointed) : moves;
  const order = bestFirst(moves);
  const [best, worst] = [rank(order[0] ?? NONE), rank(order.at(-1) ?? NONE)];
  /** @type {Map<number, CellValue>} */
  const found = new Map();
  for (const move of bestFirst(shown)) {
    const cell = cellAt(kind, canFollow ? move.path : move.path.slice(0, steps));
    if (cell === null || found.has(cell)) continue;
    const isBest = rank(move) === best && best !== worst;
    const classes = valueClass(move) + (isBest ? " best" : "");
    found.set(cell, { sign: valueSign(move), words: describeValue(move), classes });
  }
  return found;
}
