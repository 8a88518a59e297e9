/**
 * The clocks that can be chosen, in words and in requests. No DOM.
 *
 * @typedef {import("./types.js").MatchRequest} MatchRequest
 */

import { CLOCK_CHOICES } from "./api-constants.js";
import { text } from "./messages.js";

/** The clocks with their labels, "" for none. */
export function clockChoices() {
  const choices = CLOCK_CHOICES.map(([initial, increment]) => {
    const time = text("time.minutes", { count: initial / 60 });
    const label = increment ? text("new.clock.increment", { time, seconds: increment }) : time;
    return [`${initial}+${increment}`, label];
  });
  return [["", text("new.clock.none")], ...choices];
}

/** The part of a request that asks for a clock. @param {string} clock @returns {Pick<MatchRequest, "clock">} */
export function clockRequest(clock) {
  const [initial, increment] = clock.split("+").map(Number);
  return initial ? { clock: { initial_seconds: initial, increment_seconds: increment } } : {};
}

/**
 * The clock of a match in a list: "3 min + 2 s"; "" if it has none.
 *
 * @param {import("./types.js").MatchSummary["clock"]} clock
 */
export function shortClock(clock) {
  if (!clock) return "";
  const minutes = clock.initial / 60_000;
  const seconds = clock.increment / 1000;
  return seconds ? text("clock.short_increment", { minutes, seconds }) : text("clock.short", { minutes });
}
