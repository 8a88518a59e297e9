/**
 * The tree of a game and its variations. The moves of the game come first and are numbered by their plies; variations are
 * added behind them. No DOM.
 *
 * @typedef {import("../lib/types.js").RecordPosition} RecordPosition
 */

export class VariationTree {
  /** @param {RecordPosition[]} positions of the game; variations are added to the same list */
  constructor(positions) {
    this.positions = positions;
    /** The number of the last position of the game. */
    this.last = positions.length - 1;
    /** @type {number[]} the position before each */
    this.parents = positions.map((_, ply) => ply - 1);
  }

  /** True if a position is not of the game itself. @param {number} node */
  isVariation(node) {
    return node > this.last;
  }

  /** The last position of the game on the way to this one. @param {number} node */
  plyOf(node) {
    while (this.isVariation(node)) node = this.parents[node];
    return node;
  }

  /** The positions that one move leads to, that of the game first. @param {number} node */
  children(node) {
    return this.parents.flatMap((parent, child) => (parent === node && child > 0 ? [child] : []));
  }

  /** The position that a move leads to, if it is in the tree. @param {number} node @param {string} move */
  find(node, move) {
    return this.children(node).find((child) => this.positions[child].move === move) ?? null;
  }

  /** Adds the position after a move. @param {number} parent @param {RecordPosition} position */
  add(parent, position) {
    this.parents.push(parent);
    return this.positions.push(position) - 1;
  }

  /** The positions of a variation from the game on, this one included. @param {number} node */
  branch(node) {
    /** @type {number[]} */
    const found = [];
    for (; this.isVariation(node); node = this.parents[node]) found.unshift(node);
    return found;
  }

  /** Every variation, each to its end. */
  branches() {
    const ends = this.positions.flatMap((_, node) =>
      this.isVariation(node) && !this.children(node).length ? [node] : [],
    );
    return ends.map((end) => this.branch(end));
  }
}
