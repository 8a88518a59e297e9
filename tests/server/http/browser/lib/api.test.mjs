import assert from "node:assert/strict";
import { test } from "node:test";

import * as api from "#static/lib/api.js";

/** Answers the next request; returns what was asked. */
function answerWith(status, body, headers = {}) {
  const asked = {};
  globalThis.fetch = async (path, request) => {
    Object.assign(asked, { path, ...request });
    return new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers });
  };
  return asked;
}

test("a token is sent in a header, never in the address", async () => {
  const asked = answerWith(200, { id: "m" });
  await api.getMatch("m", "secret");
  assert.equal(asked.path, "/api/v1/matches/m");
  assert.equal(asked.headers.Authorization, "Bearer secret");
});

test("a problem document is an ApiProblem with its sentences", async () => {
  answerWith(409, {
    title: "Taken.",
    status: 409,
    reason: "taken",
    detail: "Cell 1 is taken by X.",
    instead: "Free cells: 2.",
  });
  await assert.rejects(api.postAction("m", "t", { version: 1, action: { kind: "move", move: [0] } }), (problem) => {
    assert.deepEqual(
      [problem.status, problem.reason, problem.sentences, problem.isTransient],
      [409, "taken", "Cell 1 is taken by X. Free cells: 2.", false],
    );
    return true;
  });
});

test("a refused move is told without names of cells, which the page does not use", () => {
  const refused = { status: 409, code: "taken", params: { cell: "1", side: "X", free: "2" }, detail: "Cell 1 is taken by X." };
  assert.equal(new api.ApiProblem(refused).sentences, "This cell is taken by X. Choose a free one.");
});

test("an answer that is not a problem document is still a problem, and a busy server can be asked again", async () => {
  answerWith(503, "<html>", { "Retry-After": "7" });
  await assert.rejects(
    api.getGames(),
    (problem) => problem.isTransient && problem.retryAfter === 7 && problem.message.includes("503"),
  );
});

test("a server that cannot be reached is a transient problem", async () => {
  globalThis.fetch = async () => {
    throw new TypeError("network");
  };
  await assert.rejects(
    api.getGames(),
    (problem) => problem instanceof api.ApiProblem && problem.reason === "unreachable" && problem.isTransient,
  );
});

test("the games are fetched once", async () => {
  answerWith(200, [{ id: "classic" }]);
  const games = await api.getGames();
  answerWith(503, "<html>");
  assert.equal(await api.getGames(), games);
});

test("every write carries its own request id", async () => {
  const asked = answerWith(201, {});
  await api.createMatch({ game: "classic" });
  assert.match(JSON.parse(asked.body).request, /^[0-9a-f]{32}$/);
  assert.notEqual(api.newRequestId(), api.newRequestId());
});

test("a write that fails on the way is sent again with the same request id", async (context) => {
  context.mock.method(globalThis, "setTimeout", setImmediate);
  const asked = [];
  globalThis.fetch = async (path, request) => {
    asked.push(JSON.parse(request.body));
    if (asked.length === 1) throw new TypeError("network");
    return new Response("{}", { status: asked.length === 2 ? 503 : 200 });
  };
  await api.requestRematch("m", "token");
  assert.equal(asked.length, 3);
  assert.equal(new Set(asked.map(({ request }) => request)).size, 1);
});

test("a record is received as text", async () => {
  answerWith(200, "1. 5 *\n");
  assert.equal(await api.getMatchText("m", "record"), "1. 5 *\n");
});
