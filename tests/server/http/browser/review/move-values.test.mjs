import assert from "node:assert/strict";
import { test } from "node:test";

import {
  bestFirst,
  describeValue,
  explainSigns,
  formatScore,
  valueClass,
  valueSign,
  valuesByCell,
} from "#static/review/move-values.js";

const exact = (path, value, plies) => ({
  text: "",
  path,
  value,
  score: { win: 1, draw: 0, loss: -1 }[value],
  proven: true,
  plies,
});
const guess = (path, score) => ({ text: "", path, value: null, score, proven: false, plies: null });
const analysis = (...moves) => ({ exact: true, turn: "X", depth: null, moves, score: 0 });

test("an exact value in words and as a sign", () => {
  assert.deepEqual([describeValue(exact([0], "win", 3)), valueSign(exact([0], "win", 3))], ["win in 3", "+3"]);
  assert.deepEqual([describeValue(exact([0], "draw", 5)), valueSign(exact([0], "draw", 5))], ["draw", "="]);
  assert.deepEqual([describeValue(exact([0], "loss", 2)), valueSign(exact([0], "loss", 2))], ["loss in 2", "−2"]);
});

test("an estimate in hundredths", () => {
  assert.deepEqual([formatScore(0.42), formatScore(-0.004), formatScore(-1)], ["+42", "0", "−100"]);
  assert.equal(describeValue(guess([0], 0.42)), "about +42");
  assert.deepEqual([guess([0], 0.4), guess([0], 0), guess([0], -0.4)].map(valueClass), ["win", "draw", "loss"]);
});

test("the signs that are there are explained", () => {
  const proven = "+3 wins in 3 moves, = draws, −4 loses in 4.";
  const estimated = "An estimate goes from −100, lost, to +100, won.";
  assert.equal(explainSigns(analysis(exact([0], "draw", 5))), proven);
  assert.equal(explainSigns(analysis(guess([0], 0.4))), estimated);
  assert.equal(explainSigns(analysis(exact([0], "win", 1), guess([1], 0.4))), `${proven} ${estimated}`);
  assert.equal(explainSigns(analysis()), "");
});

test("sooner wins and later losses come first", () => {
  const moves = [
    exact([0], "loss", 2),
    exact([1], "win", 5),
    exact([2], "loss", 6),
    exact([3], "win", 1),
    exact([4], "draw", 4),
  ];
  assert.deepEqual(
    bestFirst(moves).map(({ path }) => path[0]),
    [3, 1, 4, 2, 0],
  );
});

test("a cell shows the best move that begins on it, and the best of all is marked", () => {
  const shown = valuesByCell(analysis(exact([0], "loss", 2), exact([0, 1], "win", 3), exact([2], "draw", 5)), "grid");
  assert.deepEqual(shown.get(0), { sign: "+3", words: "win in 3", classes: "win best" });
  assert.deepEqual(shown.get(2)?.classes, "draw");
});

test("pointing at a cell shows what could follow on it", () => {
  const shown = valuesByCell(
    analysis(exact([0], "loss", 2), exact([0, 1], "win", 3), exact([2], "draw", 5)),
    "grid",
    0,
  );
  assert.deepEqual([...shown.keys()].sort(), [0, 1]);
  assert.equal(shown.get(0)?.words, "loss in 2");
});

test("in a board of boards every cell has its own value, and equal ones are not marked", () => {
  const shown = valuesByCell(analysis(guess([4, 0], 0.1), guess([4, 8], 0.1)), "boards");
  assert.deepEqual([...shown.keys()], [36, 44]);
  assert.equal(shown.get(36)?.classes, "win");
});
