/** What pages load to play without a server: a local server, with sockets to its matches. */

import { LocalServer } from "./local-server.js";
import { LOCAL } from "./local-matches.js";
import { LocalSocket } from "./local-socket.js";
import { loadCore } from "./core.js";
import { pageEngine } from "./page-engine.js";
import { loadRulebook } from "./rulebook.js";
import { BrowserStore, MemoryStore } from "./saved-matches.js";
import { Refusal } from "./wording.js";

/** @type {Promise<LocalServer> | null} */
let opening = null;

/** The local server of this page. @param {{data: string, wasm: string}} addresses */
export function openLocalServer(addresses) {
  opening ??= open(addresses).catch((problem) => {
    opening = null; // so that it is tried again
    throw problem;
  });
  return opening;
}

/** @param {{data: string, wasm: string}} addresses */
async function open({ data, wasm }) {
  const book = await loadRulebook({
    json: async (name) => (await get(data + name)).json(),
    bytes: async (name) => (await get(data + name)).arrayBuffer(),
    core: async () => loadCore(await get(wasm)),
  });
  const engine = pageEngine() ?? { analyze: noEngine, choose: noEngine };
  return new LocalServer(book, await openStore(), engine);
}

/** @param {string} address */
async function get(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address} cannot be loaded: ${response.status}`);
  return response;
}

/** @returns {Promise<never>} */
async function noEngine() {
  throw new Refusal("offline.engine");
}

/** Where a browser forbids to store anything, matches last as long as the page. */
async function openStore() {
  const store = new BrowserStore();
  try {
    await store.all();
    return store;
  } catch (problem) {
    console.warn(problem);
    return new MemoryStore();
  }
}

/** @param {{data: string, wasm: string}} addresses @param {string} match */
export function openLocalSocket(addresses, match) {
  return new LocalSocket(() => openLocalServer(addresses), match);
}

export { LOCAL };
