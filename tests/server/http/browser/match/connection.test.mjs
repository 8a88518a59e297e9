import assert from "node:assert/strict";
import { test } from "node:test";

import { ApiProblem } from "#static/lib/api.js";
import { Connection, socketAddress } from "#static/match/connection.js";

/** A connection with sockets that the test answers and timers that it runs. */
function fakeConnection() {
  const sockets = [];
  const timers = new Map();
  let next = 1;
  const states = [];
  const received = [];
  const listener = { onState: (state) => states.push(state), onMessage: (message) => received.push(message) };
  const openSocket = () => {
    const socket = {
      sent: [],
      closed: false,
      send: (text) => socket.sent.push(JSON.parse(text)),
      close: () => (socket.closed = true),
      receive: (message) => socket.onmessage({ data: JSON.stringify(message) }),
    };
    sockets.push(socket);
    return socket;
  };
  const setTimer = (run, ms) => (timers.set(next, { run, ms }), next++);
  const clearTimer = (timer) => timers.delete(timer);
  const tick = (ms) => {
    const due = [...timers].filter(([, timer]) => timer.ms === ms);
    for (const [id, { run }] of due) (timers.delete(id), run());
    return due.length;
  };
  const connection = new Connection(
    { url: "ws://here", token: "t", after: 3, listener },
    { openSocket, setTimer, clearTimer, random: () => 0 },
  );
  return { connection, sockets, states, received, timers, tick, names: () => states.map(({ name }) => name) };
}

const welcome = (size, events = []) => ({ type: "welcome", role: "1", seat: 1, view: { size }, events });

test("it sends a hello with the token and the last event that is known", () => {
  const { connection, sockets, names } = fakeConnection();
  connection.start();
  sockets[0].onopen();
  assert.deepEqual(sockets[0].sent, [{ type: "hello", view: true, arrive: false, token: "t", after: 3 }]);
  sockets[0].receive(welcome(4));
  assert.deepEqual(names(), ["connecting", "open"]);
});

test("a lost connection is restored, catches up and reports how much was missed", () => {
  const { connection, sockets, states, names, tick } = fakeConnection();
  connection.start();
  sockets[0].receive(welcome(6));
  sockets[0].onclose();
  assert.deepEqual(states.at(-1), { name: "lost", retryIn: 250 });
  tick(250);
  sockets[1].onopen();
  assert.equal(sockets[1].sent[0].after, 5);
  sockets[1].receive(welcome(8, [{ index: 6 }, { index: 7 }]));
  assert.deepEqual(states.at(-1), { name: "caught-up", missed: 2 });
  assert.deepEqual(names(), ["connecting", "open", "lost", "lost", "caught-up"]);
});

test("it waits longer after each attempt, up to a limit", () => {
  const { connection, sockets, states, tick } = fakeConnection();
  connection.start();
  const waits = [];
  for (let n = 0; n < 8; n++) {
    sockets.at(-1).onclose();
    waits.push(states.at(-1).retryIn);
    tick(waits.at(-1));
  }
  assert.deepEqual(waits, [250, 500, 1000, 2000, 4000, 7500, 7500, 7500]);
});

test("an action that was not answered is sent again with the same request id", async () => {
  const { connection, sockets, tick } = fakeConnection();
  connection.start();
  sockets[0].receive(welcome(4));
  const answered = connection.act({ kind: "move", move: [4] }, 7);
  const [sent] = sockets[0].sent;
  assert.deepEqual(
    { ...sent, request: "" },
    { type: "act", request: "", version: 7, action: { kind: "move", move: [4] } },
  );
  sockets[0].onclose();
  tick(250);
  sockets[1].receive(welcome(4));
  assert.deepEqual(sockets[1].sent, [sent]);
  sockets[1].receive({ type: "answer", request: sent.request, version: 8, replayed: true });
  assert.equal((await answered).version, 8);
});

test("an action while the connection is lost is sent when it is back", () => {
  const { connection, sockets } = fakeConnection();
  connection.start();
  connection.act({ kind: "say", text: "hello" });
  assert.deepEqual(sockets[0].sent, []);
  sockets[0].receive(welcome(4));
  assert.equal(sockets[0].sent[0].action.text, "hello");
  assert.equal("version" in sockets[0].sent[0], false);
});

test("a refusal is a problem with its sentences", async () => {
  const { connection, sockets } = fakeConnection();
  connection.start();
  sockets[0].receive(welcome(4));
  const refused = connection.act({ kind: "move", move: [0] }, 1);
  const { request } = sockets[0].sent[0];
  sockets[0].receive({
    type: "refused",
    request,
    status: 409,
    reason: "taken",
    detail: "Cell 1 is taken by X.",
    instead: "Free cells: 2.",
  });
  await assert.rejects(
    refused,
    (problem) => problem instanceof ApiProblem && problem.sentences === "Cell 1 is taken by X. Free cells: 2.",
  );
});

test("after a bye it reconnects after the time that the server names", () => {
  const { connection, sockets, states } = fakeConnection();
  connection.start();
  sockets[0].receive(welcome(4));
  sockets[0].receive({ type: "bye", reason: "restart", retry_ms: 800 });
  sockets[0].onclose();
  assert.deepEqual(states.at(-1), { name: "lost", retryIn: 800 });
});

test("a refused connection is not retried, unless the server is only busy", () => {
  for (const [status, name] of [
    [404, "refused"],
    [401, "refused"],
    [503, "lost"],
    [429, "lost"],
  ]) {
    const { connection, sockets, states } = fakeConnection();
    connection.start();
    sockets[0].receive({ type: "refused", request: null, status, detail: "No." });
    assert.equal(states.at(-1).name, name);
    assert.equal(sockets[0].closed, true);
  }
});

test("without messages the connection counts as lost", () => {
  const { connection, sockets, states, tick } = fakeConnection();
  connection.start();
  sockets[0].receive(welcome(4));
  connection.check();
  assert.deepEqual(sockets[0].sent.at(-1), { type: "ping" });
  sockets[0].receive({ type: "pong" });
  assert.equal(tick(5000), 0);
  assert.equal(tick(40_000), 1);
  assert.equal(states.at(-1).name, "lost");
});

test("a seat that was moved is not asked for again", () => {
  const { connection, sockets, tick } = fakeConnection();
  connection.start();
  sockets[0].receive(welcome(4));
  sockets[0].receive({ type: "moved" });
  sockets[0].onclose();
  tick(250);
  sockets[1].onopen();
  assert.deepEqual(sockets[1].sent, [{ type: "hello", view: true, arrive: false, after: 3 }]);
});

test("late messages of an old socket are ignored", () => {
  const { connection, sockets, received, tick } = fakeConnection();
  connection.start();
  sockets[0].onclose();
  tick(250);
  sockets[0].receive(welcome(4));
  assert.deepEqual(received, []);
});

test("the socket is on the page's server", () => {
  assert.equal(
    socketAddress("ab", { protocol: "https:", host: "play.example" }),
    "wss://play.example/api/v1/matches/ab/socket",
  );
  assert.equal(
    socketAddress("ab", { protocol: "http:", host: "127.0.0.1:8090" }),
    "ws://127.0.0.1:8090/api/v1/matches/ab/socket",
  );
});
