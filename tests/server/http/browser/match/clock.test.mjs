import assert from "node:assert/strict";
import { test } from "node:test";

import { ServerTime, formatClock, formatCountdown, remainingTime, spokenTime } from "#static/match/clock.js";

test("only the clock of the side to move runs", () => {
  const clock = { X: 60_000, O: 50_000, running: "X", increment: 0, at: 1000 };
  assert.equal(remainingTime(clock, "X", 11_000), 50_000);
  assert.equal(remainingTime(clock, "O", 11_000), 50_000);
  assert.equal(remainingTime(clock, "X", 99_000), 0);
  assert.equal(remainingTime({ ...clock, running: null }, "X", 11_000), 60_000);
});

test("a clock never shows more than the server gave", () => {
  assert.equal(remainingTime({ X: 60_000, O: 1, running: "X", increment: 0, at: 1000 }, "X", 0), 60_000);
});

test("a time as on a clock", () => {
  assert.equal(formatClock(185_000), "3:05");
  assert.equal(formatClock(3_723_000), "1:02:03");
  assert.equal(formatClock(10_000), "0:10");
  assert.equal(formatClock(9_940), "0:09.9");
  assert.equal(formatClock(0), "0:00.0");
  assert.equal(formatCountdown(9_940), "0:09");
  assert.equal(formatCountdown(-5), "0:00");
});

test("a time to be read aloud", () => {
  assert.equal(spokenTime(61_000), "1 minute 1 second");
  assert.equal(spokenTime(3_600_000), "1 hour");
  assert.equal(spokenTime(400), "no time");
});

test("the server's time is continued by this machine's monotonic clock", () => {
  let ticks = 0;
  const time = new ServerTime(() => ticks);
  time.sync(1_000_000);
  ticks = 500;
  assert.equal(time.now(), 1_000_500);
});

test("a late message does not set the time back", () => {
  let ticks = 0;
  const time = new ServerTime(() => ticks);
  time.sync(1_000_000);
  ticks = 300;
  time.sync(1_000_200);
  assert.equal(time.now(), 1_000_300);
  time.reset();
  time.sync(5000);
  assert.equal(time.now(), 5000);
});
