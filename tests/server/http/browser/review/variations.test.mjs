import assert from "node:assert/strict";
import { test } from "node:test";

import { positionText } from "#static/review/position-text.js";
import { VariationTree } from "#static/review/variations.js";

const position = (move) => ({ position: "", board: {}, turn: "X", move, side: "X" });

test("variations branch off from the game and from each other", () => {
  const tree = new VariationTree([null, "1", "2", "3"].map(position));
  const five = tree.add(1, position("5"));
  const six = tree.add(five, position("6"));
  const seven = tree.add(five, position("7"));
  assert.deepEqual(tree.children(1), [2, five]);
  assert.deepEqual([tree.find(1, "2"), tree.find(1, "5"), tree.find(1, "9")], [2, five, null]);
  assert.deepEqual([tree.plyOf(seven), tree.plyOf(3), tree.isVariation(3)], [1, 3, false]);
  assert.deepEqual(tree.branches(), [
    [five, six],
    [five, seven],
  ]);
  assert.deepEqual(tree.children(0), [1]);
});

test("the text of a position says who started", () => {
  assert.equal(positionText("grid", ["X", "", "", "", "", "", "", "", ""], "O", "*"), "X........ O first=X");
  assert.equal(positionText("grid", Array(9).fill(""), "O", "*"), "......... O first=O");
  assert.equal(positionText("boards", Array(81).fill(""), "X", "5"), `${".".repeat(81)} X 5 first=X`);
});
