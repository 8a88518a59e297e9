import assert from "node:assert/strict";
import { test } from "node:test";

import { ServerTime, face, remaining, spoken } from "../../../../../src/ninefold/server/http/static/match/clock.js";

test("only the clock of the side to move runs", () => {
  const clock = { X: 60_000, O: 50_000, running: "X", increment: 0, at: 1000 };
  assert.equal(remaining(clock, "X", 11_000), 50_000);
  assert.equal(remaining(clock, "O", 11_000), 50_000);
  assert.equal(remaining(clock, "X", 99_000), 0);
  assert.equal(remaining({ ...clock, running: null }, "X", 11_000), 60_000);
});

test("a clock never shows more than the server gave", () => {
  assert.equal(remaining({ X: 60_000, O: 1, running: "X", increment: 0, at: 1000 }, "X", 0), 60_000);
});

test("a clock's face", () => {
  assert.equal(face(185_000), "3:05");
  assert.equal(face(3_723_000), "1:02:03");
  assert.equal(face(10_000), "0:10");
  assert.equal(face(9_940), "0:09.9");
  assert.equal(face(0), "0:00.0");
});

test("time as people say it", () => {
  assert.equal(spoken(61_000), "1 minute 1 second");
  assert.equal(spoken(3_600_000), "1 hour");
  assert.equal(spoken(400), "no time");
});

test("the server's time goes on by this machine's monotonic clock", () => {
  let ticks = 0;
  const time = new ServerTime(() => ticks);
  time.hear(1_000_000);
  ticks = 500;
  assert.equal(time.now(), 1_000_500);
});

test("what is heard late does not set the time back", () => {
  let ticks = 0;
  const time = new ServerTime(() => ticks);
  time.hear(1_000_000);
  ticks = 300;
  time.hear(1_000_200);
  assert.equal(time.now(), 1_000_300);
  time.forget();
  time.hear(5000);
  assert.equal(time.now(), 5000);
});
