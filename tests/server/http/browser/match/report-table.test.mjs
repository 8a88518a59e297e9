import assert from "node:assert/strict";
import { test } from "node:test";

import { formatDuration, reportNotes, reportTable } from "#static/match/report-table.js";

const seat = (more) => ({
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

test("a row for every statistic, with a value for each player", () => {
  const agents = [seat({}), seat({ agent: "Ben", side: "O", judged: 0 })];
  const { columns, rows } = reportTable({ agents }, true);
  assert.deepEqual(columns, ["Ann (X)", "Ben (O)"]);
  const first = ["0.5", "1", "2", "10", "3", "4", "5", "6", "7 of 8", "9.0 s"];
  assert.deepEqual(
    rows.map(({ values }) => values[0]),
    first,
  );
  assert.equal(rows.find(({ name }) => name === "Mistakes")?.values[1], "not known");
});

test("the notes under a report", () => {
  assert.deepEqual(reportNotes({ judges: [], refusals_forgotten: 0 }), []);
  assert.equal(reportNotes({ judges: [{ text: "exact values" }], refusals_forgotten: 2 }).length, 2);
});

test("a duration in short form", () => {
  assert.deepEqual(
    [formatDuration(1234), formatDuration(59_400), formatDuration(125_000)],
    ["1.2 s", "59.4 s", "2 min 5 s"],
  );
});

test("there are no rows about claims in a game without claims", () => {
  const names = reportTable({ agents: [seat({})] }, false).rows.map(({ name }) => name);
  assert.deepEqual(names, ["Points", "Illegal moves tried", "Unreadable answers", "Missed wins", "Mistakes", "Time used"]);
});
