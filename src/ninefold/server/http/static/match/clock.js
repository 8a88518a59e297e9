/**
 * Clocks: the server's time, the time that a side has left, and times as text. No DOM.
 *
 * @typedef {import("../lib/types.js").Clock} Clock
 * @typedef {import("../lib/types.js").Side} Side
 */

import { text } from "../lib/messages.js";

/** The server's time, continued by this machine's monotonic clock. */
export class ServerTime {
  /** @param {() => number} monotonic milliseconds that never go back */
  constructor(monotonic = () => performance.now()) {
    this.monotonic = monotonic;
    /** @type {number | null} */
    this.offset = null;
  }

  /**
   * Messages arrive late, never early: the largest offset is the best one.
   *
   * @param {number} now the server's time
   */
  sync(now) {
    this.offset = Math.max(this.offset ?? -Infinity, now - this.monotonic());
  }

  /** A new connection may lead to a server with another clock. */
  reset() {
    this.offset = null;
  }

  now() {
    return this.offset === null ? Date.now() : this.monotonic() + this.offset;
  }
}

/**
 * The milliseconds that a side has left.
 *
 * @param {Clock} clock
 * @param {Side} side
 * @param {number} now
 */
export function remainingTime(clock, side, now) {
  const used = clock.running === side ? Math.max(0, now - clock.at) : 0;
  return Math.max(0, clock[side] - used);
}

/**
 * A time as on a clock: 1:02:03, 3:05, and 0:09.9 in the last ten seconds.
 *
 * @param {number} ms
 */
export function formatClock(ms) {
  if (ms < 10_000) {
    const tenths = Math.floor(ms / 100);
    return `0:0${Math.floor(tenths / 10)}.${tenths % 10}`;
  }
  const [hours, minutes, seconds] = hoursMinutesSeconds(ms);
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/**
 * A time to wait, as on a clock and without tenths.
 *
 * @param {number} ms
 */
export function formatCountdown(ms) {
  return formatClock(Math.max(0, ms)).replace(/\..$/, "");
}

/**
 * A time to be read aloud: 3 minutes 5 seconds.
 *
 * @param {number} ms
 */
export function spokenTime(ms) {
  const [hours, minutes, seconds] = hoursMinutesSeconds(ms);
  const parts = [
    hours && text("time.hours", { count: hours }),
    minutes && text("time.minutes", { count: minutes }),
    seconds && text("time.seconds", { count: seconds }),
  ];
  return parts.filter(Boolean).join(" ") || text("time.none");
}

/** @param {number} ms */
function hoursMinutesSeconds(ms) {
  const seconds = Math.floor(ms / 1000);
  return [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
}
