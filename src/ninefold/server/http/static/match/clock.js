/**
 * Clocks tick here between two words of the server, by the server's time. No DOM.
 *
 * @typedef {import("../lib/types.js").Clock} Clock
 * @typedef {import("../lib/types.js").Side} Side
 */

/** The server's time, carried on by this machine's monotonic clock. */
export class ServerTime {
  /** @param {() => number} ticks milliseconds that never go back */
  constructor(ticks = () => performance.now()) {
    this.ticks = ticks;
    /** @type {number | null} */
    this.offset = null;
  }

  /**
   * What we hear is late, never early: the largest difference is the truest.
   *
   * @param {number} now the server's time
   */
  hear(now) {
    this.offset = Math.max(this.offset ?? -Infinity, now - this.ticks());
  }

  /** A new connection may lead to another clock. */
  forget() {
    this.offset = null;
  }

  now() {
    return this.offset === null ? Date.now() : this.ticks() + this.offset;
  }
}

/**
 * Milliseconds that a side has left.
 *
 * @param {Clock} clock
 * @param {Side} side
 * @param {number} now
 */
export function remaining(clock, side, now) {
  const used = clock.running === side ? Math.max(0, now - clock.at) : 0;
  return Math.max(0, clock[side] - used);
}

/**
 * As on a clock: 1:02:03, 3:05, and tenths for the last ten seconds.
 *
 * @param {number} ms
 */
export function face(ms) {
  if (ms < 10_000) {
    const tenths = Math.floor(ms / 100);
    return `0:0${Math.floor(tenths / 10)}.${tenths % 10}`;
  }
  const seconds = Math.floor(ms / 1000);
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/**
 * As people say it: 3 minutes 5 seconds.
 *
 * @param {number} ms
 */
export function spoken(ms) {
  const seconds = Math.floor(ms / 1000);
  const parts = [
    [Math.floor(seconds / 3600), "hour"],
    [Math.floor(seconds / 60) % 60, "minute"],
    [seconds % 60, "second"],
  ];
  const told = parts
    .filter(([number]) => number)
    .map(([number, unit]) => `${number} ${unit}${number === 1 ? "" : "s"}`);
  return told.join(" ") || "no time";
}
