/**
 * The match: folds actions into events, as ninefold/match does in Python, event by event. No DOM, no clock.
 *
 * Clocks are missing: a match in the browser alone has none.
 *
 * @typedef {import("../lib/types.js").Side} Side
 * @typedef {import("./game.js").Game} Game
 * @typedef {import("./game.js").Options} Options
 * @typedef {import("./table-rules.js").Outcome} Outcome
 * @typedef {import("./table-rules.js").Position} Position
 * @typedef {import("./wording.js").Params} Params
 *
 * @typedef {object} Action
 * @property {string} kind
 * @property {unknown} [move] its number, or a path
 * @property {unknown[] | null} [cells] that are claimed
 * @property {string} [text]
 * @property {number | null} [number] of plies taken back, or of the seat whose flag fell or who has gone
 *
 * @typedef {object} MatchEvent
 * @property {number} at
 * @property {number} seat 1, 2, or 0 for the referee
 * @property {{kind: string, move?: number, cells?: number[], text?: string, number?: number}} action
 *
 * @typedef {{side: Side, name: string, player: string}} SeatSetup
 *
 * @typedef {object} Setup
 * @property {Game} game
 * @property {Options} options
 * @property {SeatSetup[]} seats
 * @property {number} at
 * @property {number | null} seed
 * @property {boolean} toss
 *
 * @typedef {{side: Side, cells: number[]}} Claim
 * @typedef {{reason: string, claim: Claim, held: number}} Verdict
 * @typedef {{by: string, outcome: Outcome}} Result
 *
 * @typedef {object} State
 * @property {Position} position
 * @property {number[]} moves
 * @property {State | null} previous in which the last move was made
 * @property {Claim | null} pending
 * @property {Side[]} barred
 * @property {{seat: number, what: string} | null} offer
 * @property {Result | null} result
 * @property {Verdict | null} verdict on the last claim that was settled
 * @property {number} claimedAt how many moves had been made when the last claim was
 *
 * @typedef {{seat: number, action: MatchEvent["action"]}} Emitted
 */

import { apply, displayName, label, resultMessage, seatOf, sideOf, startOf, verdictOn } from "./match-state.js";
import { Refusal, clean, cut } from "./wording.js";

export { displayName, label };

export const REFEREE = 0; // the referee's seat
const ENDED_BY_MOVE = ["rules", "early_draw"]; // endings to which the last move led
const LATEST = 253_402_300_799_999; // the last millisecond of the year 9999
const LARGEST_SEED = 2n ** 63n - 1n;

/**
 * @param {import("./rulebook.js").Rulebook} book
 * @param {Game} game
 * @param {Options} options
 * @param {SeatSetup[]} seats
 * @param {{at?: number, seed?: number | null, toss?: boolean}} [more]
 * @returns {Match}
 */
export function begin(book, game, options, seats, { at = 0, seed = null, toss = false } = {}) {
  const settled = game.settleOptions(options);
  if (seats[0].side === seats[1].side) throw new Refusal("same_side");
  if (settled.claims === "yes" && settled.line_ends === "yes") throw new Refusal("line_ends");
  if (!(at >= 0 && at <= LATEST)) throw new Refusal("not_a_time");
  if (seed !== null && !(seed >= 0)) throw new Refusal("not_a_seed", { most: LARGEST_SEED });
  const { name: nameLength, player: playerLength } = book.lengths;
  const cleaned = seats.map(({ side, name, player }) => ({
    side,
    name: cut(clean(name), nameLength),
    player: cut(clean(player), playerLength),
  }));
  const setup = { game, options: settled, seats: cleaned, at, seed, toss };
  return new Match(book, setup, startOf(setup), []);
}

/** An immutable value: acting on a match gives a new one. */
export class Match {
  /**
   * @param {import("./rulebook.js").Rulebook} book
   * @param {Setup} setup
   * @param {State} state
   * @param {MatchEvent[]} events
   */
  constructor(book, setup, state, events) {
    this.book = book;
    this.setup = setup;
    this.state = state;
    this.events = events;
  }

  /** The match after an action, or a Refusal that changes nothing. @param {number} seat @param {Action} action @param {number} [at] */
  act(seat, action, at = 0) {
    const decided = decide(this, seat, action).map((emitted) => ({ at, ...emitted }));
    return this.#after(decided);
  }

  /** The match after events that the rules have decided. @param {MatchEvent[]} events */
  #after(events) {
    const { book, setup, state } = this;
    const after = events.reduce((before, event) => apply(setup, before, event), state);
    return new Match(book, setup, after, [...this.events, ...events]);
  }

  get game() {
    return this.setup.game;
  }

  get position() {
    return this.state.position;
  }

  get result() {
    return this.state.result;
  }

  /** Counts the events that change the game. */
  get version() {
    return this.events.filter(({ action }) => action.kind !== "say").length;
  }

  /** The seat that has to act now; null after the end. @returns {number | null} */
  get toAct() {
    const { result, pending, position } = this.state;
    if (result) return null;
    return seatOf(this.setup, pending ? other(pending.side) : position.turn);
  }

  /** The events that still stand after take-backs. */
  get played() {
    /** @type {MatchEvent[]} */
    const played = [];
    for (const event of this.events) {
      if (event.action.kind !== "take_back") played.push(event);
      else for (let plies = event.action.number ?? 1; plies > 0; plies--) played.length = lastMove(played);
    }
    return played;
  }
}

