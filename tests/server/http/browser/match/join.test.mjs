import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const stored = new Map();
globalThis.localStorage = {
  get length() {
    return stored.size;
  },
  key: (n) => [...stored.keys()][n] ?? null,
  getItem: (key) => stored.get(key) ?? null,
  setItem: (key, value) => void stored.set(key, value),
  removeItem: (key) => void stored.delete(key),
};
const { take } = await import("../../../../../src/ninefold/server/http/static/match/join.js");
const { keep, kept } = await import("../../../../../src/ninefold/server/http/static/lib/match-storage.js");

/** Answer one join after the other with a status, or break it (0); what was asked is told. */
function answering(context, ...statuses) {
  context.mock.method(globalThis, "setTimeout", setImmediate);
  const asked = [];
  globalThis.fetch = async (path, { body }) => {
    asked.push({ path, body: JSON.parse(body), kept: kept("m").joining });
    const status = statuses.shift();
    if (!status) throw new TypeError("network");
    const answer = status === 200 ? { seat: 2, side: "O", token: "t" } : { status, detail: "No." };
    return Response.json(answer, { status });
  };
  return asked;
}

beforeEach(() => stored.clear());

test("a wish is kept before it is sent, and sent again until it is answered", async (context) => {
  const asked = answering(context, 0, 503, 502, 429, 200);
  const troubles = [];
  assert.equal(
    await take("m", { invitation: "secret", name: "Ann" }, (problem) => troubles.push(problem.status)),
    true,
  );
  assert.deepEqual(troubles, [0, 503, 502, 429]);
  assert.equal(new Set(asked.map(({ body }) => body.request)).size, 1);
  for (const { path, body, kept: known } of asked) {
    assert.equal(path, "/api/v1/matches/m/join");
    assert.deepEqual(known, body);
  }
  assert.deepEqual({ ...asked[0].body, request: "" }, { invitation: "secret", name: "Ann", request: "" });
  assert.deepEqual([kept("m").seats, kept("m").joining], [{ 2: "t" }, null]);
});

test("after a reload the same wish has the same request, and another wish has another", async (context) => {
  const asked = answering(context, ...new Array(6).fill(200));
  for (const wish of [{ invitation: "secret" }, { code: "secret" }, {}]) {
    for (const next of [wish, { invitation: "another" }]) {
      keep("m", { joining: { ...wish, request: "before" } });
      await take("m", next, () => {});
      assert.equal(asked.at(-1).body.request === "before", next === wish);
    }
  }
});

test("only a clear no ends a wish", async (context) => {
  keep("m", { invitation: "secret" });
  answering(context, 500);
  await assert.rejects(take("m", { invitation: "secret" }, () => {}));
  assert.equal(kept("m").joining.invitation, "secret");
  assert.equal(kept("m").invitation, "secret");
  answering(context, 409);
  await assert.rejects(take("m", { invitation: "secret" }, () => {}));
  assert.deepEqual([kept("m").joining, kept("m").invitation], [null, null]);
});
