/**
 * The two players above and below the board, each with side, name, presence and clock.
 *
 * @typedef {import("../lib/types.js").MatchView} MatchView
 * @typedef {import("../lib/types.js").Seat} Seat
 * @typedef {import("../lib/types.js").Side} Side
 */

import { announce, byId, html, update } from "../lib/dom.js";
import { isTurnOf, pendingClaim, seatName } from "../lib/match-view.js";
import { text } from "../lib/messages.js";
import { markShape, sideClass } from "../lib/shapes.js";
import { playSound } from "../lib/sounds.js";
import { formatClock, remainingTime, spokenTime } from "./clock.js";

const LOW_TIME = 30_000; // milliseconds

/** @type {Set<Side>} the sides whose low time was announced */
const warned = new Set();

/**
 * @param {MatchView} view
 * @param {number[]} mySeats
 */
export function showPlayers(view, mySeats) {
  const near = mySeats.length === 1 ? mySeats[0] : 1;
  showPlayer(byId("near"), view, view.seats[near - 1], mySeats);
  showPlayer(byId("far"), view, view.seats[2 - near], mySeats);
}

/**
 * @param {HTMLElement} panel
 * @param {MatchView} view
 * @param {Seat} seat
 * @param {number[]} mySeats
 */
function showPlayer(panel, view, seat, mySeats) {
  const states = [isTurnOf(view, [seat.seat]) && "to-act", view.result?.winner === seat.side && "winner"];
  panel.className = ["player", sideClass(seat.side), ...states].filter(Boolean).join(" ");
  const label = text("players.clock", { side: seat.side });
  update(
    panel,
    html("span", { class: "badge" }, markShape(seat.side)),
    html(
      "span",
      { class: "name-and-note" },
      html("span", { class: "name" }, nameOf(seat)),
      html("span", { class: "note" }, describePlayer(view, seat, mySeats)),
    ),
    view.clock && html("span", { class: "clock", "data-side": seat.side, role: "timer", "aria-label": label }),
  );
}

/** The name of a player; with rating and a link if their profile is shared. @param {Seat} seat */
function nameOf(seat) {
  const name = seatName(seat);
  if (!seat.profile || !seat.rating) return name;
  return html("a", { href: `/p/${seat.profile}` }, text("players.rated_name", { name, rating: seat.rating }));
}

/**
 * @param {MatchView} view
 * @param {Seat} seat
 * @param {number[]} mySeats
 */
function describePlayer(view, seat, mySeats) {
  const parts = [text("players.side", { side: seat.side })];
  if (mySeats.length === 1 && mySeats.includes(seat.seat)) parts.push(text("players.you"));
  else if (seat.player === "person" && !mySeats.includes(seat.seat) && view.status !== "ended")
    parts.push(text(seat.present ? "players.present" : "players.away"));
  if (view.result?.winner === seat.side) parts.push(text("players.winner"));
  if (isTurnOf(view, [seat.seat])) parts.push(text(pendingClaim(view) ? "players.to_answer" : "players.to_move"));
  return parts.join(" · ");
}

/**
 * @param {MatchView} view
 * @param {number[]} mySeats
 * @param {number} now
 */
export function showClocks(view, mySeats, now) {
  const { clock } = view;
  if (!clock) return;
  for (const element of document.querySelectorAll(".clock")) {
    const side = /** @type {Side} */ (element.getAttribute("data-side"));
    const left = remainingTime(clock, side, now);
    element.textContent = formatClock(left);
    element.classList.toggle("running", clock.running === side);
    element.classList.toggle("low", left < LOW_TIME);
    const isMine = mySeats.some((seat) => view.seats[seat - 1].side === side);
    if (isMine && clock.running === side && left < LOW_TIME && left > 0 && !warned.has(side)) {
      announce(text("players.time_left", { time: spokenTime(left), side }));
      playSound("low");
    }
    if (left < LOW_TIME) warned.add(side);
    else warned.delete(side);
  }
}