/** @param {MatchEvent[]} played */
function lastMove(played) {
  return played.findLastIndex(({ action }) => action.kind === "move");
}

/** @param {Side} side @returns {Side} */
const other = (side) => (side === "X" ? "O" : "X");

/** What an action becomes, or a Refusal. @param {Match} match @param {number} seat @param {Action} action @returns {Emitted[]} */
export function decide(match, seat, action) {
  const { book, setup, state } = match;
  const { kinds, referee } = book.actions;
  if (!kinds.includes(action.kind))
    throw new Refusal("no_such_action", { kind: book.quoted(action.kind), kinds: kinds.join(" ") });
  const isReferees = referee.includes(action.kind);
  if (!(isReferees ? [REFEREE] : [1, 2]).includes(seat))
    throw new Refusal(isReferees ? "no_such_seat.referee" : "no_such_seat", { seat, kind: `'${action.kind}'` });
  if (state.result && !mayFollowTheEnd(state.result, action))
    throw new Refusal("ended.result", { result: resultMessage(setup.game, state.result) });
  const emitted = HANDLERS[action.kind](new Attempt(match, seat, action));
  const after = emitted.reduce((before, one) => apply(setup, before, { at: 0, ...one }), state);
  return isDeadDraw(setup, emitted, after) ? [...emitted, { seat: REFEREE, action: { kind: "draw_early" } }] : emitted;
}

/** Words may, and taking back the move that ended the game. @param {Result} result @param {Action} action */
function mayFollowTheEnd({ by }, { kind }) {
  return kind === "say" || (kind === "take_back" && ENDED_BY_MOVE.includes(by));
}

/** @param {Setup} setup @param {Emitted[]} emitted @param {State} after */
function isDeadDraw(setup, emitted, after) {
  if (after.result || after.pending || setup.options.early_draw !== "yes") return false;
  return emitted.some(({ action }) => ["move", "settle"].includes(action.kind)) && after.position.isDeadDraw;
}

/** A seat tries an action in a state. */
class Attempt {
  /** @param {Match} match @param {number} seat @param {Action} action */
  constructor({ book, setup, state }, seat, action) {
    this.book = book;
    this.setup = setup;
    this.state = state;
    this.seat = seat;
    this.action = action;
    this.side = seat ? sideOf(setup, seat) : null;
  }

  /** @param {string} kind @param {Omit<MatchEvent["action"], "kind">} [fields] @returns {Emitted} */
  emit(kind, fields = {}) {
    return { seat: this.seat, action: { kind, ...fields } };
  }

  checkNoClaimPending() {
    const { pending } = this.state;
    if (!pending) return;
    const player = label(this.book, this.setup, seatOf(this.setup, other(pending.side)));
    throw new Refusal("claim_pending", { side: pending.side, player });
  }

  /** @returns {Claim} */
  get pendingClaim() {
    if (!this.state.pending) throw new Refusal("no_claim", { side: this.state.position.turn });
    return this.state.pending;
  }

  /** The cells of a claim, ascending. */
  get claimedCells() {
    const { game, options } = this.setup;
    if (options.claims !== "yes") throw new Refusal("no_claims", { game: game.title });
    const cells = this.action.cells ?? [];
    const isClaim = cells.length === 3 && new Set(cells).size === 3 && cells.every(isCell);
    if (!isClaim) throw new Refusal("not_a_claim");
    return /** @type {number[]} */ ([...cells]).sort();
  }

  /** A message as it may be kept. */
  get message() {
    const message = clean(this.action.text ?? "");
    if (!message) throw new Refusal("no_text");
    const { length } = [...message];
    const most = this.book.lengths.message;
    if (length > most) throw new Refusal("too_long", { most, found: length });
    return message;
  }

  /** The referee's decision on a claim, which depends on the board alone. @param {Claim} claim @returns {Emitted} */
  settlement(claim) {
    const text = verdictOn(this.book, claim, this.state.position.cells);
    return { seat: REFEREE, action: { kind: "settle", text } };
  }
}

/** @param {unknown} cell @returns {cell is number} */
const isCell = (cell) => Number.isInteger(cell) && Number(cell) >= 0 && Number(cell) < 9;

