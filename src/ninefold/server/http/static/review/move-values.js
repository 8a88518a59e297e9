/**
 * What moves are worth, ready to be shown: a sign on the cell, words for the ear, a place in the list. No DOM.
 *
 * @typedef {import("../lib/types.js").Analysis} Analysis
 * @typedef {import("../lib/types.js").MoveValue} MoveValue
 * @typedef {import("../lib/types.js").Layout} Layout
 *
 * @typedef {object} Shown
 * @property {string} sign "+3", "=", "−12"
 * @property {string} words "win in 3"
 * @property {string} kind win, draw or loss, and best
 */

import { cellAt } from "../lib/coordinates.js";

const NONE = { score: 0, value: null, plies: null };

/** @param {MoveValue} move */
export function inWords({ value, score, plies, proven }) {
  if (value) return value === "draw" || plies === null ? value : `${value} in ${plies}`;
  return `${proven ? "" : "about "}${signed(score)}`;
}

/** @param {MoveValue} move */
export function inSign({ value, score, plies }) {
  if (value === "draw") return "=";
  if (value) return `${value === "win" ? "+" : "−"}${plies ?? ""}`;
  return signed(score);
}

/** What the signs on the board mean, as far as they are there. @param {Analysis} analysis */
export function legend({ moves }) {
  const parts = [
    moves.some(({ value }) => value) && "+3 wins in 3 moves, = draws, −4 loses in 4.",
    moves.some(({ value }) => !value) && "An estimate goes from −100, lost, to +100, won.",
  ];
  return parts.filter(Boolean).join(" ");
}

/** Hundredths, with a sign that is read well. @param {number} score */
export function signed(score) {
  const number = Math.round(score * 100);
  return number === 0 ? "0" : `${number > 0 ? "+" : "−"}${Math.abs(number)}`;
}

/** @param {MoveValue} move */
export function kindOf({ value, score }) {
  if (value) return value;
  return score > 0.05 ? "win" : score < -0.05 ? "loss" : "draw";
}

/**
 * How good a move is, comparable: sooner wins and later losses are better.
 *
 * @param {Pick<MoveValue, "score" | "value" | "plies">} move
 */
function rank({ score, value, plies }) {
  const soon = plies === null || value === "draw" ? 0 : (value === "win" ? -plies : plies) / 1000;
  return score + soon;
}

/** @param {MoveValue[]} moves */
export function ranked(moves) {
  return [...moves].sort((one, other) => rank(other) - rank(one));
}

/**
 * The values by cell: for each cell the best move that begins there, or, from a cell on, what could follow on it.
 *
 * @param {Analysis} analysis
 * @param {Layout["kind"]} kind
 * @param {number | null} from a cell pointed at
 * @returns {Map<number, Shown>}
 */
export function valuesByCell({ moves }, kind, from = null) {
  const steps = kind === "boards" ? 2 : 1;
  const deeper = kind === "grid" && moves.some(({ path }) => path[0] === from && path.length > 1);
  const looked = deeper ? moves.filter(({ path }) => path[0] === from) : moves;
  const order = ranked(moves);
  const [best, worst] = [rank(order[0] ?? NONE), rank(order.at(-1) ?? NONE)];
  /** @type {Map<number, Shown>} */
  const found = new Map();
  for (const move of ranked(looked)) {
    const cell = cellAt(kind, deeper ? move.path : move.path.slice(0, steps));
    if (cell === null || found.has(cell)) continue;
    const top = rank(move) === best && best !== worst ? " best" : "";
    found.set(cell, { sign: inSign(move), words: inWords(move), kind: kindOf(move) + top });
  }
  return found;
}
