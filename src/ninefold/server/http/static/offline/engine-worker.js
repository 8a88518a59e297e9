/**
 * The worker in which the engine of a page searches. It answers one request after the other; page-engine.js ends it to
 * stop a search.
 *
 * @typedef {import("./big-position.js").BigPosition} BigPosition
 * @typedef {import("./big-position.js").Options} Options
 *
 * @typedef {object} AnalyzeRequest
 * @property {"analyze"} kind
 * @property {string} position its text
 * @property {Options} defaults for options that the text does not name
 * @property {number} millis
 * @property {number} lines how many moves are ranked
 *
 * @typedef {object} ChooseRequest
 * @property {"choose"} kind
 * @property {string} position
 * @property {Options} defaults
 * @property {import("./levels.js").Level} level
 *
 * @typedef {AnalyzeRequest | ChooseRequest} EngineRequest
 * @typedef {{id: number, wasm: string, request: EngineRequest}} ToWorker
 * @typedef {{id: number, answer?: unknown, error?: string}} FromWorker
 */

import { ENGINE_LEVEL_MEMORY, ENGINE_NETWORKS } from "../lib/api-constants.js";
import { analysisOf } from "./analysis.js";
import { loadCore } from "./core.js";
import { chooseMove } from "./levels.js";
import { ruleSetName } from "./network-file.js";

/** @type {Promise<import("./core.js").Core> | null} */
let loading = null;
/** @type {Promise<void>} */
let last = Promise.resolve();

addEventListener("message", (/** @type {MessageEvent<ToWorker>} */ { data }) => {
  last = last.then(() => respond(data));
});

/** @param {ToWorker} message */
async function respond({ id, wasm, request }) {
  /** @type {FromWorker} */
  const reply = { id };
  try {
    reply.answer = await answer(wasm, request);
  } catch (error) {
    reply.error = String(error);
  }
  postMessage(reply);
}

/** @param {string} wasm the address of the engine @param {EngineRequest} request */
async function answer(wasm, request) {
  loading ??= loadCore(fetch(wasm));
  const core = await loading;
  const position = core.parse(request.position, request.defaults);
  if (!core.hasNetwork(position.options)) await loadNetwork(core, wasm, position.options);
  if (request.kind === "choose") return chooseMove(core, position, request.level);
  core.clear(ENGINE_LEVEL_MEMORY);
  const info = core.search(position, { seconds: request.millis / 1000, lines: request.lines });
  return analysisOf(core, position, info);
}

/**
 * Load the network of a rule set. Rules without one are searched with the hand-crafted evaluation.
 *
 * @param {import("./core.js").Core} core @param {string} wasm @param {Options} options
 */
async function loadNetwork(core, wasm, options) {
  const rules = ruleSetName(options);
  if (!ENGINE_NETWORKS.includes(rules)) return;
  const response = await fetch(new URL(`${rules}.net`, wasm));
  if (!response.ok) throw new Error(`The network of the engine cannot be loaded: ${response.status}.`);
  core.setNetwork(await response.arrayBuffer());
}
