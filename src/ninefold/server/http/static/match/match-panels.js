/**
 * The panels of a match beside the board: an offer, an absent opponent, the moves so far.
 *
 * @typedef {import("../lib/types.js").Action} Action
 * @typedef {import("../lib/types.js").Layout} Layout
 * @typedef {import("../lib/types.js").MatchView} MatchView
 */

import { button, byId, html, update } from "../lib/dom.js";
import { seatName } from "../lib/match-view.js";
import { moveItem } from "../lib/move-list.js";
import { text } from "../lib/messages.js";
import { formatCountdown } from "./clock.js";
import { actingSeat, describeOffer } from "./match-status.js";

/**
 * @param {MatchView} view
 * @param {number[]} mySeats
 * @param {(action: Action, seat?: number) => void} act
 */
export function showOffer(view, mySeats, act) {
  const panel = byId("offer");
  const { offer } = view;
  panel.hidden = !offer;
  if (!offer) return update(panel);
  const seat = actingSeat(view, mySeats, "accept");
  const answer = (/** @type {"accept" | "decline"} */ kind, /** @type {string} */ style) =>
    button(text(`offer.${kind}`), { class: style, "data-key": kind, onclick: () => act({ kind }, seat) });
  update(
    panel,
    html("p", {}, describeOffer(view, offer, mySeats)),
    mySeats.includes(3 - offer.seat) &&
      html("div", { class: "buttons" }, answer("accept", "strong"), answer("decline", "quiet")),
  );
}

/**
 * Shows that the opponent is absent and when the match can be claimed for it.
 *
 * @param {MatchView} view
 * @param {number[]} mySeats
 * @param {number} now
 * @param {() => void} claimAbsent
 */
export function showAbsence(view, mySeats, now, claimAbsent) {
  const panel = byId("absence");
  const opponent = mySeats.length === 1 && !view.result ? view.seats[2 - mySeats[0]] : null;
  const isAbsent = opponent && opponent.seat === view.asked && !opponent.present;
  panel.hidden = !isAbsent || view.absent_due === null;
  if (!isAbsent || view.absent_due === null) return update(panel);
  const wait = view.absent_due - now;
  const player = seatName(opponent);
  const sentence =
    wait > 0 ? text("absence.away", { player, time: formatCountdown(wait) }) : text("absence.too_long", { player });
  const claim = () => button(text("absence.claim"), { class: "strong", "data-key": "absent", onclick: claimAbsent });
  update(panel, html("p", {}, sentence), wait <= 0 && claim());
}

/** @param {MatchView} view @param {Layout} layout */
export function showHistory({ history }, layout) {
  const list = byId("history");
  const items = history.map(({ side, path }) => moveItem(layout, side, path));
  byId("history-none").hidden = items.length > 0;
  const hasChanged = list.childElementCount !== items.length;
  update(list, items);
  if (hasChanged) list.scrollTop = list.scrollHeight;
}
