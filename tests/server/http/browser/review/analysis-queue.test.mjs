import assert from "node:assert/strict";
import { test } from "node:test";

import { AnalysisQueue } from "#static/review/analysis-queue.js";

const POSITIONS = ["a", "b", "c"].map((position) => ({ position }));

/** Lets pending answers arrive. */
const settled = () => new Promise((done) => setImmediate(done));

/** A server with exact answers; returns the positions that it was asked for. */
function exactServer() {
  const asked = [];
  globalThis.fetch = async (path, { body }) => {
    asked.push(JSON.parse(body).position);
    return Response.json({ exact: true, moves: [], score: 0 });
  };
  return asked;
}

test("the position that is shown is analysed first, then the others", async () => {
  const asked = exactServer();
  new AnalysisQueue({ game: "classic" }, POSITIONS, () => {}).show(1);
  while (asked.length < 3) await settled();
  assert.deepEqual(asked, ["b", "a", "c"]);
});

test("a stopped queue asks for nothing, reports nothing and does not start again", async () => {
  const asked = exactServer();
  let reported = 0;
  const queue = new AnalysisQueue({ game: "classic" }, POSITIONS, () => reported++);
  queue.show(0);
  queue.stop();
  queue.show(1);
  for (let n = 0; n < 20; n++) await settled();
  queue.show(2);
  for (let n = 0; n < 20; n++) await settled();
  assert.deepEqual([asked, reported], [["a"], 0]);
});
