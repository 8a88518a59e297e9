/**
 * The store of offline matches in IndexedDB. Matches survive a restart of the browser and are sent nowhere. A change is
 * acknowledged after its commit, and other tabs are notified.
 *
 * @typedef {object} SavedMatch
 * @property {string} id
 * @property {import("./log.js").Head} head
 * @property {import("./log.js").LoggedEvent[]} events
 * @property {("person" | "computer")[]} holders of the two seats
 * @property {{showMoves: boolean, showLines: boolean}} settings
 * @property {string | null} rematch
 * @property {number} createdAt
 * @property {number} changedAt
 *
 * @typedef {object} MatchStore what keeps the matches; tests have one in memory
 * @property {boolean} lasts true if matches outlive the page
 * @property {(id: string) => Promise<SavedMatch | undefined>} get
 * @property {() => Promise<SavedMatch[]>} all the newest first
 * @property {(id: string, change: (saved: SavedMatch | undefined) => SavedMatch) => Promise<SavedMatch>} change what
 *   `change` throws leaves everything as it was
 * @property {(listener: (id: string) => void) => () => void} subscribe to changes; returns what ends it
 */

import { Refusal } from "./wording.js";

const DATABASE = "ninefold";
const MATCHES = "matches";
const VERSION = 1;

/** @implements {MatchStore} */
export class BrowserStore {
  lasts = true;

  constructor() {
    /** @type {Promise<IDBDatabase> | null} */
    this.database = null;
    this.isProtected = false;
    /** @type {Set<(id: string) => void>} */
    this.listeners = new Set();
    this.channel = new BroadcastChannel(DATABASE);
    this.channel.onmessage = ({ data }) => this.#tell(data);
  }

  /** @param {string} id */
  async get(id) {
    const store = (await this.#open()).transaction(MATCHES).objectStore(MATCHES);
    return /** @type {Promise<SavedMatch | undefined>} */ (answer(store.get(id)));
  }

  async all() {
    const store = (await this.#open()).transaction(MATCHES).objectStore(MATCHES);
    const saved = /** @type {SavedMatch[]} */ (await answer(store.getAll()));
    return saved.sort((one, other) => other.changedAt - one.changedAt);
  }

  /** @param {string} id @param {(saved: SavedMatch | undefined) => SavedMatch} change */
  async change(id, change) {
    this.#protect();
    try {
      return await this.#write(id, change);
    } catch (problem) {
      if (!(problem instanceof DOMException)) throw problem;
      console.warn(problem);
      throw new Refusal("offline.store"); // no room, mostly
    }
  }

  /** @param {string} id @param {(saved: SavedMatch | undefined) => SavedMatch} change */
  async #write(id, change) {
    const transaction = (await this.#open()).transaction(MATCHES, "readwrite", { durability: "strict" });
    const store = transaction.objectStore(MATCHES);
    const saved = change(await answer(store.get(id)));
    store.put(saved);
    await committed(transaction);
    this.channel.postMessage(id);
    this.#tell(id);
    return saved;
  }

  /** @param {(id: string) => void} listener */
  subscribe(listener) {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** @param {string} id */
  #tell(id) {
    for (const listener of this.listeners) listener(id);
  }

  /**
   * Asks the browser not to remove what is stored when it is short of space. Some ask the visitor, so that it waits until
   * there is something to keep.
   */
  #protect() {
    if (!this.isProtected) void navigator.storage?.persist?.().catch(() => false);
    this.isProtected = true;
  }

  #open() {
    const forget = () => void (this.database = null); // so that it is opened again
    this.database ??= openDatabase(forget).catch((problem) => {
      forget();
      throw problem;
    });
    return this.database;
  }
}

/** @param {() => void} onClosed the browser has closed it, or a newer page upgrades it @returns {Promise<IDBDatabase>} */
async function openDatabase(onClosed) {
  const request = indexedDB.open(DATABASE, VERSION);
  request.onupgradeneeded = () => request.result.createObjectStore(MATCHES, { keyPath: "id" });
  const database = await answer(request);
  database.onclose = onClosed;
  database.onversionchange = () => (database.close(), onClosed());
  return database;
}

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
function answer(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** @param {IDBTransaction} transaction @returns {Promise<void>} */
function committed(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}

/** A store that lasts as long as the page: where a browser forbids the other one, and for tests. @implements {MatchStore} */
export class MemoryStore {
  lasts = false;

  constructor() {
    /** @type {Map<string, SavedMatch>} */
    this.matches = new Map();
    /** @type {Set<(id: string) => void>} */
    this.listeners = new Set();
  }

  /** @param {string} id */
  async get(id) {
    return this.matches.get(id);
  }

  async all() {
    return [...this.matches.values()].sort((one, other) => other.changedAt - one.changedAt);
  }

  /** @param {string} id @param {(saved: SavedMatch | undefined) => SavedMatch} change */
  async change(id, change) {
    const saved = change(this.matches.get(id));
    this.matches.set(id, saved);
    for (const listener of this.listeners) listener(id);
    return saved;
  }

  /** @param {(id: string) => void} listener */
  subscribe(listener) {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}
