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
const { forget, giveUp, keep, kept, lastName, mine, rememberName } =
  await import("../../src/ninefold/web/static/seats.js");

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

test("the newest matches come first, and the oldest are forgotten", (context) => {
  context.mock.timers.enable({ apis: ["Date"], now: 1_000_000_000_000 });
  for (let n = 0; n < 70; n++) {
    context.mock.timers.tick(1000);
    keep(`m${n}`, { seats: { 1: "t" } });
  }
  assert.equal(mine().length, 60);
  assert.equal(mine().at(-1).match, "m11");
  assert.equal(kept("m0").at, 0);
});

test("a match that is forgotten, broken or unknown has no seats", () => {
  forget("a");
  kept_.set("ninefold:match:b", "{not json");
  for (const match of ["a", "b", "c"]) assert.deepEqual(kept(match).seats, {});
});

test("a name is remembered, and full storage does not stop the game", () => {
  rememberName("Ann");
  assert.equal(lastName(), "Ann");
  full = true;
  assert.doesNotThrow(() => rememberName("Bob"));
});
