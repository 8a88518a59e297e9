import assert from "node:assert/strict";
import { test } from "node:test";

import { boardLabel, cellLabel, describePress, question } from "#static/lib/labels.js";
import { cellAfterKey, cellAt, pathTo } from "#static/lib/coordinates.js";

const NUMPAD = { kind: "boards", naming: { cells: [..."789456123"] } };
const READING = { kind: "grid", naming: { cells: [..."123456789"] } };
const empty = (count) => ({
  cells: new Array(count).fill(""),
  owners: new Array(9).fill(""),
  open: [0],
  last: [],
  lines: [],
});
const move = (path, effects = {}) => ({
  move: 0,
  text: "",
  path,
  cells: {},
  boards: {},
  opens: [],
  ends: false,
  ...effects,
});

test("a cell of a board of boards is named by two places", () => {
  assert.equal(cellLabel(NUMPAD, empty(81), 8, []), "top-left board, bottom-right cell, empty");
});

test("a playable cell says where it sends", () => {
  const moves = [move([0, 8], { cells: { 8: "X" }, opens: [8] })];
  assert.equal(
    cellLabel(NUMPAD, empty(81), 8, moves),
    "top-left board, bottom-right cell, empty, playable, sends to the bottom-right board",
  );
});

test("a move that decides a board or the game says so", () => {
  const wins = [move([0, 8], { boards: { 0: "X" }, opens: [1, 2] })];
  assert.match(cellLabel(NUMPAD, empty(81), 8, wins), /wins the top-left board, sends to any of 2 boards$/);
  assert.match(
    cellLabel(NUMPAD, empty(81), 8, [move([0, 8], { boards: { 0: "XO" }, ends: true })]),
    /draws the top-left board, ends the game$/,
  );
});

test("a free cell says which markers could be taken from it", () => {
  const board = { ...empty(9), cells: ["", "O", "", "", "", "", "", "", ""], last: [1] };
  const moves = [move([0], { cells: { 0: "X" } }), move([0, 1], { cells: { 0: "X", 1: "X" } })];
  assert.equal(cellLabel(READING, board, 0, moves), "top-left cell, empty, playable, can take top-middle");
  assert.equal(cellLabel(READING, board, 1, []), "top-middle cell, O, last move");
});

test("a board says who owns it and whether it can be played", () => {
  const board = { ...empty(81), owners: ["", "X", "=", "XO", "", "", "", "", ""], open: [0] };
  assert.equal(boardLabel(board, 0), "top-left board, playable");
  assert.equal(boardLabel(board, 1), "top-middle board, won by X");
  assert.equal(boardLabel(board, 2), "top-right board, drawn, counts for nobody");
  assert.equal(boardLabel(board, 3), "middle-left board, drawn, counts for both");
});

test("a press says where it is and where it sends", () => {
  assert.equal(
    describePress(NUMPAD, empty(81), 13, [move([1, 4], { opens: [4] })]),
    "Top-middle board, centre cell: sends to the centre board",
  );
  assert.equal(describePress(READING, empty(9), 4, [move([4])]), "");
});

test("the game asks its own question for every choice", () => {
  const game = { press_steps: ["choose a cell in any open board", "choose a cell in board {chosen}"], layout: NUMPAD, paths: [[0], [1]] };
  assert.equal(question(game, [], [{}]), "choose a cell in any open board");
  assert.equal(question(game, [], [{}, {}]), "choose any cell");
  assert.equal(question(game, [5]), "choose a cell in the middle-right board");
  assert.equal(question({ ...game, press_steps: [] }, []), "");
});

test("arrow keys move over the whole board", () => {
  assert.equal(cellAfterKey("boards", 2, "ArrowRight"), 9);
  assert.equal(cellAfterKey("boards", 6, "ArrowDown"), 27);
  assert.equal(cellAfterKey("boards", 0, "ArrowLeft"), 0);
  assert.equal(cellAfterKey("boards", 0, "End"), 20);
  assert.equal(cellAfterKey("grid", 4, "ArrowUp"), 1);
  assert.equal(cellAfterKey("grid", 8, "Home"), 6);
});

test("paths and cells convert into each other", () => {
  for (let cell = 0; cell < 81; cell++) assert.equal(cellAt("boards", pathTo("boards", cell)), cell);
  assert.equal(cellAt("boards", [3]), null);
  assert.equal(cellAt("grid", [3, 4]), 4);
});
