import assert from "node:assert/strict";
import { test } from "node:test";

import {
  choices,
  chosenMark,
  movesByCell,
  pressCell,
  previewPress,
  skipForcedChoices,
  typeDigits,
  unverifiedMoves,
} from "#static/lib/move-paths.js";

const NUMPAD = { kind: "boards", naming: { cells: [..."789456123"] } };
const READING = { kind: "grid", naming: { cells: [..."123456789"] } };
const ROW_COLUMN = {
  kind: "grid",
  naming: { cells: [0, 1, 2].flatMap((row) => [0, 1, 2].map((column) => `[${row},${column}]`)) },
};

/** A legal move as the server sends it. */
function move(path, effects = {}) {
  return { move: 0, text: path.join(), path, cells: {}, boards: {}, opens: [], ends: false, ...effects };
}

const squared = [
  move([0, 1], { cells: { 1: "X" }, opens: [1] }),
  move([0, 4], { cells: { 4: "X" }, opens: [4] }),
  move([8, 0]),
];
const swapNine = [
  move([1], { cells: { 1: "X" } }),
  move([1, 4], { cells: { 1: "X", 4: "X" } }),
  move([2], { cells: { 2: "X" } }),
];

test("the choices after a prefix are ascending, and say whether the prefix is a move", () => {
  assert.deepEqual(choices(squared).next, [0, 8]);
  assert.deepEqual(choices(squared, [0]).next, [1, 4]);
  assert.equal(choices(squared, [0]).move, null);
  assert.deepEqual(choices(swapNine, [1]), { next: [4], move: swapNine[0] });
});

test("pressing a cell of a board of boards chooses board and cell at once", () => {
  assert.deepEqual(pressCell(squared, "boards", [], 4), { play: squared[1] });
  assert.deepEqual(pressCell(squared, "boards", [0], 72), { play: squared[2] });
  assert.equal(pressCell(squared, "boards", [], 40), null);
});

test("a cell from which nothing can be taken is played at once", () => {
  assert.deepEqual(pressCell(swapNine, "grid", [], 2), { play: swapNine[2] });
});

test("a cell from which something can be taken leads on", () => {
  assert.deepEqual(pressCell(swapNine, "grid", [], 1), { prefix: [1] });
  assert.deepEqual(pressCell(swapNine, "grid", [1], 4), { play: swapNine[1] });
});

test("the same cell again declines", () => {
  assert.deepEqual(pressCell(swapNine, "grid", [1], 1), { play: swapNine[0] });
});

test("another free cell starts the move over", () => {
  assert.deepEqual(pressCell(swapNine, "grid", [1], 2), { play: swapNine[2] });
  assert.equal(pressCell(swapNine, "grid", [1], 8), null);
});

test("a choice with one answer is skipped, unless it is a move", () => {
  assert.deepEqual(skipForcedChoices([move([3, 0]), move([3, 5])]), [3]);
  assert.deepEqual(skipForcedChoices(squared), []);
  assert.deepEqual(skipForcedChoices([move([6])]), []);
  assert.deepEqual(skipForcedChoices([move([6]), move([6, 7])]), []);
});

test("digits pick a board and then a cell, as on the numpad", () => {
  assert.deepEqual(typeDigits(squared, NUMPAD, [], "7"), { step: { prefix: [0] }, digits: "" });
  assert.deepEqual(typeDigits(squared, NUMPAD, [0], "5"), { step: { play: squared[1] }, digits: "" });
  assert.deepEqual(typeDigits(squared, NUMPAD, [], "5"), { step: null, digits: "" });
});

test("where one board can be played, a digit is a cell", () => {
  const sent = [move([3, 0]), move([3, 5])];
  assert.deepEqual(typeDigits(sent, NUMPAD, [], "6"), { step: { play: sent[1] }, digits: "" });
});

test("a name of two digits waits for the second", () => {
  const moves = [move([4]), move([8])];
  assert.deepEqual(typeDigits(moves, ROW_COLUMN, [], "1"), { step: null, digits: "1" });
  assert.deepEqual(typeDigits(moves, ROW_COLUMN, [], "11"), { step: { play: moves[0] }, digits: "" });
  assert.deepEqual(typeDigits(moves, ROW_COLUMN, [], "12"), { step: null, digits: "" });
});

test("a digit takes a marker, or is the cell itself", () => {
  assert.deepEqual(typeDigits(swapNine, READING, [], "2").step, { prefix: [1] });
  assert.deepEqual(typeDigits(swapNine, READING, [1], "5").step, { play: swapNine[1] });
});

test("the effects of a press are previewed", () => {
  assert.deepEqual(previewPress(squared, "boards", [], 4)?.opens, [4]);
  assert.deepEqual(previewPress(swapNine, "grid", [], 1), { cells: { 1: "X" }, boards: {}, opens: [], options: [4] });
  assert.deepEqual(previewPress(swapNine, "grid", [1], 4)?.cells, { 1: "X", 4: "X" });
  assert.equal(previewPress(swapNine, "grid", [], 8), null);
});

test("a mark that was chosen is seen until the move is complete, and a board that was chosen is not", () => {
  assert.deepEqual(chosenMark(swapNine, "grid", [1]), { 1: "X" });
  assert.deepEqual(chosenMark(swapNine, "grid", []), {});
  assert.deepEqual(chosenMark(squared, "boards", [0]), {});
});

test("moves are found by the cell they begin on", () => {
  assert.deepEqual([...movesByCell(squared, "boards").keys()], [1, 4, 72]);
  assert.equal(movesByCell(swapNine, "grid").get(1)?.length, 2);
});

test("the number of the cell just chosen, once more, takes nothing", () => {
  assert.deepEqual(typeDigits(swapNine, READING, [1], "2").step, { play: swapNine[0] });
});

test("if the legal moves are not shown, every move can be tried and none has a preview", () => {
  const moves = unverifiedMoves([[0], [1], [0, 1], [1, 0]]);
  assert.deepEqual(pressCell(moves, "grid", [], 0), { prefix: [0] });
  assert.deepEqual(pressCell(moves, "grid", [0], 0), { play: moves[0] });
  assert.deepEqual(pressCell(moves, "grid", [0], 1), { play: moves[2] });
  assert.deepEqual(previewPress(moves, "grid", [0], 1), { cells: {}, boards: {}, opens: [], options: [] });
});
