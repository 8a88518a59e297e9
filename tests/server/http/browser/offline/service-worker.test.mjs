import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import vm from "node:vm";

const FILE = new URL("../../../../../src/ninefold/server/http/static/offline/service-worker.js", import.meta.url);
const SCOPE = "https://example.test/games/";
const BUILD = { version: "v2", pages: ["", "learn"], match: "m/local", files: ["static/app.js"] };

/** A service worker with a cache of what it keeps, and a network that fails if it is offline. */
async function start({ build = BUILD, caches = {}, isOnline = true } = {}) {
  const listeners = {};
  const actions = [];
  const stored = new Map(Object.entries(caches));
  const registration = { scope: SCOPE, unregister: async () => actions.push("unregister") };
  const self = {
    registration,
    clients: { claim: async () => actions.push("claim") },
    skipWaiting: async () => actions.push("skip waiting"),
    addEventListener: (name, listener) => (listeners[name] = listener),
  };
  const open = async (name) => {
    if (!stored.has(name)) stored.set(name, []);
    return {
      addAll: async (requests) => stored.get(name).push(...requests.map(({ url }) => url)),
      match: async (url) => (stored.get(name).includes(url) ? `kept ${url}` : undefined),
    };
  };
  const match = async ({ url }) => ([...stored.values()].flat().includes(url) ? `kept ${url}` : undefined);
  const context = {
    self,
    URL,
    Request,
    Response,
    caches: { open, match, keys: async () => [...stored.keys()], delete: async (name) => stored.delete(name) },
    fetch: async ({ url }) => (isOnline ? `fetched ${url}` : Promise.reject(new TypeError("offline"))),
  };
  const script = (await readFile(FILE, "utf8")).replace(/^const BUILD = .*;$/m, `const BUILD = ${JSON.stringify(build)};`);
  vm.runInNewContext(script, context);
  const during = async (name) => {
    let work;
    listeners[name]({ waitUntil: (promise) => (work = promise) });
    await work;
  };
  const ask = async (path, { method = "GET", mode = "cors" } = {}) => {
    let answer = "left to the browser";
    listeners.fetch({ request: { url: new URL(path, SCOPE).href, method, mode }, respondWith: (given) => (answer = given) });
    return answer;
  };
  return { actions, stored, install: () => during("install"), activate: () => during("activate"), ask };
}

test("requests of the API are never answered, nor anything that is sent", async () => {
  for (const isOnline of [true, false]) {
    const worker = await start({ isOnline });
    await worker.install();
    assert.equal(await worker.ask("api/v1/games"), "left to the browser");
    assert.equal(await worker.ask("/api/v1/games"), "left to the browser");
    assert.equal(await worker.ask("static/app.js", { method: "POST" }), "left to the browser");
  }
});

test("pages come from the server while there is one, and files from what is kept", async () => {
  const worker = await start();
  await worker.install();
  assert.equal(await worker.ask("learn?game=classic", { mode: "navigate" }), `fetched ${SCOPE}learn?game=classic`);
  assert.equal(await worker.ask("static/app.js"), `kept ${SCOPE}static/app.js`);
  assert.equal(await worker.ask("static/newer.js"), `fetched ${SCOPE}static/newer.js`);
});

test("without a server every page that is kept opens, and others lead to the first one", async () => {
  const build = { ...BUILD, pages: [...BUILD.pages, "m/local"] };
  const worker = await start({ build, isOnline: false });
  await worker.install();
  const open = (path) => worker.ask(path, { mode: "navigate" });
  assert.equal(await open("learn?game=classic"), `kept ${SCOPE}learn`);
  assert.equal(await open("m/local-1234"), `kept ${SCOPE}m/local`);
  assert.equal((await open("g/secret")).headers.get("location"), SCOPE);
});

test("a new version takes over at once, and keeps the version before it", async () => {
  const worker = await start({ caches: { "ninefold-v0": [], "ninefold-v1": [], "of-another-app": [] } });
  await worker.install();
  await worker.activate();
  assert.deepEqual([...worker.stored.keys()].sort(), ["ninefold-v1", "ninefold-v2", "of-another-app"]);
  assert.deepEqual(worker.actions, ["skip waiting", "claim"]);
});

test("where nothing is kept any more it removes what was kept, and itself", async () => {
  const build = { version: "", pages: [], match: "", files: [] };
  const worker = await start({ build, caches: { "ninefold-v1": [], "of-another-app": [] } });
  await worker.install();
  await worker.activate();
  assert.deepEqual([...worker.stored.keys()], ["of-another-app"]);
  assert.deepEqual(worker.actions, ["skip waiting", "unregister"]);
  assert.equal(await worker.ask("", { mode: "navigate" }), "left to the browser");
});
