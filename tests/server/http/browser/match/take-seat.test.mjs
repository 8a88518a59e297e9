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
const { takeSeat } = await import("#static/match/take-seat.js");
const { loadMatch, saveMatch } = await import("#static/lib/match-storage.js");

/** Answers one join after the other with a status, or breaks it (0); returns what was asked. */
function answerWith(context, ...statuses) {
  context.mock.method(globalThis, "setTimeout", setImmediate);
  const asked = [];
  globalThis.fetch = async (path, { body }) => {
    asked.push({ path, body: JSON.parse(body), stored: loadMatch("m").joining });
    const status = statuses.shift();
    if (!status) throw new TypeError("network");
    const answer = status === 200 ? { seat: 2, side: "O", token: "t" } : { status, detail: "No." };
    return Response.json(answer, { status });
  };
  return asked;
}

beforeEach(() => stored.clear());

test("a join is stored before it is sent, and sent again until it is answered", async (context) => {
  const asked = answerWith(context, 0, 503, 502, 429, 200);
  const retries = [];
  assert.equal(
    await takeSeat("m", { invitation: "an-invitation-of-one", name: "Ann" }, (problem) => retries.push(problem.status)),
    true,
  );
  assert.deepEqual(retries, [0, 503, 502, 429]);
  assert.equal(new Set(asked.map(({ body }) => body.request)).size, 1);
  for (const { path, body, stored: known } of asked) {
    assert.equal(path, "/api/v1/matches/m/join");
    assert.deepEqual(known, body);
  }
  assert.deepEqual({ ...asked[0].body, request: "" }, { invitation: "an-invitation-of-one", name: "Ann", request: "" });
  assert.deepEqual([loadMatch("m").seats, loadMatch("m").joining], [{ 2: "t" }, null]);
});

test("after a reload the same join has the same request id, and another join has another", async (context) => {
  const asked = answerWith(context, ...new Array(6).fill(200));
  for (const key of [{ invitation: "an-invitation-of-one" }, { code: "an-invitation-of-one" }, {}]) {
    for (const next of [key, { invitation: "an-invitation-of-two" }]) {
      saveMatch("m", { joining: { ...key, request: "before" } });
      await takeSeat("m", next, () => {});
      assert.equal(asked.at(-1).body.request === "before", next === key);
    }
  }
});

test("only a refusal ends a join", async (context) => {
  saveMatch("m", { invitation: "an-invitation-of-one" });
  answerWith(context, 500);
  await assert.rejects(takeSeat("m", { invitation: "an-invitation-of-one" }, () => {}));
  assert.equal(loadMatch("m").joining.invitation, "an-invitation-of-one");
  assert.equal(loadMatch("m").invitation, "an-invitation-of-one");
  answerWith(context, 409);
  await assert.rejects(takeSeat("m", { invitation: "an-invitation-of-one" }, () => {}));
  assert.deepEqual([loadMatch("m").joining, loadMatch("m").invitation], [null, null]);
});

test("a secret that was cut is not sent", async () => {
  await assert.rejects(takeSeat("m", { invitation: "cut" }, () => {}), { reason: "bad_invitation" });
});
