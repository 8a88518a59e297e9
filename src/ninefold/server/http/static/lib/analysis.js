/**
 * The values of moves: from the engine in the page, where there is one and it knows the game, else from the server.
 *
 * @typedef {import("./types.js").Analysis} Analysis
 * @typedef {import("./types.js").AnalysisRequest} AnalysisRequest
 * @typedef {import("./types.js").Hint} Hint
 * @typedef {import("./types.js").MatchView} MatchView
 * @typedef {import("../offline/big-position.js").Options} Options
 */

import { EngineFailed, pageEngine } from "../offline/page-engine.js";
import * as api from "./api.js";

const HINT = 300; // milliseconds of thinking
const DEFAULT = 200;
const ALL_MOVES = 81;

/** False as soon as the engine in the page has failed: then the server is asked for the rest of the visit. */
let works = true;

/**
 * @param {AnalysisRequest} request
 * @param {AbortSignal} [signal] stops the engine in the page; a request to the server goes on
 * @returns {Promise<Analysis>}
 */
export async function analyze(request, signal) {
  const { game, position, millis = DEFAULT } = request;
  return (await inPage(game, position, millis, ALL_MOVES, signal)) ?? api.analyze(request);
}

/**
 * The best move, for somebody who plays against the computer.
 *
 * @param {Pick<MatchView, "id" | "game" | "position" | "version">} match
 * @param {string} token
 * @returns {Promise<Hint>}
 */
export async function findHint({ id, game, position, version }, token) {
  const found = await inPage(game, position, HINT, 1);
  return found ? { version, best: found.moves[0] } : api.getHint(id, token);
}

/** @param {string} game @param {string} position @param {number} millis @param {number} lines @param {AbortSignal} [signal] */
async function inPage(game, position, millis, lines, signal) {
  const engine = works ? pageEngine() : null;
  const defaults = engine && (await optionsOf(game));
  if (!engine || !defaults) return null;
  try {
    return await engine.analyze({ position, defaults, millis, lines }, signal);
  } catch (error) {
    if (!(error instanceof EngineFailed)) throw error;
    console.warn(error);
    works = false;
    return null;
  }
}

/** The options of a game of nine boards, by default; null for other games. @param {string} id */
async function optionsOf(id) {
  const game = (await api.getGames()).find((known) => known.id === id);
  if (game?.layout.kind !== "boards") return null;
  const defaults = Object.fromEntries(game.options.map((option) => [option.name, option.default]));
  return /** @type {Options} */ (/** @type {unknown} */ (defaults));
}
