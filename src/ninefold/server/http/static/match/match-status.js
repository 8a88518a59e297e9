/**
 * What the match asks for now, as one sentence, and what can be done about it. No DOM.
 *
 * @typedef {import("../lib/types.js").View} View
 * @typedef {import("../lib/types.js").Game} Game
 */

import { question } from "../lib/labels.js";
import { skipped } from "../lib/move-paths.js";
import { nameOfSeat, pendingClaim } from "./announcer.js";

/**
 * @param {View} view
 * @param {Game} game
 * @param {number[]} mine seats played here
 * @param {number[] | null} prefix choices made on the way to a move; null when one has been sent
 */
export function statusOf(view, game, mine, prefix) {
  if (view.result) return view.result.sentence;
  if (view.status === "open" || view.asked === null) return "Waiting for the other player.";
  const asked = view.seats[view.asked - 1];
  const here = mine.includes(asked.seat);
  const claim = pendingClaim(view);
  if (claim)
    return here
      ? `${claim.side} claims victory. Is it true?`
      : `${claim.side} claims victory. ${nameOfSeat(asked)} answers.`;
  if (!here)
    return asked.player === "computer"
      ? `${nameOfSeat(asked)} is thinking …`
      : `${nameOfSeat(asked)} (${asked.side}) to move.`;
  if (!prefix) return "Sending the move …";
  const asks = question(game.steps, game.layout, prefix.length ? prefix : skipped(view.moves));
  const whose = mine.length > 1 ? `${asked.side} to move` : "Your turn";
  return asks ? `${whose}: ${asks.charAt(0).toLowerCase()}${asks.slice(1)}.` : `${whose}.`;
}

/**
 * "You won", for whoever plays one seat; otherwise nothing.
 *
 * @param {View} view
 * @param {number[]} mine
 */
export function verdictFor(view, mine) {
  if (!view.result) return "";
  if (view.result.score === "*") return "No winner";
  if (view.result.winner === null) return "A draw";
  if (mine.length !== 1) return `${view.result.winner} wins`;
  return view.seats[mine[0] - 1].side === view.result.winner ? "You won" : "You lost";
}

/**
 * @typedef {"claim" | "take_back" | "draw" | "resign" | "leave" | "carry" | "rematch" | "go_rematch" | "watch_rematch" | "review" | "share" | "rules"} Deed
 */

/**
 * What whoever sits here can do beside playing.
 *
 * @param {View} view
 * @param {number[]} mine
 * @param {string | null} watch the secret that opens a private match to others, where it is known
 * @returns {Deed[]}
 */
export function deeds(view, mine, watch) {
  /** @type {Deed[]} */
  const share = view.private && !watch ? [] : ["share"];
  if (view.result) return [...again(view, mine), "review"];
  if (!mine.length) return share;
  if (view.status === "open") return ["leave", "carry"];
  const calm = !pendingClaim(view);
  const claims =
    calm &&
    view.options.claims === "yes" &&
    // With a move anybody may claim: a bar ends when a mark is placed.
    mine.some((seat) => seat === view.asked || !view.barred.includes(view.seats[seat - 1].side));
  const offers = calm && !view.offer && view.history.length > 0;
  /** @type {(when: boolean, ...what: Deed[]) => Deed[]} */
  const only = (when, ...what) => (when ? what : []);
  return [
    ...only(claims, "claim"),
    ...only(offers, "take_back", "draw"),
    "resign",
    "leave",
    ...only(mine.length === 1, "carry"),
    ...share,
  ];
}

/** @param {View} view @param {number[]} mine @returns {Deed[]} */
function again(view, mine) {
  if (!mine.length) return view.rematch ? ["watch_rematch"] : [];
  return [view.rematch ? "go_rematch" : "rematch"];
}

/**
 * Who has asked for the rematch, in a sentence; "" when there is none, or nobody else who could have asked.
 *
 * @param {View} view
 * @param {number[]} mine
 */
export function rematchCall(view, mine) {
  if (!view.rematch) return "";
  if (!mine.length) return "There is a rematch.";
  const other = view.seats.find(({ seat, player }) => !mine.includes(seat) && player === "person");
  return other ? `${nameOfSeat(other)} wants a rematch.` : "";
}

/**
 * The seat that acts, where one screen plays both: whoever is asked, or the other for what only they can do.
 *
 * @param {View} view
 * @param {number[]} mine
 * @param {string} kind
 */
export function seatFor(view, mine, kind) {
  if (mine.length === 1) return mine[0];
  const asked = view.asked ?? mine[0];
  if (kind === "withdraw") return 3 - asked;
  if (kind === "accept" || kind === "decline") return view.offer ? 3 - view.offer.seat : asked;
  // Who has just moved takes back, and the other agrees.
  return kind === "take_back" ? 3 - asked : asked;
}
