import assert from "node:assert/strict";
import { test } from "node:test";

import { DEMO_GAMES } from "#static/lobby/demo-games.js";

for (const [game, { moves, lines }] of Object.entries(DEMO_GAMES)) {
  test(`the demo game of ${game} puts one mark a move on a free cell`, () => {
    const cells = new Map();
    for (const move of moves) {
      const placed = Object.keys(move.cells).filter((cell) => !cells.has(cell));
      assert.equal(placed.length, 1);
      for (const [cell, mark] of Object.entries(move.cells)) cells.set(cell, mark);
    }
    for (const line of lines) assert.equal(line.length, 3);
  });
}
