import assert from "node:assert/strict";
import { test } from "node:test";

import { boardLabel, cellLabel, question } from "#static/lib/labels.js";
import { cellAfterKey, cellAt, describeCell, pathTo } from "#static/lib/coordinates.js";

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

test("a cell of a board of boards is named as on the numpad", () => {
  assert.equal(describeCell(NUMPAD, 8), "board 7, cell 3");
  assert.equal(cellLabel(NUMPAD, empty(81), 8, []), "board 7, cell 3, empty");
});

test("a playable cell says where it sends", () => {
  const moves = [move([0, 8], { cells: { 8: "X" }, opens: [8] })];
  assert.equal(cellLabel(NUMPAD, empty(81), 8, moves), "board 7, cell 3, empty, playable, sends to board 3");
});

test("a move that decides a board or the game says so", () => {
  const wins = [move([0, 8], { boards: { 0: "X" }, opens: [1, 2] })];
  assert.match(cellLabel(NUMPAD, empty(81), 8, wins), /wins board 7, sends to any of the boards 8 9$/);
  assert.match(
    cellLabel(NUMPAD, empty(81), 8, [move([0, 8], { boards: { 0: "XO" }, ends: true })]),
    /draws board 7, ends the game$/,
  );
});

test("a free cell says which markers could be taken from it", () => {
  const board = { ...empty(9), cells: ["", "O", "", "", "", "", "", "", ""], last: [1] };
  const moves = [move([0], { cells: { 0: "X" } }), move([0, 1], { cells: { 0: "X", 1: "X" } })];
  assert.equal(cellLabel(READING, board, 0, moves), "cell 1, empty, playable, can take 2");
  assert.equal(cellLabel(READING, board, 1, []), "cell 2, O, last move");
});

test("a board says who owns it and whether it can be played", () => {
  const board = { ...empty(81), owners: ["", "X", "=", "XO", "", "", "", "", ""], open: [0] };
  assert.equal(boardLabel(NUMPAD, board, 0), "board 7, playable");
  assert.equal(boardLabel(NUMPAD, board, 1), "board 8, won by X");
  assert.equal(boardLabel(NUMPAD, board, 2), "board 9, drawn, counts for nobody");
  assert.equal(boardLabel(NUMPAD, board, 3), "board 4, drawn, counts for both");
});

test("the game asks its own question for every choice", () => {
  const game = { press_steps: ["choose a board", "choose a cell in board {chosen}"], layout: NUMPAD };
  assert.equal(question(game, []), "choose a board");
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
