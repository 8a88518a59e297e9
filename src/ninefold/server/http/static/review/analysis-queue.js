/**
 * Asks the server what positions are worth: the one that is looked at first and deeper, then the others one by one.
 *
 * @typedef {import("../lib/types.js").Analysis} Analysis
 * @typedef {import("../lib/types.js").PositionView} PositionView
 */

import * as api from "../lib/api.js";

const QUICK = 100;
const DEEP = 1000;

export class Analyst {
  /**
   * @param {string} game
   * @param {PositionView[]} positions
   * @param {() => void} changed
   */
  constructor(game, positions, changed) {
    this.game = game;
    this.positions = positions;
    this.changed = changed;
    /** @type {(Analysis | null)[]} */
    this.known = positions.map(() => null);
    /** @type {Set<number>} */
    this.deep = new Set();
    this.ply = 0;
    this.running = false;
    this.stopped = false;
    /** @type {api.Problem | null} */
    this.problem = null;
  }

  /** For X, by position. */
  get scores() {
    return this.known.map((analysis) => analysis?.score ?? null);
  }

  /** @param {number} ply the position that is looked at */
  look(ply) {
    this.ply = ply;
    if (!this.running && !this.stopped) void this.#run();
  }

  /** For good: what it still hears is told to nobody. */
  stop() {
    this.stopped = true;
  }

  async #run() {
    this.running = true;
    while (!this.stopped) {
      const next = this.#next();
      if (!next) break;
      try {
        await this.#ask(next.ply, next.millis);
        this.problem = null;
      } catch (problem) {
        if (!(problem instanceof api.Problem)) throw problem;
        this.problem = problem;
        if (!problem.passing) this.#giveUp(next.ply);
        else await new Promise((done) => setTimeout(done, (problem.retryAfter || 2) * 1000));
      }
      if (!this.stopped) this.changed();
    }
    this.running = false;
  }

  /** What to ask next: here, then everywhere, then here for longer. */
  #next() {
    const { known, ply } = this;
    if (!known[ply] && !this.deep.has(ply)) return { ply, millis: QUICK };
    const here = known[ply];
    if (here && !here.exact && !this.deep.has(ply)) return { ply, millis: DEEP };
    const missing = known.findIndex((analysis, at) => !analysis && !this.deep.has(at));
    return missing < 0 ? null : { ply: missing, millis: QUICK };
  }

  /** @param {number} ply @param {number} millis */
  async #ask(ply, millis) {
    const analysis = await api.analyze({ game: this.game, position: this.positions[ply].position, millis });
    this.known[ply] = analysis;
    if (millis === DEEP || analysis.exact) this.deep.add(ply);
  }

  /** A position that the server refuses is not asked for again. @param {number} ply */
  #giveUp(ply) {
    this.deep.add(ply);
  }
}
