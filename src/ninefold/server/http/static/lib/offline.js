/**
 * What pages do without a server: matches in this browser always, and, while the server cannot be reached, everything
 * that needs none. The rules and the engine are loaded when they are first needed.
 *
 * @typedef {typeof import("../offline/offline.js")} OfflineModule
 * @typedef {{token?: string | null, body?: unknown}} Given
 */

import { localize } from "./server-texts.js";
import { HAS_SERVER, metaAddress } from "./site.js";

const LOCAL = "local-";
const UNAVAILABLE = 503; // a status: the request may be sent again
const API = "/api/v1";
const KNOWN = "ninefold:local"; // set once a match has been played in this browser
/** What can be answered without a server: the rest is about matches of a server. */
const ANSWERABLE = /^\/(games|puzzles|lessons|positions|analysis|records|pairings|matches$|matches\?)/;

/** True if a match is played in this browser alone. @param {string | undefined} match */
export const isLocalMatch = (match) => match?.startsWith(LOCAL) ?? false;

/** @type {OfflineModule | null} */
let loaded = null;
/** True while the server cannot be reached. */
let isCut = false;

/** True if there is no server now. */
export const isOffline = () => !HAS_SERVER || isCut;

/** True if the pages work without a server: they are kept in the browser, or need none. */
function worksOffline() {
  return !HAS_SERVER || Boolean(globalThis.navigator?.serviceWorker?.controller);
}

/** Pages listen to "connectivity". @param {boolean} cut */
export function noteConnection(cut) {
  if (cut === isCut || (cut && !worksOffline())) return;
  isCut = cut;
  globalThis.dispatchEvent?.(new CustomEvent("connectivity"));
}

/** True if a request is answered in this browser, whether there is a server or not. @param {string} path */
export function isAnsweredHere(path) {
  return !HAS_SERVER || path.startsWith(`/matches/${LOCAL}`);
}

/** True if a request that did not reach the server can be answered in this browser. @param {string} path */
export function isAnswerable(path) {
  return worksOffline() && ANSWERABLE.test(path);
}

const addresses = () => ({ data: metaAddress("offline-data") ?? "", wasm: metaAddress("engine") ?? "" });

async function load() {
  loaded ??= /** @type {OfflineModule} */ (await import(metaAddress("offline") ?? `${API}/offline`));
  return loaded;
}

/** The local server; null if it cannot be loaded now, as on a page that is being left. */
async function openHere() {
  try {
    const { openLocalServer } = await load();
    return await openLocalServer(addresses());
  } catch (problem) {
    console.warn(problem);
    return null;
  }
}

/** True if this browser can play matches and keep them. What that needs is loaded. */
export async function canKeepMatches() {
  return (await openHere())?.keepsMatches ?? false;
}

/** Answers a request of the API in this browser. @param {string} method @param {string} path @param {Given} given */
export async function answerHere(method, path, given) {
  const server = await openHere();
  if (!server) return new Response("{}", { status: UNAVAILABLE });
  const { status, body } = await server.respond(method, path, given);
  if (method === "POST" && path === "/matches") remember();
  return new Response(typeof body === "string" ? body : JSON.stringify(body), { status });
}

/** A socket to a match in this browser, which was loaded before. @param {string} match @returns {WebSocket} */
export function openLocalSocket(match) {
  if (!loaded) throw new Error("no match is loaded");
  return /** @type {WebSocket} */ (/** @type {unknown} */ (loaded.openLocalSocket(addresses(), match)));
}

function remember() {
  try {
    localStorage.setItem(KNOWN, "yes");
  } catch {
    // The list of saved matches is then shown when there is no server.
  }
}

/** True if matches may be saved in this browser. */
export function mayHaveLocalMatches() {
  try {
    return isOffline() || localStorage.getItem(KNOWN) !== null;
  } catch {
    return isOffline();
  }
}

/** The matches that are saved in this browser, the newest first: each as its player sees it, with the tokens of the seats. */
export async function localMatches() {
  return localize(structuredClone((await (await openHere())?.savedMatches()) ?? []));
}
