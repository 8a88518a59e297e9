/**
 * Finds an opponent: the server pairs those who ask for the same game and clock.
 *
 * @typedef {import("../lib/types.js").Game} Game
 */

import * as api from "../lib/api.js";
import { loadName, saveMatch } from "../lib/match-storage.js";
import { clockRequest } from "../lib/clocks.js";

/**
 * @param {Game} game
 * @param {string} clock "180+2", or "" for none
 * @returns {Promise<string>} the match, in which the opponent is or will come
 */
export async function findOpponent({ id, title }, clock) {
  const name = loadName();
  const { match, seat, token } = await api.findOpponent({ game: id, ...clockRequest(clock), ...(name ? { name } : {}) });
  saveMatch(match, { seats: { [seat]: token }, game: id, title, soughtAt: Date.now() });
  return match;
}
