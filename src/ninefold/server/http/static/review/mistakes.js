/**
 * Mistakes: what a move has cost, by the values of all moves in the position before it. No DOM.
 *
 * @typedef {import("../lib/types.js").Analysis} Analysis
 * @typedef {import("../lib/types.js").RecordPosition} RecordPosition
 *
 * @typedef {object} Mistake
 * @property {"inaccuracy" | "mistake" | "blunder"} kind
 * @property {string} sign ?!, ? or ??
 * @property {number} cost from 0 to 2: from a win to a loss
 */

import { text } from "../lib/messages.js";
import { formatScore } from "./move-values.js";

/** The least that each kind costs, of the expected result from -1 (lost) to 1 (won). The worst comes first. */
const KINDS = /** @type {const} */ ([
  { kind: "blunder", sign: "??", least: 1.2 },
  { kind: "mistake", sign: "?", least: 0.4 },
  { kind: "inaccuracy", sign: "?!", least: 0.15 },
]);

/**
 * What kind of mistake a move was; null if it was none, or if that is not known.
 *
 * @param {Analysis | null} before the values in the position before the move
 * @param {string | null} move
 * @returns {Mistake | null}
 */
export function findMistake(before, move) {
  const played = before?.moves.find((value) => value.text === move);
  if (!before || !played) return null;
  const cost = Math.max(...before.moves.map(({ score }) => score)) - played.score;
  const found = KINDS.find(({ least }) => cost >= least);
  return found ? { kind: found.kind, sign: found.sign, cost } : null;
}

/**
 * The mistakes of a game, by the position that they led to.
 *
 * @param {(Analysis | null)[]} results
 * @param {RecordPosition[]} positions
 * @returns {Map<number, Mistake>}
 */
export function mistakesOf(results, positions) {
  /** @type {Map<number, Mistake>} */
  const found = new Map();
  for (let ply = 1; ply < positions.length; ply++) {
    const mistake = findMistake(results[ply - 1], positions[ply].move);
    if (mistake) found.set(ply, mistake);
  }
  return found;
}

/**
 * The position after the first mistake; null if there is none; undefined as long as that is not known.
 *
 * @param {(Analysis | null)[]} results
 * @param {RecordPosition[]} positions
 * @param {(ply: number) => boolean} isGivenUp true for a position whose values cannot be known
 */
export function firstMistake(results, positions, isGivenUp = () => false) {
  for (let ply = 1; ply < positions.length; ply++) {
    if (!results[ply - 1] && !isGivenUp(ply - 1)) return undefined;
    const mistake = findMistake(results[ply - 1], positions[ply].move);
    if (mistake && mistake.kind !== "inaccuracy") return ply;
  }
  return null;
}

/** A mistake in words. @param {Mistake} mistake */
export function describeMistake({ kind, cost }) {
  return text(`mistake.${kind}`, { cost: formatScore(cost).slice(1) });
}
