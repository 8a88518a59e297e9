/**
 * What changed between two views of a match, as sentences for screen readers. No DOM.
 *
 * @typedef {import("../lib/types.js").MatchView} MatchView
 * @typedef {import("../lib/types.js").Layout} Layout
 */

import { boardLabel } from "../lib/labels.js";
import { pendingClaim, resultSentence, seatName } from "../lib/match-view.js";
import { capitalize, text } from "../lib/messages.js";
import { boardPlace, linePlace, moveWords } from "../lib/places.js";
import { claimAnswer, describeOffer, verdictWords } from "./match-status.js";

/**
 * @param {MatchView | null} before null if nothing was shown before
 * @param {MatchView} after
 * @param {Layout} layout
 * @param {number[]} mySeats
 * @returns {string[]}
 */
export function announcements(before, after, layout, mySeats) {
  if (!before) return [...announceResult(null, after), ...announceTurn(after, layout, mySeats)];
  return [
    ...announceJoins(before, after),
    ...announceMoves(before, after, layout),
    ...announceBoards(before, after),
    ...announceClaim(before, after, layout),
    ...(after.offer && !before.offer ? [describeOffer(after, after.offer, mySeats)] : []),
    ...announceResult(before, after),
    ...(turnChanged(before, after) ? announceTurn(after, layout, mySeats) : []),
  ];
}

/**
 * True if an offer was declined. It can also be accepted, or end with a move.
 *
 * @param {MatchView | null} before
 * @param {MatchView} after
 */
export function wasDeclined(before, after) {
  if (!before?.offer || after.offer || after.result) return false;
  return before.history.length === after.history.length;
}

/**
 * @param {MatchView} before
 * @param {MatchView} after
 */
function turnChanged(before, after) {
  return (
    before.asked !== after.asked || before.status !== after.status || before.history.length !== after.history.length
  );
}

/**
 * @param {MatchView} before
 * @param {MatchView} after
 */
function announceJoins(before, after) {
  const joined = after.seats.filter(({ player }, index) => player !== "open" && before.seats[index].player === "open");
  return joined.map((seat) => text("announce.joined", { player: seatName(seat), side: seat.side }));
}

/**
 * @param {MatchView} before
 * @param {MatchView} after
 * @param {Layout} layout
 */
function announceMoves(before, after, layout) {
  const count = before.history.length - after.history.length;
  if (count > 0) return [text("announce.taken_back", { count })];
  return after.history
    .slice(before.history.length)
    .map(({ side, text: move }) => text("announce.played", { side, move: moveWords(layout, move) }));
}

/**
 * @param {MatchView} before
 * @param {MatchView} after
 */
function announceBoards(before, after) {
  const owners = after.board.owners ?? [];
  const decided = owners.map((owner, number) => (owner && !before.board.owners?.[number] ? number : -1));
  const board = { ...after.board, open: [] };
  return decided
    .filter((number) => number >= 0)
    .map((number) => text("announce.board", { board: capitalize(boardLabel(board, number)) }));
}

/**
 * @param {MatchView} before
 * @param {MatchView} after
 * @param {Layout} layout
 */
function announceClaim(before, after, layout) {
  const { claim } = after;
  const [was, is] = [pendingClaim(before), pendingClaim(after)];
  if (!claim || (!was && !is)) return [];
  if (is) return was ? [] : [text("announce.claim", { side: claim.side, cells: linePlace(layout, claim.cells) })];
  if (!claim.why) return [];
  const why = verdictWords(claim, layout);
  const verdict = text(claim.verdict === "true" ? "announce.claim_true" : "announce.claim_false", { why });
  return [claimAnswer(after), verdict].filter(Boolean);
}

/**
 * @param {MatchView | null} before
 * @param {MatchView} after
 */
function announceResult(before, after) {
  return after.result && !before?.result ? [resultSentence(after.result)] : [];
}

/**
 * @param {MatchView} view
 * @param {Layout} layout
 * @param {number[]} mySeats
 */
function announceTurn(view, layout, mySeats) {
  if (view.result || view.asked === null) return [];
  if (view.status === "open") return [text("status.waiting")];
  if (pendingClaim(view)) return mySeats.includes(view.asked) ? [text("announce.answer_claim")] : [];
  const isMine = mySeats.length === 1 && mySeats.includes(view.asked);
  const { side } = view.seats[view.asked - 1];
  const open = view.board.open ?? [];
  if (layout.kind !== "boards" || open.length !== 1)
    return [isMine ? text("announce.your_turn") : text("announce.turn", { side })];
  const board = boardPlace(open[0]);
  return [isMine ? text("announce.your_turn_in_board", { board }) : text("announce.turn_in_board", { side, board })];
}
