/**
 * Asks for the values of positions: first the one that is shown, then the others one by one.
 *
 * @typedef {import("../lib/types.js").Analysis} Analysis
 * @typedef {import("../lib/types.js").RecordPosition} RecordPosition
 */

import { analyze } from "../lib/analysis.js";
import { ApiProblem } from "../lib/api.js";

const QUICK = 100; // milliseconds of thinking
const DEEP = 1000;
const RETRY_AFTER = 2; // seconds, if the server does not say

export class AnalysisQueue {
  /**
   * @param {{game: string, claims?: boolean}} rules the game, and whether victory must be claimed
   * @param {RecordPosition[]} positions
   * @param {() => void} onChange
   */
  constructor(rules, positions, onChange) {
    this.rules = rules;
    this.positions = positions;
    this.onChange = onChange;
    /** @type {(Analysis | null)[]} */
    this.results = positions.map(() => null);
    /** @type {Set<number>} the positions that are not asked for again */
    this.done = new Set();
    this.ply = 0;
    this.isRunning = false;
    this.isStopped = false;
    /** @type {ApiProblem | null} */
    this.problem = null;
    /** Stops the long search of a position that is no longer shown. @type {AbortController | null} */
    this.deepSearch = null;
  }

  /** The scores for X, by position. */
  get scores() {
    return this.results.map((analysis) => analysis?.score ?? null);
  }

  /** @param {number} ply the position that is shown */
  show(ply) {
    if (ply !== this.ply) this.deepSearch?.abort();
    this.ply = ply;
    if (!this.isRunning && !this.isStopped) void this.#run();
  }

  /** A position was added to the list. */
  add() {
    this.results.push(null);
  }

  /** Stops for good; an answer that still arrives is not reported. */
  stop() {
    this.isStopped = true;
    this.deepSearch?.abort();
  }

  async #run() {
    this.isRunning = true;
    while (!this.isStopped) {
      const next = this.#next();
      if (!next) break;
      try {
        await this.#analyze(next.ply, next.millis);
        this.problem = null;
      } catch (problem) {
        if (this.deepSearch?.signal.aborted) continue;
        if (!(problem instanceof ApiProblem)) throw problem;
        this.problem = problem;
        if (!problem.isTransient) this.done.add(next.ply);
        else await new Promise((done) => setTimeout(done, (problem.retryAfter || RETRY_AFTER) * 1000));
      }
      if (!this.isStopped) this.onChange();
    }
    this.isRunning = false;
  }

  /** What to ask next: the position that is shown, the same for longer, then the others. */
  #next() {
    const { results, done, ply } = this;
    if (!done.has(ply)) {
      const shown = results[ply];
      if (!shown) return { ply, millis: QUICK };
      if (!shown.exact) return { ply, millis: DEEP };
    }
    const missing = results.findIndex((analysis, index) => !analysis && !done.has(index));
    return missing < 0 ? null : { ply: missing, millis: QUICK };
  }

  /** @param {number} ply @param {number} millis */
  async #analyze(ply, millis) {
    this.deepSearch = millis === DEEP ? new AbortController() : null;
    const request = { ...this.rules, position: this.positions[ply].position, millis };
    const analysis = await analyze(request, this.deepSearch?.signal);
    this.results[ply] = analysis;
    if (millis === DEEP || analysis.exact) this.done.add(ply);
  }
}
