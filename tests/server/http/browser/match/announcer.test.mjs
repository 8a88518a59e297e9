import assert from "node:assert/strict";
import { test } from "node:test";

import { deeds, seatFor, statusOf, verdictFor } from "../../../../../src/ninefold/server/http/static/match/match-status.js";
import { declined, nameOfSeat, tell } from "../../../../../src/ninefold/server/http/static/match/announcer.js";

const READING = { kind: "grid", naming: { cells: [..."123456789"] } };
const NUMPAD = { kind: "boards", naming: { cells: [..."789456123"] } };
const GAME = { id: "classic", layout: READING, steps: ["{player}, choose a cell ({choices}): "] };

/** A view of a match between Ann (X, seat 1) and the computer (O, seat 2). */
function view(news = {}) {
  return {
    status: "live",
    version: 0,
    options: {},
    seats: [
      { seat: 1, side: "X", name: "Ann", player: "person", level: null, present: true },
      { seat: 2, side: "O", name: "", player: "computer", level: "hard", present: true },
    ],
    asked: 1,
    board: { cells: new Array(9).fill("") },
    moves: [{ path: [4] }],
    history: [],
    result: null,
    claim: null,
    barred: [],
    offer: null,
    ...news,
  };
}
const played = (...texts) => texts.map((text, ply) => ({ side: ply % 2 ? "O" : "X", text, path: [] }));
const claim = (verdict, answer = null) => ({ side: "O", cells: [0, 1, 2], answer, verdict, lines: [] });

test("a move is told with who made it, and whose turn it is then", () => {
  const after = view({ history: played("5"), asked: 2 });
  assert.deepEqual(tell(view(), after, READING, [1]), ["X played 5.", "O to move."]);
  const back = view({ history: played("5", "1"), asked: 1 });
  assert.deepEqual(tell(after, back, READING, [1]), ["O played 1.", "Your turn."]);
});

test("where there is one board to play in, it is named", () => {
  const before = view({ board: { cells: [], owners: ["", ""], open: [0] } });
  const after = view({ history: played("77"), asked: 2, board: { cells: [], owners: ["X", ""], open: [5] } });
  assert.deepEqual(tell(before, after, NUMPAD, [1]), ["X played 77.", "Board 7, won by X.", "O to move, board 6."]);
});

test("the result is told once", () => {
  const over = view({ status: "ended", asked: null, result: { sentence: "X wins.", winner: "X", score: "1-0" } });
  assert.deepEqual(tell(view(), over, READING, [1]), ["X wins."]);
  assert.deepEqual(tell(over, over, READING, [1]), []);
});

test("a take-back, an offer and its end are told", () => {
  assert.deepEqual(tell(view({ history: played("5", "1") }), view(), READING, [1]), [
    "2 moves were taken back.",
    "Your turn.",
  ]);
  const offered = view({ offer: { seat: 2, what: "draw" } });
  assert.deepEqual(tell(view(), offered, READING, [1]), ["Computer (hard) offers a draw."]);
});

test("an offer that is gone was declined, unless it was accepted or a move was made", () => {
  const offered = view({ offer: { seat: 2, what: "draw" } });
  assert.ok(declined(offered, view()));
  assert.ok(!declined(offered, offered));
  assert.ok(!declined(offered, view({ result: {} })));
  assert.ok(!declined(offered, view({ history: [{}] })));
  assert.ok(!declined(view(), view()));
  assert.ok(!declined(null, view()));
});

test("a claim and the referee's verdict are told", () => {
  const claimed = view({ claim: claim(null) });
  assert.deepEqual(tell(view({ asked: 2 }), claimed, READING, [1]), [
    "O claims victory with 1 2 3.",
    "Answer the claim.",
  ]);
  const settled = view({ claim: claim("gap"), asked: 2 });
  assert.deepEqual(tell(claimed, settled, READING, [1]), [
    "The claim of O is false: there is a gap in the middle.",
    "O to move.",
  ]);
});

