/**
 * What happened between two views of a match, in sentences to be spoken. No DOM.
 *
 * @typedef {import("../lib/types.js").View} View
 * @typedef {import("../lib/types.js").Layout} Layout
 * @typedef {import("../lib/types.js").Seat} Seat
 */

import { boardLabel } from "../lib/labels.js";
import { namesOf } from "../lib/coordinates.js";

/** What the referee found wrong with a claim. */
export const VERDICTS = /** @type {Record<string, string>} */ ({
  true: "it is a line, and all three are the claimant's",
  not_a_line: "the three cells are not a line",
  all_opponents: "all three are the opponent's",
  broken: "the opponent breaks the line",
  gap: "there is a gap in the middle",
  only_two: "not all three are the claimant's",
});

/**
 * A seat as people call it: "Ann", "Player 1", "computer (hard)".
 *
 * @param {Seat} seat
 */
export function nameOfSeat(seat) {
  if (seat.name) return seat.name;
  if (seat.player === "computer") return seat.level ? `Computer (${seat.level})` : "Computer";
  return seat.player === "open" ? "Open seat" : `Player ${seat.seat}`;
}

/**
 * A claim that waits for its answer.
 *
 * @param {View} view
 */
export function pendingClaim(view) {
  return !view.result && view.claim?.verdict === null ? view.claim : null;
}

/**
 * What the last claim was answered, and by whom; "" when nobody has.
 *
 * @param {View} view
 */
export function answered({ claim, seats }) {
  if (!claim?.answer) return "";
  const { seat, kind, text } = claim.answer;
  const what = { confirm: "confirmed it.", dispute: `disputed it: ${text}`, withdraw: "withdrew it." }[kind];
  return `${nameOfSeat(seats[seat - 1])} (${seats[seat - 1].side}) ${what}`;
}

/**
 * @param {View | null} before
 * @param {View} after
 * @param {Layout} layout
 * @param {number[]} mine the seats played here
 * @returns {string[]}
 */
export function tell(before, after, layout, mine) {
  if (!before) return [...tellResult(null, after), ...tellTurn(after, layout, mine)];
  return [
    ...tellSeats(before, after),
    ...tellMoves(before, after),
    ...tellBoards(before, after, layout),
    ...tellClaim(before, after, layout),
    ...tellOffer(before, after, mine),
    ...tellResult(before, after),
    ...(changed(before, after) ? tellTurn(after, layout, mine) : []),
  ];
}

/**
 * @param {View} before
 * @param {View} after
 */
function changed(before, after) {
  return (
    before.asked !== after.asked || before.status !== after.status || before.history.length !== after.history.length
  );
}

/**
 * @param {View} before
 * @param {View} after
 */
function tellSeats(before, after) {
  const joined = after.seats.filter(({ player }, index) => player !== "open" && before.seats[index].player === "open");
  return joined.map((seat) => `${nameOfSeat(seat)} joined as ${seat.side}.`);
}

/**
 * @param {View} before
 * @param {View} after
 */
function tellMoves(before, after) {
  const back = before.history.length - after.history.length;
  if (back > 0) return [back === 1 ? "A move was taken back." : `${back} moves were taken back.`];
  return after.history.slice(before.history.length).map(({ side, text }) => `${side} played ${text}.`);
}

/**
 * @param {View} before
 * @param {View} after
 * @param {Layout} layout
 */
function tellBoards(before, after, layout) {
  const owners = after.board.owners ?? [];
  const decided = owners.map((owner, number) => (owner && !before.board.owners?.[number] ? number : -1));
  const plain = { ...after.board, open: [] };
  return decided.filter((number) => number >= 0).map((number) => `${capital(boardLabel(layout, plain, number))}.`);
}

/**
 * @param {View} before
 * @param {View} after
 * @param {Layout} layout
 */
function tellClaim(before, after, layout) {
  const { claim } = after;
  const [was, is] = [pendingClaim(before), pendingClaim(after)];
  if (!claim || (!was && !is)) return [];
  if (is) return was ? [] : [`${claim.side} claims victory with ${namesOf(layout, claim.cells)}.`];
  if (!claim.verdict) return [];
  return [
    ...[answered(after)].filter(Boolean),
    `The claim of ${claim.side} is ${claim.verdict === "true" ? "true" : "false"}: ${VERDICTS[claim.verdict] ?? claim.verdict}.`,
  ];
}

/**
 * @param {View} before
 * @param {View} after
 * @param {number[]} mine
 */
function tellOffer(before, after, mine) {
  if (after.offer && !before.offer) {
    const whose =
      mine.length === 1 && mine.includes(after.offer.seat)
        ? "You offer"
        : `${nameOfSeat(after.seats[after.offer.seat - 1])} offers`;
    return [`${whose} ${OFFERS[after.offer.what] ?? after.offer.what}.`];
  }
  return [];
}

/**
 * Whether an offer was declined; it can also be accepted, or lapse with a move.
 *
 * @param {View | null} before
 * @param {View} after
 */
export function declined(before, after) {
  if (!before?.offer || after.offer || after.result) return false;
  return before.history.length === after.history.length;
}

export const OFFERS = /** @type {Record<string, string>} */ ({ draw: "a draw", take_back: "to take back a move" });

/**
 * @param {View | null} before
 * @param {View} after
 */
function tellResult(before, after) {
  return after.result && !before?.result ? [after.result.sentence] : [];
}

/**
 * @param {View} view
 * @param {Layout} layout
 * @param {number[]} mine
 */
function tellTurn(view, layout, mine) {
  if (view.result || view.asked === null) return [];
  if (view.status === "open") return ["Waiting for the other player."];
  const open = view.board.open ?? [];
  const where = layout.kind === "boards" && open.length === 1 ? `, board ${namesOf(layout, open)}` : "";
  const asked = view.seats[view.asked - 1];
  if (pendingClaim(view)) return mine.includes(view.asked) ? ["Answer the claim."] : [];
  if (mine.length === 1 && mine.includes(view.asked)) return [`Your turn${where}.`];
  return [`${asked.side} to move${where}.`];
}

/** @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
