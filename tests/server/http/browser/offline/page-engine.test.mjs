import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { EngineFailed, PageEngine, pageEngine } from "#static/offline/page-engine.js";

const REQUEST = { position: "a", defaults: { first: "X", drawn: "both", tie_break: "none" }, millis: 100, lines: 1 };

/** @type {FakeWorker[]} */
let workers = [];

class FakeWorker extends EventTarget {
  posted = [];
  ended = false;

  constructor(address, options) {
    super();
    Object.assign(this, { address, options });
    workers.push(this);
  }

  postMessage(message) {
    this.posted.push(message);
  }

  terminate() {
    this.ended = true;
  }

  reply(data) {
    this.dispatchEvent(new MessageEvent("message", { data }));
  }
}

const newEngine = () => new PageEngine({ worker: "/worker.js", wasm: "/ninefold.wasm" });

beforeEach(() => {
  workers = [];
  globalThis.Worker = FakeWorker;
});

test("one worker is started with the first request and answers all of them", async () => {
  const engine = newEngine();
  assert.equal(workers.length, 0);
  const [one, two] = [engine.analyze(REQUEST), engine.choose({ ...REQUEST, level: "easy" })];
  const [worker, ...others] = workers;
  assert.deepEqual([worker.address, worker.options, others], ["/worker.js", { type: "module" }, []]);
  assert.deepEqual(worker.posted.map(({ wasm, request }) => [wasm, request.kind]), [["/ninefold.wasm", "analyze"], ["/ninefold.wasm", "choose"]]);
  worker.reply({ id: worker.posted[1].id, answer: 40 });
  worker.reply({ id: worker.posted[0].id, answer: { moves: [] } });
  assert.deepEqual([await one, await two], [{ moves: [] }, 40]);
});

test("who aborts a search ends its worker, and another one gets what is left", async () => {
  const [engine, controller] = [newEngine(), new AbortController()];
  const [aborted, left] = [engine.analyze(REQUEST, controller.signal), engine.analyze({ ...REQUEST, position: "b" })];
  controller.abort();
  await assert.rejects(aborted, { name: "AbortError" });
  const [first, second] = workers;
  assert.equal(first.ended, true);
  assert.deepEqual(second.posted.map(({ request }) => request.position), ["b"]);
  second.reply({ id: second.posted[0].id, answer: "found" });
  assert.equal(await left, "found");
});

test("a request that was answered is not aborted any more", async () => {
  const [engine, controller] = [newEngine(), new AbortController()];
  const answered = engine.analyze(REQUEST, controller.signal);
  workers[0].reply({ id: workers[0].posted[0].id, answer: "found" });
  await answered;
  controller.abort();
  assert.equal(workers[0].ended, false);
});

test("an engine that cannot be started, does not load or has failed says so to everybody who waits", async () => {
  const engine = newEngine();
  const [one, two] = [engine.analyze(REQUEST), engine.analyze(REQUEST)];
  workers[0].reply({ id: workers[0].posted[0].id, error: "Error: 404" });
  await assert.rejects(one, EngineFailed);
  workers[0].dispatchEvent(Object.assign(new Event("error"), { message: "out of memory" }));
  await assert.rejects(two, EngineFailed);
  assert.equal(workers[0].ended, true);
  globalThis.Worker = class {
    constructor() {
      throw new Error("refused");
    }
  };
  await assert.rejects(engine.analyze(REQUEST), EngineFailed);
});

test("without a page that names it there is no engine", () => assert.equal(pageEngine(), null));
