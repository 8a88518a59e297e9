/**
 * The two players, each with side, name, presence and clock.
 *
 * @typedef {import("../lib/types.js").View} View
 * @typedef {import("../lib/types.js").Seat} Seat
 */

import { face, remaining, spoken } from "./clock.js";
import { fill, make, part, say } from "../lib/dom.js";
import { markShape, sideClass } from "../lib/shapes.js";
import { nameOfSeat, pendingClaim } from "./announcer.js";

const LOW = 30_000;

/**
 * @param {View} view
 * @param {number[]} mine
 */
export function showPlayers(view, mine) {
  const near = mine.length === 1 ? mine[0] : 1;
  showPlayer(part("near"), view, view.seats[near - 1], mine);
  showPlayer(part("far"), view, view.seats[2 - near], mine);
}

/**
 * @param {HTMLElement} place
 * @param {View} view
 * @param {Seat} seat
 * @param {number[]} mine
 */
function showPlayer(place, view, seat, mine) {
  const asked = view.status === "live" && view.asked === seat.seat;
  place.className = [
    "player",
    sideClass(seat.side),
    asked ? "asked" : "",
    view.result?.winner === seat.side ? "winner" : "",
  ]
    .join(" ")
    .trim();
  fill(
    place,
    make("span", { class: "badge" }, markShape(seat.side)),
    make(
      "span",
      { class: "who" },
      make("span", { class: "name" }, nameOfSeat(seat)),
      make("span", { class: "note" }, noteOn(view, seat, mine, asked)),
    ),
    view.clock &&
      make("span", { class: "clock", "data-side": seat.side, role: "timer", "aria-label": `Clock of ${seat.side}` }),
  );
}

/**
 * @param {View} view
 * @param {Seat} seat
 * @param {number[]} mine
 * @param {boolean} asked
 */
function noteOn(view, seat, mine, asked) {
  const parts = [`plays ${seat.side}`];
  if (mine.length === 1 && mine.includes(seat.seat)) parts.push("you");
  else if (seat.player === "person" && !mine.includes(seat.seat) && view.status !== "ended")
    parts.push(seat.present ? "here" : "away");
  if (view.result?.winner === seat.side) parts.push("winner");
  if (asked) parts.push(pendingClaim(view) ? "to answer" : "to move");
  return parts.join(" · ");
}

/** Sides whose low clock has been spoken of. */
const warned = new Set();

/**
 * @param {View} view
 * @param {number[]} mine
 * @param {number} now
 */
export function showClocks(view, mine, now) {
  const { clock } = view;
  if (!clock) return;
  for (const element of document.querySelectorAll(".clock")) {
    const side = /** @type {import("../lib/types.js").Side} */ (element.getAttribute("data-side"));
    const left = remaining(clock, side, now);
    element.textContent = face(left);
    element.classList.toggle("running", clock.running === side);
    element.classList.toggle("low", left < LOW);
    const yours = mine.some((seat) => view.seats[seat - 1].side === side);
    if (yours && clock.running === side && left < LOW && left > 0 && !warned.has(side))
      say(`${spoken(left)} left for ${side}.`);
    if (left < LOW) warned.add(side);
    else warned.delete(side);
  }
}
