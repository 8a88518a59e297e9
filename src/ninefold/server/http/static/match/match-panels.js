/**
 * What stands between the players: an offer, an absence, the moves so far.
 *
 * @typedef {import("../lib/types.js").View} View
 */

import { face } from "./clock.js";
import { fill, make, part } from "../lib/dom.js";
import { seatFor } from "./match-status.js";
import { OFFERS, nameOfSeat } from "./announcer.js";

/**
 * @param {View} view
 * @param {number[]} mine
 * @param {(action: Record<string, unknown>, seat?: number) => void} act
 */
export function showOffer(view, mine, act) {
  const place = part("offer");
  const { offer } = view;
  place.hidden = !offer;
  if (!offer) return fill(place);
  const answers = mine.includes(3 - offer.seat);
  const seat = seatFor(view, mine, "accept");
  const button = (/** @type {string} */ kind, /** @type {string} */ label, /** @type {string} */ look) =>
    make("button", { type: "button", class: look, "data-key": kind, onclick: () => act({ kind }, seat) }, label);
  const who =
    mine.length === 1 && mine.includes(offer.seat) ? "You offered" : `${nameOfSeat(view.seats[offer.seat - 1])} offers`;
  fill(
    place,
    make("p", {}, `${who} ${OFFERS[offer.what] ?? offer.what}.`),
    answers &&
      make("div", { class: "buttons" }, button("accept", "Accept", "strong"), button("decline", "Decline", "quiet")),
  );
}

/**
 * The opponent who has gone can be claimed out when the time has come.
 *
 * @param {View} view
 * @param {number[]} mine
 * @param {number} now
 * @param {() => void} claimOut
 */
export function showAbsence(view, mine, now, claimOut) {
  const place = part("absence");
  const other = mine.length === 1 && !view.result ? view.seats[2 - mine[0]] : null;
  const gone = other && other.seat === view.asked && !other.present ? other : null;
  place.hidden = !gone || view.absent_due === null;
  if (!gone || view.absent_due === null) return fill(place);
  const wait = view.absent_due - now;
  const when =
    wait > 0 ? `is away. In ${face(wait).replace(/\..$/, "")} you may end the game.` : "has been away too long.";
  const button = () =>
    make("button", { type: "button", class: "strong", "data-key": "absent", onclick: claimOut }, "Claim the game");
  fill(place, make("p", {}, `${nameOfSeat(gone)} ${when}`), wait <= 0 && button());
}

/** @param {View} view */
export function showHistory(view) {
  const list = part("history");
  const items = view.history.map(({ side, text }) =>
    make("li", { class: side.toLowerCase() }, make("span", { class: "side" }, side), ` ${text}`),
  );
  part("history-none").hidden = items.length > 0;
  const grown = list.childElementCount !== items.length;
  fill(list, items);
  if (grown) list.scrollTop = list.scrollHeight;
}
