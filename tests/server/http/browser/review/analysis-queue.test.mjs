import assert from "node:assert/strict";
import { test } from "node:test";

import { Analyst } from "../../../../../src/ninefold/server/http/static/review/analysis-queue.js";

const POSITIONS = ["a", "b", "c"].map((position) => ({ position }));

/** Let whatever was asked be answered. */
const settled = () => new Promise((done) => setImmediate(done));

/** A server that answers exactly; tells which positions it was asked for. */
function answering() {
  const asked = [];
  globalThis.fetch = async (path, { body }) => {
    asked.push(JSON.parse(body).position);
    return Response.json({ exact: true, moves: [], score: 0 });
  };
  return asked;
}

test("the position that is looked at is asked for first, then the others", async () => {
  const asked = answering();
  new Analyst("classic", POSITIONS, () => {}).look(1);
  while (asked.length < 3) await settled();
  assert.deepEqual(asked, ["b", "a", "c"]);
});

test("once stopped it asks for nothing, tells nothing and does not come back", async () => {
  const asked = answering();
  let told = 0;
  const analyst = new Analyst("classic", POSITIONS, () => told++);
  analyst.look(0);
  analyst.stop();
  analyst.look(1);
  for (let n = 0; n < 20; n++) await settled();
  analyst.look(2);
  for (let n = 0; n < 20; n++) await settled();
  assert.deepEqual([asked, told], [["a"], 0]);
});
