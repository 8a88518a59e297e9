import assert from "node:assert/strict";
import { test } from "node:test";

import { describeMistake, findMistake, firstMistake, mistakesOf } from "#static/review/mistakes.js";

const analysis = (scores) => ({
  exact: true,
  turn: "X",
  depth: null,
  score: 0,
  moves: Object.entries(scores).map(([text, score]) => ({ text, path: [], value: null, score, proven: true, plies: null })),
});
const game = (...moves) => [null, ...moves].map((move) => ({ position: "", board: {}, turn: "X", move, side: "X" }));

test("a mistake is named by what it costs", () => {
  const before = analysis({ a: 1, b: 0.9, c: 0.8, d: 0.5, e: -1 });
  const kinds = ["a", "b", "c", "d", "e"].map((move) => findMistake(before, move)?.kind ?? null);
  assert.deepEqual(kinds, [null, null, "inaccuracy", "mistake", "blunder"]);
  assert.equal(describeMistake(findMistake(before, "e")), "blunder, costs 200");
});

test("what is not known is no mistake", () => {
  assert.equal(findMistake(null, "a"), null);
  assert.equal(findMistake(analysis({ a: 1 }), "b"), null);
});

test("the first mistake is known when everything before it is", () => {
  const positions = game("b", "a", "b", "b");
  const results = [analysis({ a: 0.2, b: 0 }), null, analysis({ a: 1, b: 0 }), analysis({ a: 1, b: -1 }), null];
  assert.equal(firstMistake(results, positions), undefined);
  assert.equal(
    firstMistake(results, positions, (ply) => ply === 1),
    3,
  );
  results[1] = analysis({ a: 0 });
  assert.equal(firstMistake(results, positions), 3);
  assert.deepEqual([...mistakesOf(results, positions).keys()], [1, 3, 4]);
  assert.equal(firstMistake([analysis({ a: 0 }), null], game("a")), null);
});
