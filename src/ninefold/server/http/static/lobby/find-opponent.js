/**
 * Finds an opponent among the people who wait: takes an open seat with the same game and clock, or opens one.
 *
 * @typedef {import("../lib/types.js").Game} Game
 * @typedef {import("../lib/types.js").MatchSummary} MatchSummary
 */

import { MOST_IN_PAGE } from "../lib/api-constants.js";
import * as api from "../lib/api.js";
import { loadMatch, loadName } from "../lib/match-storage.js";
import { takeSeat } from "../match/take-seat.js";
import { clockRequest } from "./clocks.js";
import { createMatch } from "./enter-match.js";

/**
 * @param {Game} game
 * @param {string} clock "180+2", or "" for none
 * @returns {Promise<string>} the match that was joined or created
 */
export async function findOpponent(game, clock) {
  const name = loadName();
  const { matches } = await api.listMatches("open", MOST_IN_PAGE);
  for (const { id } of matches.filter((match) => isWanted(match, game, clock)).reverse())
    if (await canJoin(id, name)) return id;
  const seats = [{ player: "human", ...(name ? { name } : {}) }, { player: "open" }];
  return (await createMatch(game, { game: game.id, seats, private: false, ...clockRequest(clock) })).match;
}

/** @param {MatchSummary} match @param {Game} game @param {string} wanted */
function isWanted({ id, game: played, clock }, game, wanted) {
  const offered = clock ? `${clock.initial / 1000}+${clock.increment / 1000}` : "";
  return played === game.id && offered === wanted && !Object.keys(loadMatch(id).seats).length;
}

/** @param {string} match @param {string} name */
async function canJoin(match, name) {
  try {
    await takeSeat(match, name ? { name } : {}, () => {});
    return true;
  } catch (problem) {
    if (problem instanceof api.ApiProblem && problem.isRefusal) return false; // somebody was faster
    throw problem;
  }
}
