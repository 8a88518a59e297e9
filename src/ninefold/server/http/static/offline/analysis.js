/**
 * What a search has found, as the server says it: the values of the moves of a position. No DOM.
 *
 * @typedef {import("../lib/types.js").Analysis} Analysis
 * @typedef {import("../lib/types.js").MoveValue} MoveValue
 * @typedef {import("./big-position.js").BigPosition} BigPosition
 * @typedef {import("./core.js").Core} Core
 * @typedef {import("./core.js").PvLine} PvLine
 * @typedef {import("./core.js").SearchInfo} SearchInfo
 */

import { EXPECTATION_SLOPE } from "../lib/api-constants.js";
import { moveName } from "./big-position.js";
import { LINE_VALUE, WIN, WIN_IN_MAX_PLY } from "./core.js";

const LONGEST = 5; // of the best moves come with what is expected to follow
const RESULTS = /** @type {const} */ ({ "-1": "loss", "0": "draw", "1": "win" });

/** @param {Core} core @param {BigPosition} position @param {SearchInfo} info @returns {Analysis} */
export function analysisOf(core, position, { lines, depth }) {
  const moves = lines.map((line, index) => moveValue(line, index < LONGEST));
  const isOver = !moves.length;
  const best = Math.max(...moves.map(({ score }) => score));
  const forX = position.turn === "X" ? best : 0 - best;
  return {
    exact: moves.every(({ proven }) => proven),
    turn: isOver ? null : position.turn,
    depth: isOver ? null : depth,
    moves,
    score: isOver ? resultForX(core, position) : forX,
  };
}

/** @param {PvLine} line @param {boolean} withLine @returns {MoveValue} */
export function moveValue({ move, score, proven, pv }, withLine) {
  const isForced = Math.abs(score) >= WIN_IN_MAX_PLY;
  const sign = /** @type {keyof typeof RESULTS} */ (String(Math.sign(score)));
  return {
    text: moveName(move),
    path: [Math.floor(move / 9), move % 9],
    value: proven ? RESULTS[sign] : null,
    score: rounded(proven ? Math.sign(score) : Math.tanh((EXPECTATION_SLOPE * score) / LINE_VALUE)),
    proven,
    plies: proven && isForced ? WIN - Math.abs(score) : null,
    line: withLine ? pv.map(moveName) : [],
  };
}

/** @param {Core} core @param {BigPosition} position */
function resultForX(core, position) {
  const winner = core.outcome(position)?.winner;
  return winner === "X" ? 1 : winner === "O" ? -1 : 0;
}

/** @param {number} score */
const rounded = (score) => Math.round(score * 1e4) / 1e4;
