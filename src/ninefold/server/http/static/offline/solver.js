/**
 * Exact values of the moves of small games, and how well the computer's levels play them: as core/solver.py and
 * players/solved.py. No DOM.
 *
 * @typedef {import("./match.js").Match} Match
 * @typedef {import("./table-rules.js").TablePosition} TablePosition
 * @typedef {import("./table-rules.js").Value} Value
 * @typedef {Map<number, Value>} Values by move
 */

/** Orders values for the side they are for: a win soon, a win late, a draw, a loss late, a loss soon. @param {Value} value */
const rank = ({ sign, distance }) => sign * 1000 - sign * (distance ?? 0);

/** The lines that a side has on the board. @param {number[][]} lines @param {string[]} cells @param {string} side */
export function completedLine(lines, cells, side) {
  return lines.find((line) => line.every((cell) => cells[cell] === side)) ?? null;
}

export class Solver {
  /** @param {import("./game.js").Game} game of a small game @param {number[][]} lines @param {boolean} claims true if victory must be claimed */
  constructor(game, lines, claims) {
    this.game = game;
    this.lines = lines;
    this.claims = claims;
  }

  /** The value of every legal move for the side that makes it. @param {TablePosition} position @returns {Values} */
  values(position) {
    if (!this.claims) return position.valuesOfMoves();
    const { cells, turn } = position;
    const mine = completedLine(this.lines, cells, turn);
    const isOpen = mine || completedLine(this.lines, cells, turn === "X" ? "O" : "X");
    if (!isOpen) return this.#asClaimed(position).valuesOfMoves();
    // A line stands that nobody has claimed: whoever claims first has won.
    const winning = mine ? position.moves() : position.moves().filter((move) => this.completes(position, move));
    return new Map(position.moves().map((move) => [move, { sign: winning.includes(move) ? 1 : -1, distance: 1 }]));
  }

  /** Players who claim their lines at once end the game with them. @param {TablePosition} position */
  #asClaimed({ marks, turn, first }) {
    const text = `${marks} ${turn} first=${first} line_ends=yes`;
    return /** @type {TablePosition} */ (this.game.rules.parse(text, { first, line_ends: "yes" }));
  }

  /** True if the side to move could claim victory after a move. @param {TablePosition} position @param {number} move */
  completes(position, move) {
    return completedLine(this.lines, position.play(move).cells, position.turn) !== null;
  }

  /** The moves of the best value. @param {TablePosition} position */
  best(position) {
    const values = this.values(position);
    const top = Math.max(...[...values.values()].map(rank));
    return [...values.keys()].filter((move) => rank(/** @type {Value} */ (values.get(move))) === top);
  }

  /** The moves with their values, the best first. @param {TablePosition} position */
  ranked(position) {
    return [...this.values(position)].sort(([one, value], [other, its]) => rank(its) - rank(value) || one - other);
  }

  /** Of the best moves, those that leave the opponent the largest share of mistakes. @param {TablePosition} position */
  sharpest(position) {
    const moves = this.best(position);
    if (moves.length === 1) return moves;
    const shares = moves.map((move) => this.#mistakes(position.play(move)));
    return moves.filter((_, place) => shares[place] === Math.max(...shares));
  }

  /** @param {TablePosition} position */
  #mistakes(position) {
    const signs = [...this.values(position).values()].map(({ sign }) => sign);
    return signs.length ? signs.filter((sign) => sign < Math.max(...signs)).length / signs.length : 0;
  }
}
