import assert from "node:assert/strict";
import { test } from "node:test";

// Storage that can be full, as in a browser.
const kept_ = new Map();
let full = false;
globalThis.localStorage = {
  get length() {
    return kept_.size;
  },
  key: (n) => [...kept_.keys()][n] ?? null,
  getItem: (key) => kept_.get(key) ?? null,
  setItem: (key, value) => {
    if (full) throw new Error("full");
    kept_.set(key, value);
  },
  removeItem: (key) => void kept_.delete(key),
};
const { giveUp, keep, kept, lastName, mine, note, rememberName } =
  await import("../../../../../src/ninefold/server/http/static/lib/match-storage.js");

test("what is kept of a match grows", () => {
  keep("a", { seats: { 1: "one" }, title: "Tic-Tac-Toe" });
  keep("a", { seats: { 2: "two" }, watch: "w" });
  assert.deepEqual(kept("a").seats, { 1: "one", 2: "two" });
  assert.deepEqual([kept("a").title, kept("a").watch], ["Tic-Tac-Toe", "w"]);
});

test("a seat that is played elsewhere is given up, the rest stays", () => {
  giveUp("a", 1);
  assert.deepEqual(kept("a").seats, { 2: "two" });
  assert.equal(kept("a").watch, "w");
});

test("the newest matches come first, and the oldest are forgotten for want of room", (context) => {
  context.mock.timers.enable({ apis: ["Date"], now: 1_000_000_000_000 });
  for (let n = 0; n < 70; n++) {
    context.mock.timers.tick(1000);
    keep(`m${n}`, { seats: { 1: "t" } });
  }
  assert.equal(mine().length, 60);
  assert.equal(mine().at(-1).match, "m11");
  assert.equal(kept("m0").at, 0);
});

test("what is only watched is forgotten first, then what is over, and what is opened now never", () => {
  kept_.clear();
  for (let n = 0; n < 60; n++) keep(`m${n}`, { seats: { 1: "t" }, at: n });
  keep("watched", { watch: "w", at: 100 });
  assert.equal(kept("watched").watch, "w");
  assert.equal(mine().length, 60);
  note("m59", { ended: true });
  keep("new", { seats: { 1: "t" }, at: 101 });
  assert.deepEqual([kept("watched").watch, kept("m59").seats, kept("m0").seats], [null, {}, { 1: "t" }]);
  assert.equal(mine().length, 60);
});

test("what becomes of a match is noted, and makes it no newer", () => {
  kept_.clear();
  keep("old", { seats: { 1: "t" }, at: 1 });
  keep("new", { seats: { 1: "t" }, at: 2 });
  note("old", { missing: true });
  assert.deepEqual(
    mine().map(({ match }) => match),
    ["new", "old"],
  );
  assert.deepEqual([kept("old").missing, kept("old").seats], [true, { 1: "t" }]);
});

test("a match that is broken or unknown has no seats", () => {
  kept_.set("ninefold:match:b", "{not json");
  for (const match of ["b", "c"]) assert.deepEqual(kept(match).seats, {});
});

test("full storage does not stop the game: what it cannot hold lives as long as the page", () => {
  rememberName("Ann");
  assert.equal(lastName(), "Ann");
  assert.equal(keep("a", { seats: { 1: "one" } }), true);
  full = true;
  rememberName("Bob");
  assert.equal(keep("a", { seats: { 2: "two" } }), false);
  assert.equal(lastName(), "Bob");
  assert.deepEqual(kept("a").seats, { 1: "one", 2: "two" });
  assert.ok(mine().some(({ match }) => match === "a"));
  full = false;
});
