/**
 * The computer's levels in the big games, limited by nodes as in ninefold/players/engine_levels.py. No DOM.
 *
 * @typedef {import("./big-position.js").BigPosition} BigPosition
 * @typedef {import("./core.js").Core} Core
 * @typedef {keyof typeof ENGINE_LEVELS} Level
 */

import { ENGINE_LEVEL_MEMORY, ENGINE_LEVELS } from "../lib/api-constants.js";

/**
 * The move of a level in a position that has not ended. Scores get random errors, so a weak level errs.
 *
 * @param {Core} core
 * @param {BigPosition} position
 * @param {Level} level
 * @param {() => number} [random] a number from 0 to 1, for each ranked move
 */
export function chooseMove(core, position, level, random = Math.random) {
  const { nodes, lines, noise } = ENGINE_LEVELS[level];
  core.clear(ENGINE_LEVEL_MEMORY); // a move must not depend on the searches before
  const info = core.search(position, { nodes, lines });
  const noisy = info.lines.map(({ move, score }) => ({ move, score: score + noise * (2 * random() - 1) }));
  return noisy.reduce((best, line) => (isBetter(line, best) ? line : best)).move;
}

/** @typedef {{move: number, score: number}} NoisyMove @param {NoisyMove} one @param {NoisyMove} other */
const isBetter = (one, other) => one.score > other.score || (one.score === other.score && one.move > other.move);
