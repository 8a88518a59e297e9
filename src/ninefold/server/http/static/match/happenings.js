/**
 * What happened between two views of a match, for sounds and motion. No DOM.
 *
 * @typedef {import("../lib/sounds.js").Sound} Sound
 * @typedef {import("../lib/types.js").MatchView} MatchView
 */

import { isTurnOf } from "../lib/match-view.js";

const PAUSE = 550; // milliseconds between a move and the computer's answer

/**
 * The sounds of what happened. A move of this device has sounded when it was pressed.
 *
 * @param {MatchView | null} before
 * @param {MatchView} after
 * @param {number[]} mySeats
 * @param {boolean} [isAway] true if nobody sees the page: then a move that makes it your turn calls you
 * @returns {Sound[]}
 */
export function soundsOf(before, after, mySeats, isAway = false) {
  if (!before) return [];
  if (after.result && !before.result) return [soundOfResult(after, mySeats)];
  const isMyTurn = isTurnOf(after, mySeats);
  if (after.history.length <= before.history.length) return after.asked !== before.asked && isMyTurn ? ["turn"] : [];
  return [...soundOfMove(before, after, mySeats), ...(isAway && isMyTurn ? [/** @type {const} */ ("turn")] : [])];
}

/** @param {MatchView} before @param {MatchView} after @param {number[]} mySeats @returns {Sound[]} */
function soundOfMove(before, after, mySeats) {
  if (hasCaptured(before, after)) return ["capture"];
  const { side } = after.history[after.history.length - 1];
  return mySeats.some((seat) => after.seats[seat - 1].side === side) ? [] : ["reply"];
}

/** @param {MatchView} view @param {number[]} mySeats @returns {Sound} */
function soundOfResult({ result, seats }, mySeats) {
  if (!result?.winner) return "draw";
  return mySeats.length === 1 && seats[mySeats[0] - 1].side !== result.winner ? "loss" : "win";
}

/** True if a board was won or a marker has changed its side. @param {MatchView} before @param {MatchView} after */
function hasCaptured({ board: before }, { board: after }) {
  const isDecided = (after.owners ?? []).some((owner, number) => owner && !before.owners?.[number]);
  return isDecided || after.cells.some((mark, cell) => before.cells[cell] && mark !== before.cells[cell]);
}

/**
 * True if the match was won just now, and not by somebody else.
 *
 * @param {MatchView} before
 * @param {MatchView} after
 * @param {number[]} mySeats
 */
export function isVictory(before, after, mySeats) {
  const isNew = Boolean(after.result?.winner) && !before.result;
  return isNew && mySeats.some((seat) => after.seats[seat - 1].side === after.result?.winner);
}

/**
 * How long a view waits before it is shown, so that a computer that answers at once can be followed. With a clock it
 * never waits: the time of the player would already run.
 *
 * @param {MatchView | null} before
 * @param {MatchView} after
 * @param {number} elapsed milliseconds since this device made its move
 */
export function replyDelay(before, after, elapsed) {
  const last = after.history[after.history.length - 1];
  if (!last || after.clock || after.history.length <= (before?.history.length ?? 0)) return 0;
  const seat = after.seats.find(({ side }) => side === last.side);
  return seat?.player === "computer" ? Math.max(0, PAUSE - elapsed) : 0;
}
