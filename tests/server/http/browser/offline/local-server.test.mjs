import assert from "node:assert/strict";
import { test } from "node:test";

import { LocalServer, tokenOf } from "../../../../../src/ninefold/server/http/static/offline/local-server.js";
import { LocalSocket } from "../../../../../src/ninefold/server/http/static/offline/local-socket.js";
import { MemoryStore } from "../../../../../src/ninefold/server/http/static/offline/saved-matches.js";
import { Refusal } from "../../../../../src/ninefold/server/http/static/offline/wording.js";
import { openBook } from "./book.mjs";

const book = await openBook();
const NO_ENGINE = { analyze: async () => assert.fail(), choose: async () => assert.fail() };

const newServer = (store = new MemoryStore()) => new LocalServer(book, store, NO_ENGINE, () => 1000);

const create = async (server, game = "classic", player = "perfect", more = {}) => {
  const body = { game, seats: [{ player: "human" }, { player }], ...more };
  return server.respond("POST", "/matches", { body });
};

const act = (server, match, version, action, seat = 1) =>
  server.respond("POST", `/matches/${match}/actions`, { token: tokenOf(seat), body: { version, action } });

test("a match is saved with every action, and is the same for another page", async () => {
  const store = new MemoryStore();
  const server = newServer(store);
  const { status, body } = await create(server);
  assert.equal(status, 201);
  assert.deepEqual(body.seats, { 1: tokenOf(1) });
  const answer = await act(server, body.match, 0, { kind: "move", move: [4] });
  assert.deepEqual(answer.body.events, [{ index: 0, event: "moved", seat: 1, at: 1000, move: 4 }]);
  await server.matches.letComputerAct(body.match);
  const seen = await newServer(store).respond("GET", `/matches/${body.match}`);
  assert.equal(seen.body.history.length, 2);
  assert.deepEqual(seen.body, (await server.respond("GET", `/matches/${body.match}`)).body);
});

test("an action for an older version is refused with the match as it is", async () => {
  const server = newServer();
  const { body } = await create(server, "classic", "human");
  await act(server, body.match, 0, { kind: "move", move: "5" });
  const { status, body: problem } = await act(server, body.match, 0, { kind: "move", move: [0] }, 2);
  assert.deepEqual([status, problem.reason, problem.match.version], [409, "stale_version", 1]);
});