test("what a claim was answered is told before the verdict", () => {
  const answers = {
    "Ann (X) disputed it: [0,2] is empty": { seat: 1, kind: "dispute", text: "[0,2] is empty" },
    "Ann (X) confirmed it.": { seat: 1, kind: "confirm", text: "" },
    "Computer (hard) (O) withdrew it.": { seat: 2, kind: "withdraw", text: "" },
  };
  for (const [sentence, answer] of Object.entries(answers)) {
    const told = tell(view({ claim: claim(null) }), view({ claim: claim("gap", answer) }), READING, [1]);
    assert.deepEqual(told, [sentence, "The claim of O is false: there is a gap in the middle."]);
  }
});

test("a seat is called by its name, its level or its number", () => {
  const [ann, computer] = view().seats;
  assert.deepEqual([ann, computer, { ...ann, name: "" }, { ...ann, name: "", player: "open" }].map(nameOfSeat), [
    "Ann",
    "Computer (hard)",
    "Player 1",
    "Open seat",
  ]);
});

test("the status asks the game's own question of whoever has to answer it", () => {
  assert.equal(statusOf(view(), GAME, [1], []), "Your turn: choose a cell.");
  assert.equal(statusOf(view(), GAME, [1, 2], []), "X to move: choose a cell.");
  assert.equal(statusOf(view({ asked: 2 }), GAME, [1], []), "Computer (hard) is thinking …");
  assert.equal(statusOf(view(), GAME, [], []), "Ann (X) to move.");
  assert.equal(statusOf(view({ status: "open" }), GAME, [1], []), "Waiting for the other player.");
  assert.equal(statusOf(view(), GAME, [1], null), "Sending the move …");
});

test("a result is yours, when you play one side", () => {
  const over = view({ result: { sentence: "", winner: "X", score: "1-0" } });
  assert.equal(verdictFor(over, [1]), "You won");
  assert.equal(verdictFor(over, [2]), "You lost");
  assert.equal(verdictFor(over, [1, 2]), "X wins");
  assert.equal(verdictFor(view({ result: { winner: null, score: "*" } }), [1]), "No winner");
});

test("what can be done depends on what goes on", () => {
  assert.deepEqual(deeds(view(), [1], null), ["resign", "leave", "carry", "share"]);
  assert.deepEqual(deeds(view({ history: played("5") }), [1], null).slice(0, 2), ["take_back", "draw"]);
  assert.deepEqual(deeds(view({ options: { claims: "yes" } }), [1], null)[0], "claim");
  assert.deepEqual(deeds(view({ options: { claims: "yes" }, barred: ["X"] }), [1], null)[0], "claim");
  assert.ok(!deeds(view({ options: { claims: "yes" }, barred: ["X"], asked: 2 }), [1], null).includes("claim"));
  assert.ok(!deeds(view({ options: { claims: "yes" }, claim: claim(null) }), [1], null).includes("claim"));
  assert.deepEqual(deeds(view(), [], null), ["share"]);
});

test("a private match is shared by those who have its secret alone", () => {
  const hidden = view({ private: true });
  assert.ok(!deeds(hidden, [1], null).includes("share"));
  assert.ok(deeds(hidden, [1], "secret").includes("share"));
  assert.deepEqual(deeds(hidden, [], null), []);
});

test("after a game there is the rematch, for those who watched it too", () => {
  const over = { result: { winner: "X" } };
  assert.deepEqual(deeds(view(over), [1], null), ["rematch", "review"]);
  assert.deepEqual(deeds(view({ ...over, rematch: "b" }), [1], null), ["go_rematch", "review"]);
  assert.deepEqual(deeds(view(over), [], null), ["review"]);
  assert.deepEqual(deeds(view({ ...over, rematch: "b" }), [], null), ["watch_rematch", "review"]);
});

test("at one screen each act belongs to the seat that may do it", () => {
  assert.equal(seatFor(view(), [1], "withdraw"), 1);
  assert.equal(seatFor(view(), [1, 2], "move"), 1);
  assert.equal(seatFor(view(), [1, 2], "withdraw"), 2);
  assert.equal(seatFor(view({ offer: { seat: 1, what: "draw" } }), [1, 2], "accept"), 2);
});