/** @param {Attempt} attempt */
function move(attempt) {
  const { setup, state, side, action } = attempt;
  const claimed = (action.cells ?? null) === null ? null : attempt.claimedCells;
  const talk = action.text ? [attempt.emit("say", { text: attempt.message })] : [];
  attempt.checkNoClaimPending();
  const { turn } = state.position;
  if (side !== turn)
    throw new Refusal("not_your_turn", { side: turn, player: label(attempt.book, setup, seatOf(setup, turn)) });
  const { game } = setup;
  const path = Number.isInteger(action.move) ? (game.paths[Number(action.move)] ?? [-1]) : action.move;
  if (!Array.isArray(path) || !path.every(Number.isInteger)) throw new Refusal("not_a_move.kind");
  return [attempt.emit("move", { move: game.moveAt(state.position, path), ...(claimed && { cells: claimed }) }), ...talk];
}

/** @param {Attempt} attempt */
function claim(attempt) {
  const cells = attempt.claimedCells;
  attempt.checkNoClaimPending();
  if (attempt.side && attempt.state.barred.includes(attempt.side)) throw new Refusal("barred");
  return [attempt.emit("claim", { cells })];
}

/** @param {Attempt} attempt */
function answer(attempt) {
  const pending = attempt.pendingClaim;
  if (pending.side === attempt.side) throw new Refusal("not_yours_to_answer");
  const { kind } = attempt.action;
  const answered = kind === "dispute" ? attempt.emit(kind, { text: reason(attempt) }) : attempt.emit(kind);
  return [answered, attempt.settlement(pending)];
}

/** The text of a dispute, which says what is wrong with the claim. @param {Attempt} attempt */
function reason(attempt) {
  try {
    return attempt.message;
  } catch (refusal) {
    if (refusal instanceof Refusal && refusal.code === "no_text") throw new Refusal("no_text.dispute");
    throw refusal;
  }
}

/** @param {Attempt} attempt */
function withdraw(attempt) {
  const { pending, position } = attempt.state;
  if (!pending) throw new Refusal("no_claim.withdraw", { side: position.turn });
  if (pending.side !== attempt.side) throw new Refusal("not_yours_to_answer.withdraw");
  return [attempt.emit("withdraw"), attempt.settlement(pending)];
}

/** Resigning, leaving and the like: a pending claim is settled first, and a true one has won. @param {Attempt} attempt */
function end(attempt) {
  const { setup, state, action } = attempt;
  const isOfSeat = ["flag", "gone"].includes(action.kind);
  if (isOfSeat && ![1, 2].includes(action.number ?? 0)) throw new Refusal("no_such_seat.flag");
  const ending = attempt.emit(action.kind, isOfSeat ? { number: action.number ?? 1 } : {});
  if (!state.pending) return [ending];
  const settlement = attempt.settlement(state.pending);
  const settled = apply(setup, state, { at: 0, ...settlement });
  return settled.result ? [settlement] : [settlement, ending];
}

/** @param {Attempt} attempt */
function takeBack(attempt) {
  attempt.checkNoClaimPending();
  const plies = attempt.action.number ?? null;
  checkTakeBack(attempt.state, plies);
  return [attempt.emit("take_back", { number: Number(plies) })];
}

/** @param {State} state @param {number | null} plies */
function checkTakeBack({ moves, claimedAt }, plies) {
  const isPossible = plies !== null && Number.isInteger(plies) && plies >= 1 && plies <= moves.length;
  if (!isPossible) throw new Refusal("nothing_to_undo", { moves: moves.length });
  if (plies > moves.length - claimedAt) throw new Refusal("claim_stands");
}

/** The plies that go back when a seat takes back its own last move. @param {Attempt} attempt @param {number} seat */
function pliesBack({ setup, state }, seat) {
  return state.position.turn === sideOf(setup, seat) ? 2 : 1;
}

/** @param {Attempt} attempt */
function offer(attempt) {
  attempt.checkNoClaimPending();
  const { offers } = attempt.book.actions;
  const what = attempt.action.text ?? "";
  if (!offers.includes(what)) throw new Refusal("no_such_offer", { offers: offers.join(" ") });
  if (attempt.state.offer) throw new Refusal("offer_pending");
  if (what === "take_back") checkTakeBack(attempt.state, pliesBack(attempt, attempt.seat));
  return [attempt.emit("offer", { text: what })];
}

/** @param {Attempt} attempt */
function reply(attempt) {
  attempt.checkNoClaimPending();
  const { offer: offered } = attempt.state;
  if (!offered || offered.seat === attempt.seat) throw new Refusal("no_offer");
  const replied = attempt.emit(attempt.action.kind);
  if (attempt.action.kind !== "accept" || offered.what !== "take_back") return [replied];
  const number = pliesBack(attempt, offered.seat);
  return [replied, { seat: offered.seat, action: { kind: "take_back", number } }];
}

/** @type {Record<string, (attempt: Attempt) => Emitted[]>} */
const HANDLERS = {
  move,
  claim,
  confirm: answer,
  dispute: answer,
  withdraw,
  say: (attempt) => [attempt.emit("say", { text: attempt.message })],
  offer,
  accept: reply,
  decline: reply,
  take_back: takeBack,
  resign: end,
  leave: end,
  settle: (attempt) => [attempt.settlement(attempt.pendingClaim)],
  flag: end,
  gone: end,
  expire: end,
};
