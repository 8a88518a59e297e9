import assert from "node:assert/strict";
import { test } from "node:test";

// Storage that can be full, as in a browser.
const stored = new Map();
let full = false;
globalThis.localStorage = {
  get length() {
    return stored.size;
  },
  key: (n) => [...stored.keys()][n] ?? null,
  getItem: (key) => stored.get(key) ?? null,
  setItem: (key, value) => {
    if (full) throw new Error("full");
    stored.set(key, value);
  },
  removeItem: (key) => void stored.delete(key),
};
const { loadMatch, loadName, playedMatches, removeSeat, saveMatch, saveName, updateMatch } =
  await import("#static/lib/match-storage.js");

test("what is stored about a match grows", () => {
  saveMatch("a", { seats: { 1: "one" }, title: "Tic-Tac-Toe" });
  saveMatch("a", { seats: { 2: "two" }, watch: "w" });
  assert.deepEqual(loadMatch("a").seats, { 1: "one", 2: "two" });
  assert.deepEqual([loadMatch("a").title, loadMatch("a").watch], ["Tic-Tac-Toe", "w"]);
});

test("a seat that was moved is removed, the rest stays", () => {
  removeSeat("a", 1);
  assert.deepEqual(loadMatch("a").seats, { 2: "two" });
  assert.equal(loadMatch("a").watch, "w");
});

test("the newest matches come first, and the oldest are removed if there are too many", (context) => {
  context.mock.timers.enable({ apis: ["Date"], now: 1_000_000_000_000 });
  for (let n = 0; n < 70; n++) {
    context.mock.timers.tick(1000);
    saveMatch(`m${n}`, { seats: { 1: "t" } });
  }
  assert.equal(playedMatches().length, 60);
  assert.equal(playedMatches().at(-1).match, "m11");
  assert.equal(loadMatch("m0").at, 0);
});

test("watched matches are removed first, then those that are over, and never the one that is opened", () => {
  stored.clear();
  for (let n = 0; n < 60; n++) saveMatch(`m${n}`, { seats: { 1: "t" }, at: n });
  saveMatch("watched", { watch: "w", at: 100 });
  assert.equal(loadMatch("watched").watch, "w");
  assert.equal(playedMatches().length, 60);
  updateMatch("m59", { ended: true });
  saveMatch("new", { seats: { 1: "t" }, at: 101 });
  assert.deepEqual([loadMatch("watched").watch, loadMatch("m59").seats, loadMatch("m0").seats], [null, {}, { 1: "t" }]);
  assert.equal(playedMatches().length, 60);
});

test("an update of a match does not make it newer", () => {
  stored.clear();
  saveMatch("old", { seats: { 1: "t" }, at: 1 });
  saveMatch("new", { seats: { 1: "t" }, at: 2 });
  updateMatch("old", { missing: true });
  assert.deepEqual(
    playedMatches().map(({ match }) => match),
    ["new", "old"],
  );
  assert.deepEqual([loadMatch("old").missing, loadMatch("old").seats], [true, { 1: "t" }]);
});

test("a match that is broken or unknown has no seats", () => {
  stored.set("ninefold:match:b", "{not json");
  for (const match of ["b", "c"]) assert.deepEqual(loadMatch(match).seats, {});
});

test("if the storage is full, what it cannot hold lasts as long as the page", () => {
  saveName("Ann");
  assert.equal(loadName(), "Ann");
  assert.equal(saveMatch("a", { seats: { 1: "one" } }), true);
  full = true;
  saveName("Bob");
  assert.equal(saveMatch("a", { seats: { 2: "two" } }), false);
  assert.equal(loadName(), "Bob");
  assert.deepEqual(loadMatch("a").seats, { 1: "one", 2: "two" });
  assert.ok(playedMatches().some(({ match }) => match === "a"));
  full = false;
});
