import assert from "node:assert/strict";
import { test } from "node:test";

import * as api from "../../../../../src/ninefold/server/http/static/lib/api.js";

/** Answer the next request, and tell what was asked. */
function answering(status, body, headers = {}) {
  const asked = {};
  globalThis.fetch = async (path, request) => {
    Object.assign(asked, { path, ...request });
    return new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers });
  };
  return asked;
}

test("a token travels in a header, never in the address", async () => {
  const asked = answering(200, { id: "m" });
  await api.view("m", "secret");
  assert.equal(asked.path, "/api/v1/matches/m");
  assert.equal(asked.headers.Authorization, "Bearer secret");
});

test("a problem document is a Problem with its sentence", async () => {
  answering(409, {
    title: "Taken.",
    status: 409,
    reason: "taken",
    detail: "Cell 1 is taken by X.",
    instead: "Free cells: 2.",
  });
  await assert.rejects(api.act("m", "t", { version: 1, action: { kind: "move", move: [0] } }), (problem) => {
    assert.deepEqual(
      [problem.status, problem.reason, problem.sentence, problem.passing],
      [409, "taken", "Cell 1 is taken by X. Free cells: 2.", false],
    );
    return true;
  });
});

test("an answer that is no document is still a problem, and a busy server is to be asked again", async () => {
  answering(503, "<html>", { "Retry-After": "7" });
  await assert.rejects(
    api.games(),
    (problem) => problem.passing && problem.retryAfter === 7 && problem.message.includes("503"),
  );
});

test("a server that cannot be reached is a problem that passes", async () => {
  globalThis.fetch = async () => {
    throw new TypeError("network");
  };
  await assert.rejects(
    api.games(),
    (problem) => problem instanceof api.Problem && problem.reason === "unreachable" && problem.passing,
  );
});

test("every write carries a request of its own", async () => {
  const asked = answering(201, {});
  await api.create({ game: "classic" });
  assert.match(JSON.parse(asked.body).request, /^[0-9a-f]{32}$/);
  assert.notEqual(api.newRequest(), api.newRequest());
});

test("a write that breaks on its way is sent again under the same request", async (context) => {
  context.mock.method(globalThis, "setTimeout", setImmediate);
  const asked = [];
  globalThis.fetch = async (path, request) => {
    asked.push(JSON.parse(request.body));
    if (asked.length === 1) throw new TypeError("network");
    return new Response("{}", { status: asked.length === 2 ? 503 : 200 });
  };
  await api.rematch("m", "token");
  assert.equal(asked.length, 3);
  assert.equal(new Set(asked.map(({ request }) => request)).size, 1);
});

test("a record is read as text", async () => {
  answering(200, "1. 5 *\n");
  assert.equal(await api.textOf("m", "record"), "1. 5 *\n");
});
