/**
 * The state of a match: what each event does to it. No DOM.
 *
 * @typedef {import("../lib/types.js").Side} Side
 * @typedef {import("./match.js").Claim} Claim
 * @typedef {import("./match.js").MatchEvent} MatchEvent
 * @typedef {import("./match.js").Result} Result
 * @typedef {import("./match.js").Setup} Setup
 * @typedef {import("./match.js").State} State
 * @typedef {import("./rulebook.js").Rulebook} Rulebook
 */

const UNFINISHED = ["left", "expired"]; // endings that have no winner and are not draws

/** @param {Side} side @returns {Side} */
const other = (side) => (side === "X" ? "O" : "X");

/** @param {Setup} setup @param {number} seat */
export const sideOf = ({ seats }, seat) => seats[seat - 1].side;

/** @param {Setup} setup @param {Side} side */
export const seatOf = ({ seats }, side) => (seats[0].side === side ? 1 : 2);

/** The name of a seat's player: Player 1, Ann, hard. @param {Rulebook} book @param {Setup} setup @param {number} seat */
export function displayName({ wording }, setup, seat) {
  const name = nameOf(wording, setup, seat);
  return typeof name === "string" ? name : wording.sentence(name);
}

/** @param {Rulebook["wording"]} wording @param {Setup} setup @param {number} seat */
function nameOf(wording, { seats }, seat) {
  const { name, player } = seats[seat - 1];
  if (name) return name;
  if (player === "human") return { code: "player.default", params: { seat } };
  return wording.has(`level.${player}`) ? { code: `level.${player}`, params: {} } : player;
}

/** The name with the side: Player 1 (X). @param {Rulebook} book @param {Setup} setup @param {number} seat */
export function label({ wording }, setup, seat) {
  return { code: "player.label", params: { name: nameOf(wording, setup, seat), side: sideOf(setup, seat) } };
}

/** @param {Result} result */
export const isUnfinished = ({ by }) => UNFINISHED.includes(by);

/** @param {import("./game.js").Game} game @param {Result} result */
export function resultSentence(game, result) {
  return game.wording.sentence(resultMessage(game, result));
}

/** @param {import("./game.js").Game} game @param {Result} result @returns {import("./wording.js").Message} */
export function resultMessage(game, result) {
  if (isUnfinished(result)) return { code: "result.unfinished", params: { why: result.outcome.why } };
  return game.outcomeMessage(result.outcome);
}

/** @param {Result} result */
export function scoreOf(result) {
  if (isUnfinished(result)) return "*";
  const { winner } = result.outcome;
  return winner === null ? "1/2-1/2" : winner === "X" ? "1-0" : "0-1";
}

/** @param {Setup} setup @returns {State} */
export function startOf({ game, options }) {
  return newState(game.rules.start(options), [], null, null, 0);
}

/**
 * @param {State["position"]} position
 * @param {number[]} moves
 * @param {State | null} previous
 * @param {State["verdict"]} verdict
 * @param {number} claimedAt
 * @returns {State}
 */
function newState(position, moves, previous, verdict, claimedAt) {
  return { position, moves, previous, pending: null, barred: [], offer: null, result: null, verdict, claimedAt };
}

/** The state after an event that the rules have allowed. @param {Setup} setup @param {State} state @param {MatchEvent} event @returns {State} */
export function apply(setup, state, { seat, action }) {
  switch (action.kind) {
    case "move":
      return moved(setup, state, seat, action);
    case "claim":
      return { ...state, pending: { side: sideOf(setup, seat), cells: action.cells ?? [] }, claimedAt: state.moves.length };
    case "settle":
      return settled(state, action.text ?? "");
    case "offer":
      return { ...state, offer: { seat, what: action.text ?? "" } };
    case "decline":
      return { ...state, offer: null };
    case "accept":
      return state.offer?.what === "draw" ? ended(state, "agreed", null) : state;
    case "resign":
      return ended(state, "resigned", other(sideOf(setup, seat)), sideOf(setup, seat));
    case "leave":
      return ended(state, "left", null, sideOf(setup, seat));
    case "flag":
    case "gone": {
      const loser = sideOf(setup, action.number ?? 1);
      return ended(state, action.kind === "flag" ? "flagged" : "gone", other(loser), loser);
    }
    case "expire":
      return ended(state, "expired", null);
    case "take_back":
      return takenBack(state, action.number ?? 1);
    case "draw_early":
      return ended(state, "early_draw", null);
    default:
      return state; // answers wait for the referee's settlement; a message changes nothing
  }
}

/** @param {Setup} setup @param {State} state @param {number} seat @param {MatchEvent["action"]} action @returns {State} */
function moved(setup, state, seat, { move, cells }) {
  const moves = [...state.moves, Number(move)];
  const after = newState(state.position.play(Number(move)), moves, state, state.verdict, state.claimedAt);
  if (!cells) return endedByRules(after);
  return { ...after, pending: { side: sideOf(setup, seat), cells }, claimedAt: moves.length };
}

/** @param {State} state @param {number} plies @returns {State} */
function takenBack(state, plies) {
  for (let ply = 0; ply < plies; ply++) {
    if (!state.previous) throw new Error("no move to take back");
    state = state.previous;
  }
  return state;
}

/** @param {State} state @param {string} reason @returns {State} */
function settled(state, reason) {
  const { pending: claim, position } = state;
  if (!claim) throw new Error("no claim to settle");
  const held = claim.cells.filter((cell) => position.cells[cell] === claim.side).length;
  const after = { ...state, pending: null, verdict: { reason, claim, held } };
  if (reason !== "true") return endedByRules({ ...after, barred: [...new Set([...state.barred, claim.side])] });
  const outcome = { winner: claim.side, reason: "line", why: { code: "result.claim", params: {} }, lines: [claim.cells] };
  return { ...after, result: { by: "claim", outcome } };
}

/** @param {State} state @returns {State} */
function endedByRules(state) {
  const { outcome } = state.position;
  return outcome ? { ...state, result: { by: "rules", outcome } } : state;
}

/** @param {State} state @param {string} by @param {Side | null} winner @param {Side | null} [side] who did it @returns {State} */
function ended(state, by, winner, side = null) {
  const why = { code: `result.${by}`, params: side ? { side } : {} };
  return { ...state, offer: null, result: { by, outcome: { winner, reason: by, why, lines: [] } } };
}

/** The referee's verdict: "true", or what is wrong. @param {Rulebook} book @param {Claim} claim @param {string[]} marks */
export function verdictOn(book, { side, cells }, marks) {
  const held = cells.map((cell) => (!marks[cell] ? 0 : marks[cell] === side ? 1 : 2));
  return book.verdicts[cells.join("")][held[0] * 9 + held[1] * 3 + held[2]];
}

/** The referee's verdict in words. @param {import("./match.js").Verdict} verdict @param {import("./game.js").Game} game */
export function verdictMessage({ reason, claim: { side, cells }, held }, game) {
  const few = reason === "only_two" ? [".none", ".one", ""][held] : "";
  return { code: `verdict.${reason}${few}`, params: { cells: game.format(cells), side, other: other(side) } };
}
