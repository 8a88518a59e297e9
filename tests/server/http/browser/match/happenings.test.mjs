import assert from "node:assert/strict";
import { test } from "node:test";

import { isVictory, replyDelay, soundsOf } from "#static/match/happenings.js";

const SEATS = [
  { seat: 1, side: "X", player: "person" },
  { seat: 2, side: "O", player: "computer" },
];
const view = (cells, changes = {}) => ({
  seats: SEATS,
  status: "live",
  asked: 1,
  result: null,
  clock: null,
  history: [...cells].filter((mark) => mark !== ".").map((side) => ({ side, text: "", path: [] })),
  board: { cells: [...cells].map((mark) => mark.replace(".", "")) },
  ...changes,
});
const WON = { result: { winner: "X" }, status: "ended" };

test("the opponent's move sounds, one's own has sounded when it was pressed", () => {
  assert.deepEqual(soundsOf(view("X."), view("XO"), [1]), ["reply"]);
  assert.deepEqual(soundsOf(view(".."), view("X."), [1]), []);
  assert.deepEqual(soundsOf(null, view("XO"), [1]), []);
});

test("your turn sounds when a match begins, and after a move if nobody sees the page", () => {
  assert.deepEqual(soundsOf(view("..", { status: "open", asked: null }), view(".."), [1]), ["turn"]);
  assert.deepEqual(soundsOf(view("..", { status: "open", asked: null }), view(".."), [2]), []);
  assert.deepEqual(soundsOf(view("X."), view("XO"), [1], true), ["reply", "turn"]);
  assert.deepEqual(soundsOf(view("X."), view("XO", { asked: 2 }), [1], true), ["reply"]);
});

test("a marker that changes its side and a board that is won sound as a capture", () => {
  assert.deepEqual(soundsOf(view("X."), view("OO"), [1]), ["capture"]);
  const won = view("XO", { board: { cells: ["X", "O"], owners: ["O"] } });
  assert.deepEqual(soundsOf(view("X."), won, [1]), ["capture"]);
});

test("a result sounds as it is for this device, and only a victory is celebrated", () => {
  const [before, after] = [view("X."), view("XX", WON)];
  assert.deepEqual(soundsOf(before, after, [1]), ["win"]);
  assert.deepEqual(soundsOf(before, after, [2]), ["loss"]);
  assert.deepEqual(soundsOf(before, view("XX", { result: { winner: null } }), [1]), ["draw"]);
  assert.deepEqual([[1], [2], []].map((seats) => isVictory(before, after, seats)), [true, false, false]);
  assert.equal(isVictory(after, after, [1]), false);
});

test("the answer of a fast computer waits, except with a clock", () => {
  assert.equal(replyDelay(view("X."), view("XO"), 50), 500);
  assert.equal(replyDelay(view("X."), view("XO"), 2000), 0);
  assert.equal(replyDelay(view(".."), view("X."), 0), 0);
  assert.equal(replyDelay(view("X."), view("XO", { clock: {} }), 50), 0);
});
