import assert from "node:assert/strict";
import { test } from "node:test";

import { analyze } from "#static/lib/analysis.js";
import { AnalysisQueue } from "#static/review/analysis-queue.js";

const OPTIONS = [["first", "X"], ["drawn", "both"], ["tie_break", "none"]];
const GAMES = [
  { id: "squared", layout: { kind: "boards" }, options: OPTIONS.map(([name, value]) => ({ name, default: value })) },
  { id: "classic", layout: { kind: "grid" }, options: [] },
];
const FOUND = { exact: false, turn: "X", depth: 8, moves: [], score: 0 };

/** Lets pending answers arrive. */
const settled = () => new Promise((done) => setImmediate(done));

/** @type {FakeWorker[]} */
const workers = [];

class FakeWorker extends EventTarget {
  posted = [];
  ended = false;

  constructor() {
    super();
    workers.push(this);
  }

  postMessage(message) {
    this.posted.push(message);
  }

  terminate() {
    this.ended = true;
  }

  reply(reply) {
    this.dispatchEvent(new MessageEvent("message", { data: { id: this.posted.at(-1).id, ...reply } }));
  }
}

globalThis.Worker = FakeWorker;
globalThis.document = { baseURI: "http://localhost/", querySelector: (selector) => ({ content: `/${selector}` }) };

/** What the server's engine was asked for. */
const asked = [];
globalThis.fetch = async (path, { body }) => {
  if (path.endsWith("/games")) return Response.json(GAMES);
  asked.push(JSON.parse(body).position);
  return Response.json(FOUND);
};

test("a game of nine boards is analyzed in the page, another one by the server", async () => {
  await analyze({ game: "classic", position: "small" });
  assert.deepEqual([asked, workers.length], [["small"], 0]);
  const answer = analyze({ game: "squared", position: "big", millis: 50 });
  while (!workers.length) await settled();
  const { position, defaults, millis, lines } = workers[0].posted[0].request;
  assert.deepEqual([position, defaults, millis, lines], ["big", Object.fromEntries(OPTIONS), 50, 81]);
  workers[0].reply({ answer: FOUND });
  assert.equal(await answer, FOUND);
  assert.deepEqual(asked, ["small"]);
});

test("the long search of a position that is no longer shown is stopped", async () => {
  const positions = ["a", "b"].map((position) => ({ position }));
  const queue = new AnalysisQueue({ game: "squared" }, positions, () => {});
  const [worker] = workers;
  const request = () => workers.at(-1).posted.at(-1).request;
  queue.show(0);
  while (request().position !== "a") await settled();
  worker.reply({ answer: FOUND });
  while (request().millis !== 1000) await settled();
  queue.show(1);
  while (request().position !== "b") await settled();
  assert.deepEqual([worker.ended, workers.length, request().millis], [true, 2, 100]);
  assert.deepEqual(queue.results, [FOUND, null]);
  queue.stop();
});

test("when the engine in the page has failed the server is asked, then and later", async () => {
  const warn = console.warn;
  console.warn = () => {};
  const answer = analyze({ game: "squared", position: "big" });
  while (workers.at(-1).posted.at(-1).request.position !== "big") await settled();
  workers.at(-1).reply({ error: "Error: 404" });
  assert.deepEqual(await answer, FOUND);
  const posted = workers.flatMap((worker) => worker.posted).length;
  await analyze({ game: "squared", position: "another" });
  assert.deepEqual(asked.slice(1), ["big", "another"]);
  assert.equal(workers.flatMap((worker) => worker.posted).length, posted);
  console.warn = warn;
});
