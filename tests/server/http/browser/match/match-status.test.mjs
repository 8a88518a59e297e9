import assert from "node:assert/strict";
import { test } from "node:test";

import {
  actingSeat,
  availableActions,
  describeOffer,
  describeResult,
  describeStatus,
  shortResult,
} from "#static/match/match-status.js";
import { GAME, claim, played, view } from "../../../../support/match_views.mjs";

test("the status asks the game's question of the player whose turn it is", () => {
  assert.equal(describeStatus(view(), GAME, [1], []), "Your turn: choose a cell.");
  assert.equal(describeStatus(view(), GAME, [1, 2], []), "X to move: choose a cell.");
  assert.equal(describeStatus(view({ asked: 2 }), GAME, [1], []), "Computer (hard) is thinking …");
  assert.equal(describeStatus(view(), GAME, [], []), "Ann (X) to move.");
  assert.equal(describeStatus(view({ status: "open" }), GAME, [1], []), "Waiting for the other player.");
  assert.equal(describeStatus(view(), GAME, [1], null), "Sending the move …");
});

test('the result is "You won" or "You lost" for a player of one side', () => {
  const over = view({ result: { sentence: "", winner: "X", score: "1-0" } });
  assert.equal(shortResult(over, [1]), "You won");
  assert.equal(shortResult(over, [2]), "You lost");
  assert.equal(shortResult(over, [1, 2]), "X wins");
  assert.equal(shortResult(view({ result: { winner: null, score: "*" } }), [1]), "No winner");
});

test("a result is shown once: as that of the player, or with its reason", () => {
  const won = view({ result: { sentence: "X wins: O resigned.", why: { text: "O resigned", params: {} }, winner: "X" } });
  assert.deepEqual(describeResult(won, [1]), { headline: "You won. ", rest: "X wins: O resigned." });
  assert.deepEqual(describeResult(won, []), { headline: "X wins", rest: ": O resigned." });
  const drawn = view({ result: { sentence: "A draw: agreed.", why: { text: "agreed", params: {} }, winner: null } });
  assert.deepEqual(describeResult(drawn, [1]), { headline: "A draw", rest: ": agreed." });
  assert.deepEqual(describeResult(view(), [1]), { headline: "", rest: "" });
});

test("a result names no cells of its lines, which are drawn", () => {
  const why = { code: "outcome.lines", text: "three in a row (1 2 3)", params: { why: "three in a row", lines: "1 2 3" } };
  const won = view({ result: { sentence: "X wins: three in a row (1 2 3).", why, winner: "X" } });
  assert.equal(describeResult(won, [1]).rest, "X wins: three in a row.");
  assert.equal(describeResult(won, []).rest, ": three in a row.");
});

test("the actions depend on the state of the match", () => {
  assert.deepEqual(availableActions(view(), [1], null), ["hint", "resign", "leave", "handover", "share"]);
  assert.deepEqual(availableActions(view({ history: played("5") }), [1], null).slice(0, 2), ["take_back", "draw"]);
  assert.deepEqual(availableActions(view({ options: { claims: "yes" } }), [1], null)[0], "claim");
  assert.deepEqual(availableActions(view({ options: { claims: "yes" }, barred: ["X"] }), [1], null)[0], "claim");
  assert.ok(
    !availableActions(view({ options: { claims: "yes" }, barred: ["X"], asked: 2 }), [1], null).includes("claim"),
  );
  assert.ok(!availableActions(view({ options: { claims: "yes" }, claim: claim(null) }), [1], null).includes("claim"));
  assert.deepEqual(availableActions(view(), [], null), ["share"]);
});

test("hints are for those who play against the computer and are to move", () => {
  assert.ok(!availableActions(view({ asked: 2 }), [1], null).includes("hint"));
  assert.ok(!availableActions(view(), [1, 2], null).includes("hint"));
  const people = view().seats.map((seat) => ({ ...seat, player: "human" }));
  assert.ok(!availableActions(view({ seats: people }), [1], null).includes("hint"));
});

test("a private match can be shared only with its secret", () => {
  const hidden = view({ private: true });
  assert.ok(!availableActions(hidden, [1], null).includes("share"));
  assert.ok(availableActions(hidden, [1], "secret").includes("share"));
  assert.deepEqual(availableActions(hidden, [], null), []);
});

test("after a match there is the rematch, for spectators too", () => {
  const over = { result: { winner: "X" } };
  assert.deepEqual(availableActions(view(over), [1], null), ["rematch", "review"]);
  assert.deepEqual(availableActions(view({ ...over, rematch: "b" }), [1], null), ["open_rematch", "review"]);
  assert.deepEqual(availableActions(view({ ...over, rematch: "b" }), [1], null, "offered"), ["review"]);
  assert.deepEqual(availableActions(view({ ...over, rematch: "b" }), [1], null, "declined"), ["rematch", "review"]);
  assert.deepEqual(availableActions(view(over), [], null), ["review"]);
  assert.deepEqual(availableActions(view({ ...over, rematch: "b" }), [], null), ["watch_rematch", "review"]);
});

test("on one screen each action is done by the seat that may do it", () => {
  assert.equal(actingSeat(view(), [1], "withdraw"), 1);
  assert.equal(actingSeat(view(), [1, 2], "move"), 1);
  assert.equal(actingSeat(view(), [1, 2], "withdraw"), 2);
  assert.equal(actingSeat(view({ offer: { seat: 1, what: "draw" } }), [1, 2], "accept"), 2);
});

test("an offer is described for the player who made it and for others", () => {
  const offer = (what) => ({ seat: 1, what });
  assert.equal(describeOffer(view(), offer("draw"), [1]), "You offered a draw.");
  assert.equal(describeOffer(view(), offer("draw"), [2]), "Ann offers a draw.");
  assert.equal(describeOffer(view(), offer("take_back"), []), "Ann asks to take back a move.");
});
