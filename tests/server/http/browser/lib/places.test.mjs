import assert from "node:assert/strict";
import { test } from "node:test";

import { place } from "#static/lib/coordinates.js";
import { describePress } from "#static/lib/places.js";

const BOARDS = { kind: "boards", naming: { cells: [] } };
const GRID = { kind: "grid", naming: { cells: [] } };
const empty = (count) => ({ cells: new Array(count).fill(""), owners: [], last: [], lines: [] });
const move = (changes) => ({ move: 0, text: "", path: [0], cells: {}, boards: {}, opens: [], ends: false, ...changes });

test("a place is named by its row and column, the middle one the centre", () => {
  const places = Array.from({ length: 9 }, (_, cell) => place(cell));
  assert.deepEqual(places.slice(0, 5), ["top-left", "top-middle", "top-right", "middle-left", "centre"]);
  assert.deepEqual(places.slice(5), ["middle-right", "bottom-left", "bottom-middle", "bottom-right"]);
});

test("a press says where it is and where it sends", () => {
  assert.equal(
    describePress(BOARDS, empty(81), 13, [move({ opens: [4] })]),
    "Top-middle board, centre cell: sends to the centre board",
  );
  assert.equal(
    describePress(BOARDS, empty(81), 0, [move({ boards: { 0: "X" }, opens: [1, 2] })]),
    "Top-left board, top-left cell: wins the top-left board, sends to any of 2 boards",
  );
});

test("a press that only places a mark needs no words", () => {
  assert.equal(describePress(GRID, empty(9), 4, [move({})]), "");
});

test("a press says what can be taken", () => {
  const board = { ...empty(9), cells: ["O", ...new Array(8).fill("")] };
  assert.equal(describePress(GRID, board, 1, [move({ cells: { 0: "X", 1: "X" } })]), "Top-middle cell: can take top-left");
});
