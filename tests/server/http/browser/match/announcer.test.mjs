import assert from "node:assert/strict";
import { test } from "node:test";

import { announcements, wasDeclined } from "#static/match/announcer.js";
import { NUMPAD, READING, claim, played, view } from "../../../../support/match_views.mjs";

test("a move is announced with its side, and then whose turn it is", () => {
  const after = view({ history: played("5"), asked: 2 });
  assert.deepEqual(announcements(view(), after, READING, [1]), ["X played centre.", "O to move."]);
  const back = view({ history: played("5", "1"), asked: 1 });
  assert.deepEqual(announcements(after, back, READING, [1]), ["O played top-left.", "Your turn."]);
});

test("if only one board can be played in, it is named", () => {
  const before = view({ board: { cells: [], owners: ["", ""], open: [0] } });
  const after = view({ history: played("77"), asked: 2, board: { cells: [], owners: ["X", ""], open: [5] } });
  assert.deepEqual(announcements(before, after, NUMPAD, [1]), [
    "X played top-left board, top-left cell.",
    "Top-left board, won by X.",
    "O to move, middle-right board.",
  ]);
});

test("the result is announced once", () => {
  const over = view({ status: "ended", asked: null, result: { sentence: "X wins.", why: { code: "" }, winner: "X", score: "1-0" } });
  assert.deepEqual(announcements(view(), over, READING, [1]), ["X wins."]);
  assert.deepEqual(announcements(over, over, READING, [1]), []);
});

test("a take-back and an offer are announced", () => {
  assert.deepEqual(announcements(view({ history: played("5", "1") }), view(), READING, [1]), [
    "2 moves were taken back.",
    "Your turn.",
  ]);
  const offered = view({ offer: { seat: 2, what: "draw" } });
  assert.deepEqual(announcements(view(), offered, READING, [1]), ["Computer (hard) offers a draw."]);
});

test("an offer that is gone was declined, unless it was accepted or a move was made", () => {
  const offered = view({ offer: { seat: 2, what: "draw" } });
  assert.ok(wasDeclined(offered, view()));
  assert.ok(!wasDeclined(offered, offered));
  assert.ok(!wasDeclined(offered, view({ result: {} })));
  assert.ok(!wasDeclined(offered, view({ history: [{}] })));
  assert.ok(!wasDeclined(view(), view()));
  assert.ok(!wasDeclined(null, view()));
});

test("a claim and the referee's verdict are announced", () => {
  const claimed = view({ claim: claim(null) });
  assert.deepEqual(announcements(view({ asked: 2 }), claimed, READING, [1]), [
    "O claims victory: top row.",
    "Answer the claim.",
  ]);
  const settled = view({ claim: claim("gap"), asked: 2 });
  assert.deepEqual(announcements(claimed, settled, READING, [1]), [
    "The referee: the claim is false. There is a gap in the middle of top-left, top-middle, top-right.",
    "O to move.",
  ]);
});

test("the answer to a claim is announced before the verdict", () => {
  const answers = {
    "Ann (X) disputed it: [0,2] is empty": { seat: 1, kind: "dispute", text: "[0,2] is empty" },
    "Ann (X) confirmed it.": { seat: 1, kind: "confirm", text: "" },
    "Computer (hard) (O) withdrew it.": { seat: 2, kind: "withdraw", text: "" },
  };
  for (const [sentence, answer] of Object.entries(answers)) {
    const sentences = announcements(view({ claim: claim(null) }), view({ claim: claim("gap", answer) }), READING, [1]);
    assert.deepEqual(sentences, [sentence, "The referee: the claim is false. There is a gap in the middle of top-left, top-middle, top-right."]);
  }
});
