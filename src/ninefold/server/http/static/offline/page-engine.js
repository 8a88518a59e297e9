/**
 * The engine in the page: it searches in a worker, which is started when it is first needed. Where the browser client
 * came without it, or the browser cannot run it, there is none, and the server's engine is asked.
 *
 * @typedef {import("../lib/types.js").Analysis} Analysis
 * @typedef {import("./big-position.js").Options} Options
 * @typedef {import("./engine-worker.js").EngineRequest} EngineRequest
 * @typedef {import("./engine-worker.js").FromWorker} FromWorker
 * @typedef {import("./levels.js").Level} Level
 *
 * @typedef {object} Waiting a request that has no answer yet
 * @property {EngineRequest} request
 * @property {(answer: any) => void} resolve
 * @property {(error: unknown) => void} reject
 */

/** The engine could not be loaded, or has failed; the server's may be asked instead. */
export class EngineFailed extends Error {}

export class PageEngine {
  /** @type {Worker | null} */
  #worker = null;
  /** @type {Map<number, Waiting>} */
  #waiting = new Map();
  #lastId = 0;

  /** @param {{worker: string, wasm: string}} addresses */
  constructor({ worker, wasm }) {
    this.addresses = { worker, wasm };
  }

  /**
   * The values of the moves of a position, as the server's.
   *
   * @param {{position: string, defaults: Options, millis: number, lines: number}} request
   * @param {AbortSignal} [signal]
   * @returns {Promise<Analysis>}
   */
  analyze(request, signal) {
    return this.#ask({ kind: "analyze", ...request }, signal);
  }

  /**
   * The move of a level of the computer.
   *
   * @param {{position: string, defaults: Options, level: Level}} request
   * @param {AbortSignal} [signal]
   * @returns {Promise<number>}
   */
  choose(request, signal) {
    return this.#ask({ kind: "choose", ...request }, signal);
  }

  /** @param {EngineRequest} request @param {AbortSignal} [signal] @returns {Promise<any>} */
  #ask(request, signal) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const id = ++this.#lastId;
      this.#waiting.set(id, { request, resolve, reject });
      signal?.addEventListener("abort", () => this.#abort(id, signal), { once: true });
      this.#post(id, request);
    });
  }

  /** A search cannot be asked to stop: its worker is ended, and another one gets what is left. @param {number} id @param {AbortSignal} signal */
  #abort(id, signal) {
    const aborted = this.#waiting.get(id);
    if (!aborted) return;
    this.#waiting.delete(id);
    aborted.reject(signal.reason);
    this.#end();
    for (const [left, { request }] of this.#waiting) this.#post(left, request);
  }

  /** @param {number} id @param {EngineRequest} request */
  #post(id, request) {
    try {
      this.#worker ??= this.#start();
    } catch (error) {
      return this.#fail(error);
    }
    this.#worker.postMessage({ id, wasm: this.addresses.wasm, request });
  }

  #start() {
    const worker = new Worker(this.addresses.worker, { type: "module" });
    worker.addEventListener("message", (/** @type {MessageEvent<FromWorker>} */ { data }) => this.#receive(data));
    worker.addEventListener("error", (event) => this.#fail(event.message));
    return worker;
  }

  /** @param {FromWorker} reply */
  #receive({ id, answer, error }) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting?.reject(new EngineFailed(error));
    else waiting?.resolve(answer);
  }

  /** The worker does not run: nobody waits for it any longer. @param {unknown} error */
  #fail(error) {
    const failed = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#end();
    for (const { reject } of failed) reject(new EngineFailed(String(error)));
  }

  #end() {
    this.#worker?.terminate();
    this.#worker = null;
  }
}

/** @type {PageEngine | null | undefined} */
let only;

/** The engine of this page; null if it has none. */
export function pageEngine() {
  if (only === undefined) {
    const [wasm, worker] = ["engine", "engine-worker"].map(addressOf);
    const canRun = typeof WebAssembly === "object" && typeof Worker === "function";
    only = wasm && worker && canRun ? new PageEngine({ wasm, worker }) : null;
  }
  return only;
}

/** The address in a meta element of the page. @param {string} name */
function addressOf(name) {
  if (typeof document === "undefined") return null;
  const found = /** @type {HTMLMetaElement | null} */ (document.querySelector(`meta[name="${name}"]`));
  return found && new URL(found.content, document.baseURI).href;
}
