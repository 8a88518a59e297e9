/**
 * The values of the moves of a position, and hints: exact in small games, by the engine in the page in big ones. As
 * server/http/review.py. No DOM.
 *
 * @typedef {import("../lib/types.js").Analysis} Analysis
 * @typedef {import("../lib/types.js").Hint} Hint
 * @typedef {import("../lib/types.js").MoveValue} MoveValue
 * @typedef {import("./game.js").Game} Game
 * @typedef {import("./match.js").Match} Match
 * @typedef {import("./table-rules.js").Position} Position
 * @typedef {import("./table-rules.js").TablePosition} TablePosition
 * @typedef {{book: import("./rulebook.js").Rulebook, engine: import("./computer.js").Engine}} Sources
 */

import { Solver, completedLine } from "./solver.js";
import { Refusal } from "./wording.js";

const HINT_MILLIS = 300;
const MOST_LINES = 5; // of the best moves come with what is expected to follow
const ALL_MOVES = 81;
const VALUES = /** @type {const} */ ({ "1": "win", "0": "draw", "-1": "loss" });

/** @param {Sources} sources @param {Game} game @param {Position} position @param {number} millis @param {boolean} claims @returns {Promise<Analysis>} */
export async function analysisDoc({ book, engine }, game, position, millis, claims) {
  if (!game.facts.small) return searched(engine, game, position, millis, ALL_MOVES);
  const moves = exactValues(book, game, position, claims);
  const best = Math.max(...moves.map(({ score }) => score));
  const score = moves.length ? (position.turn === "X" ? best : 0 - best) : finalScore(position);
  return { exact: true, turn: moves.length ? position.turn : null, depth: null, moves, score };
}

/** @param {import("./computer.js").Engine} engine @param {Game} game @param {Position} position @param {number} millis @param {number} lines */
function searched(engine, game, position, millis, lines) {
  return engine.analyze({ position: position.written, defaults: /** @type {any} */ (game.settleOptions({})), millis, lines });
}

/** @param {Position} position */
function finalScore({ outcome }) {
  return outcome?.winner ? (outcome.winner === "X" ? 1 : -1) : 0;
}

/** The best move, for somebody who plays against the computer. @param {Sources} sources @param {Match} match @returns {Promise<Hint>} */
export async function hintDoc({ book, engine }, match) {
  const { game, position, setup } = match;
  if (match.result || match.state.pending) throw new Refusal("no_hint.turn");
  const moves = game.facts.small
    ? exactValues(book, game, position, setup.options.claims === "yes")
    : (await searched(engine, game, position, HINT_MILLIS, 1)).moves;
  return { version: match.version, best: moves[0] };
}

/** @param {Sources["book"]} book @param {Game} game @param {Position} position @param {boolean} claims @returns {MoveValue[]} */
function exactValues(book, game, position, claims) {
  const solver = new Solver(game, book.lines, claims);
  const ranked = solver.ranked(/** @type {TablePosition} */ (position));
  return ranked.map(([move, { sign, distance }], place) => ({
    text: game.name(move),
    path: game.paths[move],
    value: VALUES[/** @type {keyof typeof VALUES} */ (String(sign))],
    score: sign,
    proven: true,
    plies: distance,
    line: place < MOST_LINES ? expectedLine(solver, game, /** @type {TablePosition} */ (position), move) : [],
  }));
}

/** A move and best play of both sides after it. @param {Solver} solver @param {Game} game @param {TablePosition} position @param {number} move */
function expectedLine(solver, game, position, move) {
  const names = [game.name(move)];
  let [mover, after] = [position.turn, position.play(move)];
  const isClaimed = () => solver.claims && completedLine(solver.lines, after.cells, mover) !== null;
  while (after.moves().length && !isClaimed()) {
    const [best] = solver.best(after);
    names.push(game.name(best));
    [mover, after] = [after.turn, after.play(best)];
  }
  return names;
}

