import assert from "node:assert/strict";
import { test } from "node:test";

import { seatName } from "#static/lib/match-view.js";
import { view } from "../../../../support/match_views.mjs";

test("a player is called by name, level or seat number", () => {
  const [ann, computer] = view().seats;
  assert.deepEqual([ann, computer, { ...ann, name: "" }, { ...ann, name: "", player: "open" }].map(seatName), [
    "Ann",
    "Computer (hard)",
    "Player 1",
    "Open seat",
  ]);
});
