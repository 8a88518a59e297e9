import assert from "node:assert/strict";
import { test } from "node:test";

import { duration, figuresOf, notesOf } from "../../../../../src/ninefold/server/http/static/match/report-table.js";

const agent = (more) => ({
  agent: "Ann",
  side: "X",
  points: 0.5,
  illegal_moves: 1,
  unreadable: 2,
  refused_claims: 10,
  false_claims: 3,
  missed_wins: 4,
  wrong_confirmations: 5,
  wrong_disputes: 6,
  judged: 8,
  mistakes: 7,
  milliseconds: 9000,
  ...more,
});

test("a line for every figure, with a value for each agent", () => {
  const { heads, lines } = figuresOf({ agents: [agent({}), agent({ agent: "Ben", side: "O", judged: 0 })] });
  assert.deepEqual(heads, ["Ann (X)", "Ben (O)"]);
  const first = ["0.5", "1", "2", "10", "3", "4", "5", "6", "7 of 8", "9.0 s"];
  assert.deepEqual(
    lines.map(({ values }) => values[0]),
    first,
  );
  assert.equal(lines.find(({ name }) => name === "Mistakes")?.values[1], "not known");
});

test("what has to be said about a report", () => {
  assert.deepEqual(notesOf({ judged_by: [], refusals_forgotten: 0 }), []);
  assert.equal(notesOf({ judged_by: ["exact values"], refusals_forgotten: 2 }).length, 2);
});

test("time as people say it", () => {
  assert.deepEqual([duration(1234), duration(59_400), duration(125_000)], ["1.2 s", "59.4 s", "2 min 5 s"]);
});