test("two tabs cannot act at once", async () => {
  const store = new MemoryStore();
  const [one, other] = [newServer(store), newServer(store)];
  const { body } = await create(one, "classic", "human");
  await other.respond("GET", `/matches/${body.match}`);
  const answers = await Promise.all([one, other].map((server) => act(server, body.match, 0, { kind: "move", move: [4] })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
  assert.equal((await store.get(body.match)).events.length, 1);
});

test("the perfect computer never loses, and claims its lines in the agents' game", async () => {
  for (const game of ["classic", "agents"]) {
    const server = newServer();
    for (let round = 0; round < 10; round++) {
      const { body } = await create(server, game, "perfect");
      for (let seen; !seen?.result; ) {
        await server.matches.letComputerAct(body.match);
        seen = (await server.respond("GET", `/matches/${body.match}`)).body;
        if (seen.result) assert.notEqual(seen.result.winner, seen.seats[0].side);
        else if (seen.claim?.verdict === null) await act(server, body.match, seen.version, { kind: "confirm" });
        else await act(server, body.match, seen.version, { kind: "move", move: seen.moves[round % seen.moves.length].path });
      }
    }
  }
});

test("the computer gives a move back, and accepts a draw where it is one", async () => {
  const server = newServer();
  const { body } = await create(server);
  await act(server, body.match, 0, { kind: "move", move: [4] });
  await server.matches.letComputerAct(body.match);
  await act(server, body.match, 2, { kind: "offer", text: "take_back" });
  await server.matches.letComputerAct(body.match);
  const seen = (await server.respond("GET", `/matches/${body.match}`)).body;
  assert.deepEqual([seen.history, seen.version], [[], 5]);
  await act(server, body.match, 5, { kind: "offer", text: "draw" });
  await server.matches.letComputerAct(body.match);
  const { result } = (await server.respond("GET", `/matches/${body.match}`)).body;
  assert.equal(result.by, "agreed");
  const again = (await server.respond("POST", `/matches/${body.match}/rematch`, { token: tokenOf(1) })).body.match;
  assert.equal((await server.respond("GET", `/matches/${again}`)).body.seats[0].side, "O");
});

test("what only a server can do is refused with a sentence", async () => {
  const server = newServer();
  const invited = await create(server, "classic", "open");
  assert.match(invited.body.detail, /without a server/);
  assert.equal((await server.respond("POST", "/pairings", { body: {} })).body.reason, "offline");
  assert.equal((await server.respond("GET", "/matches/local-none")).status, 404);
  assert.equal((await server.respond("POST", "/records", { body: { text: "[Game ...]" } })).body.code, "offline.record");
  assert.equal((await create(server, "chess")).status, 404);
  assert.equal((await create(server, "classic", "expert")).body.code, "offline.player");
});

test("a log is read again, and a changed one is refused by its line", async () => {
  const server = newServer();
  const { body } = await create(server, "swap-nine", "human");
  await act(server, body.match, 0, { kind: "move", move: [4] });
  await act(server, body.match, 1, { kind: "move", move: "2x5" }, 2);
  const { body: log } = await server.respond("GET", `/matches/${body.match}/log`);
  const read = await server.respond("POST", "/records", { body: { text: log } });
  assert.deepEqual(read.body.positions.map(({ move }) => move), [null, "5", "2x5"]);
  const changed = log.replace('"move":4', '"move":40');
  const refused = await server.respond("POST", "/records", { body: { text: changed } });
  assert.match(refused.body.detail, /^Line 2: /);
  assert.equal(refused.body.parts["why.refusal"].code, "outside:clause"); // so that pages can say it in their language
});

test("a socket sends what happens, and the computer's answer", async () => {
  const server = newServer();
  const { body } = await create(server);
  const socket = new LocalSocket(async () => server, body.match);
  const messages = [];
  const answered = new Promise((done) => {
    socket.onmessage = ({ data }) => {
      messages.push(JSON.parse(data));
      if (messages.at(-1).view?.history.length === 2) done();
    };
  });
  socket.send(JSON.stringify({ type: "hello", token: tokenOf(1) }));
  socket.send(JSON.stringify({ type: "act", request: "r1", version: 0, action: { kind: "move", move: [4] } }));
  socket.send(JSON.stringify({ type: "act", request: "r2", version: 7, action: { kind: "move", move: [4] } }));
  await answered;
  socket.close();
  assert.deepEqual([...new Set(messages.map(({ type }) => type))].sort(), ["answer", "events", "refused", "welcome"]);
});

test("what cannot be saved is refused with a sentence, and nothing is lost", async () => {
  class FullStore extends MemoryStore {
    isFull = false;
    async change(id, change) {
      if (this.isFull) throw new Refusal("offline.store");
      return super.change(id, change);
    }
  }
  const store = new FullStore();
  const server = newServer(store);
  const { body } = await create(server);
  const socket = new LocalSocket(async () => server, body.match);
  const refusals = [];
  const refused = new Promise((done, fail) => {
    socket.onclose = () => fail(new Error("a page would open the socket again, and again"));
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      if (message.type === "answer") store.isFull = true; // the computer's move finds no room
      if (message.type === "refused" && refusals.push(message) === 2) done();
    };
  });
  const move = (request, version, cell) =>
    socket.send(JSON.stringify({ type: "act", request, version, action: { kind: "move", move: [cell] } }));
  socket.send(JSON.stringify({ type: "hello", token: tokenOf(1) }));
  move("r1", 0, 4);
  move("r2", 1, 0);
  await refused.finally(() => socket.close());
  assert.deepEqual(refusals.map(({ code }) => code).sort(), ["not_your_turn", "offline.store"]);
  const computers = refusals.find(({ code }) => code === "offline.store");
  assert.match(computers.detail, /cannot save the game/);
  assert.equal(computers.request, null);
  assert.equal((await store.get(body.match)).events.length, 1);
  assert.match((await create(server)).body.instead, /Make room/);
});

test("positions, puzzles and lessons need no server", async () => {
  const server = newServer();
  const asked = { game: "classic", position: "XX./OO./... X", threats: true };
  const { body } = await server.respond("POST", "/positions", { body: asked });
  assert.deepEqual([body.threats, body.moves.length], [{ 2: "X", 5: "O" }, 5]);
  const unreachable = await server.respond("POST", "/positions", { body: { game: "classic", position: "XXX/XXX/... O" } });
  assert.equal(unreachable.body.code, "unreachable");
  const values = (await server.respond("POST", "/analysis", { body: { game: "classic", position: "XX./OO./... X" } })).body;
  assert.deepEqual(values.moves.map(({ text, value, plies }) => [text, value, plies]).slice(0, 3), [
    ["3", "win", 1],
    ["6", "draw", null],
    ["7", "loss", 2],
  ]);
  assert.equal((await server.respond("GET", "/puzzles/today")).body.day, "1970-01-01");
  assert.equal((await server.respond("GET", "/lessons/agents")).body.steps.length, 5);
});

test("matches are created at addresses that are not secure too, and only a store that lasts keeps them", async () => {
  const { randomUUID } = crypto;
  crypto.randomUUID = undefined; // as at a plain http address of the local network
  const server = newServer();
  const [one, other] = [await create(server), await create(server)];
  crypto.randomUUID = randomUUID;
  assert.match(one.body.match, /^local-[0-9a-f]{32}$/);
  assert.notEqual(one.body.match, other.body.match);
  assert.equal(server.keepsMatches, false);
});
