import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { cellPlace, cellsOfMove, edgeLabels, linePlace, movePlace, moveWords, place } from "#static/lib/places.js";
import { saveSettings } from "#static/lib/settings.js";

const NUMPAD = { kind: "boards", naming: { cells: [..."789456123"] } };
const READING = { kind: "grid", naming: { cells: [..."123456789"] } };
const ROW_COLUMN = { kind: "grid", naming: { cells: [..."012"].flatMap((row) => [..."012"].map((column) => `[${row},${column}]`)) } };
globalThis.dispatchEvent ??= () => true;
afterEach(() => saveSettings({ labels: false }));

test("a place is named by its row and column, the middle one the centre", () => {
  const places = Array.from({ length: 9 }, (_, cell) => place(cell));
  assert.deepEqual(places.slice(0, 5), ["top-left", "top-middle", "top-right", "middle-left", "centre"]);
  assert.deepEqual(places.slice(5), ["middle-right", "bottom-left", "bottom-middle", "bottom-right"]);
});

test("a move has the same words whether it comes as text or as path", () => {
  for (const [layout, text, path, inList, inSentence] of [
    [READING, "5", [4], "centre", "centre"],
    [READING, "2x1", [1, 0], "top-middle takes top-left", "top-middle takes top-left"],
    [ROW_COLUMN, "[0,1]", [1], "top-middle", "top-middle"],
    [NUMPAD, "85", [1, 4], "top-middle/centre", "top-middle board, centre cell"],
  ])
    for (const move of [text, path]) {
      assert.equal(movePlace(layout, move), inList);
      assert.equal(moveWords(layout, move), inSentence);
    }
});

test("a move that names no cell stays as it is written", () => {
  for (const layout of [READING, ROW_COLUMN, NUMPAD])
    for (const name of [movePlace, moveWords]) {
      assert.equal(name(layout, "pass"), "pass");
      assert.equal(name(layout, []), "");
    }
});

test("three cells are a line if they lie on one", () => {
  const lines = { "0,1,2": "top row", "3,4,5": "middle row", "1,4,7": "middle column" };
  for (const [cells, words] of Object.entries(lines)) assert.equal(linePlace(READING, cells.split(",").map(Number)), words);
  assert.equal(linePlace(READING, [0, 4, 8]), "falling diagonal");
  assert.equal(linePlace(READING, [2, 4, 6]), "rising diagonal");
  assert.equal(linePlace(READING, [1, 2, 3]), "top-middle, top-right, middle-left");
  assert.equal(linePlace(READING, [2, 5, 8]), "right column");
  assert.equal(linePlace(READING, [1, 3, 5]), "top-middle, middle-left, middle-right");
});

test("a move lights the cells that it names", () => {
  assert.deepEqual(cellsOfMove(READING, "2x1"), [1, 0]);
  assert.deepEqual(cellsOfMove(NUMPAD, "85"), [13]);
});

test("with labels, cells are named by the edges and nothing else", () => {
  saveSettings({ labels: true });
  assert.equal(cellPlace(NUMPAD, 13), "e8");
  assert.equal(moveWords(NUMPAD, "85"), "e8");
  assert.equal(movePlace(READING, "2x1"), "b3 takes a3");
  assert.equal(cellPlace(READING, 0), "a3");
  assert.equal(cellPlace(ROW_COLUMN, 1), "[0,1]");
});

test("the edges are those of chess, or the game's own", () => {
  assert.deepEqual(edgeLabels(READING), { rows: ["3", "2", "1"], columns: ["a", "b", "c"] });
  assert.deepEqual(edgeLabels(NUMPAD).columns.at(-1), "i");
  assert.deepEqual(edgeLabels(ROW_COLUMN), { rows: ["0", "1", "2"], columns: ["0", "1", "2"] });
});
