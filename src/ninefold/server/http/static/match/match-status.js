/**
 * The state of a match in sentences, and what the player can do about it. No DOM.
 *
 * @typedef {import("../lib/types.js").Claim} Claim
 * @typedef {import("../lib/types.js").Game} Game
 * @typedef {import("../lib/types.js").Layout} Layout
 * @typedef {import("../lib/types.js").MatchView} MatchView
 *
 * @typedef {"claim" | "take_back" | "draw" | "resign" | "leave" | "handover" | "share" | "rematch" | "open_rematch"
 *   | "watch_rematch" | "review" | "rules" | "undo" | "share_game" | "hint" | "report" | "block"} ActionName a button of the action bar
 */

import { question } from "../lib/labels.js";
import { loadMatch } from "../lib/match-storage.js";
import { pendingClaim, reservedSeats, resultSentence, seatName } from "../lib/match-view.js";
import { text } from "../lib/messages.js";
import { isLocalMatch } from "../lib/offline.js";
import { skipForcedChoices } from "../lib/move-paths.js";
import { shortPlaces } from "../lib/places.js";

/**
 * What the match waits for; "" if it is over.
 *
 * @param {MatchView} view
 * @param {Game} game
 * @param {number[]} mySeats
 * @param {number[] | null} prefix the choices made on the way to a move; null if a move has been sent
 */
export function describeStatus(view, game, mySeats, prefix) {
  if (view.result) return "";
  if (view.status === "open" || view.asked === null) return describeWaiting(view, mySeats);
  const seat = view.seats[view.asked - 1];
  const isMine = mySeats.includes(seat.seat);
  const player = seatName(seat);
  const claim = pendingClaim(view);
  if (claim)
    return isMine
      ? text("status.answer_claim", { side: claim.side })
      : text("status.claim_pending", { side: claim.side, player });
  if (!isMine)
    return seat.player === "computer"
      ? text("status.thinking", { player })
      : text("status.to_move", { player, side: seat.side });
  if (!prefix) return text("status.sending");
  return askForMove(view, game, mySeats, prefix);
}

/** @param {MatchView} view @param {number[]} mySeats */
function describeWaiting(view, mySeats) {
  if (reservedSeats(view, mySeats).length) return text("status.rematch_offered");
  const late = view.seats.find(({ reserved }) => reserved);
  if (late) return text("status.waiting_rematch", { player: lateName(late) });
  return text(mySeats.length && loadMatch(view.id).soughtAt ? "status.searching" : "status.waiting");
}

/** The name of a player whose seat is reserved. @param {import("../lib/types.js").Seat} seat */
const lateName = (seat) => seatName({ ...seat, player: "person" });

/** @param {MatchView} view @param {Game} game @param {number[]} mySeats @param {number[]} prefix */
function askForMove(view, game, mySeats, prefix) {
  const turn =
    mySeats.length > 1
      ? text("status.side_to_move", { side: view.seats[(view.asked ?? 1) - 1].side })
      : text("status.your_turn");
  const asked = question(game, prefix.length ? prefix : skipForcedChoices(view.moves), view.moves);
  return asked
    ? text("status.turn_and_question", { turn, question: asked })
    : text("status.turn", { turn });
}

/**
 * The result in two words, "You won" if this device plays one seat; "" if there is none.
 *
 * @param {MatchView} view
 * @param {number[]} mySeats
 */
export function shortResult({ result, seats }, mySeats) {
  if (!result) return "";
  if (result.score === "*") return text("result.no_winner");
  if (result.winner === null) return text("result.draw");
  if (mySeats.length !== 1) return text("result.wins", { side: result.winner });
  return text(seats[mySeats[0] - 1].side === result.winner ? "result.you_won" : "result.you_lost");
}

/**
 * The result with its reason: "You won. X wins: three in a row." or "A draw: agreed by both players."
 *
 * @param {MatchView} view
 * @param {number[]} mySeats
 * @returns {{headline: string, rest: string}} "" if there is none
 */
export function describeResult(view, mySeats) {
  const { result } = view;
  if (!result) return { headline: "", rest: "" };
  const short = shortResult(view, mySeats);
  const isPersonal = mySeats.length === 1 && result.winner !== null;
  return isPersonal
    ? { headline: text("result.personal", { result: short }), rest: resultSentence(result) }
    : { headline: short, rest: text("result.why", { why: result.why.params.why ?? result.why.text }) };
}

/**
 * Who answered the last claim and how; "" if nobody did.
 *
 * @param {MatchView} view
 */
export function claimAnswer({ claim, seats }) {
  if (!claim?.answer) return "";
  const { seat, kind, text: reason } = claim.answer;
  const { side, player } = seats[seat - 1];
  // A computer disputes with the referee's words, which are in the language of the page.
  const why = player === "computer" && claim.why ? claim.why.text : reason;
  return text(`claim.answered.${kind}`, { player: seatName(seats[seat - 1]), side, reason: why });
}

/** What the referee says about a claim; "" if nothing yet. @param {Claim} claim @param {Layout} layout */
export function verdictWords({ why, cells }, layout) {
  return why ? why.text.replace(why.params.cells, shortPlaces(layout, cells)) : "";
}

/**
 * @param {MatchView} view
 * @param {{seat: number, what: string}} offer
 * @param {number[]} mySeats
 */
export function describeOffer({ seats }, { seat, what }, mySeats) {
  const isMine = mySeats.length === 1 && mySeats.includes(seat);
  const player = seatName(seats[seat - 1]);
  if (what === "draw") return isMine ? text("offer.draw.mine") : text("offer.draw", { player });
  return isMine ? text("offer.take_back.mine") : text("offer.take_back", { player });
}

/**
 * The actions that are possible beside moving.
 *
 * @param {MatchView} view
 * @param {number[]} mySeats
 * @param {string | null} watch the secret that opens a private match to spectators, if it is known
 * @param {string} [rematch] what has become of the rematch: offered, declined, begun
 * @returns {ActionName[]}
 */
export function availableActions(view, mySeats, watch, rematch = "begun") {
  /** @type {(condition: boolean, ...actions: ActionName[]) => ActionName[]} */
  const only = (condition, ...actions) => (condition ? actions : []);
  const other = mySeats.length === 1 ? view.seats[2 - mySeats[0]].player : null;
  const isLocal = isLocalMatch(view.id);
  const about = only(!isLocal && (other === "person" || other === "left"), "report", "block");
  if (view.result) {
    const share = only(view.history.length > 0 && !isLocal, "share_game");
    return [...rematchActions(view, mySeats, rematch), "review", ...share, ...about];
  }
  const share = only(!view.private || Boolean(watch), "share");
  if (!mySeats.length) return share;
  if (view.status === "open") return reservedSeats(view, mySeats).length ? [] : ["leave", "handover"];
  const hasClaim = pendingClaim(view) !== null;
  return [
    ...only(!hasClaim && mayClaim(view, mySeats), "claim"),
    ...only(!hasClaim && !view.offer && view.history.length > 0, mySeats.length > 1 ? "undo" : "take_back", "draw"),
    ...only(!hasClaim && mayAskForHint(view, mySeats), "hint"),
    "resign",
    "leave",
    ...only(mySeats.length === 1 && !isLocal, "handover"),
    ...share,
    ...about,
  ];
}

/** Hints are for games against the computer. @param {MatchView} view @param {number[]} mySeats */
function mayAskForHint({ asked, seats }, mySeats) {
  return mySeats.length === 1 && asked === mySeats[0] && seats[2 - mySeats[0]].player === "computer";
}

/** @param {MatchView} view @param {number[]} mySeats */
function mayClaim({ options, asked, barred, seats }, mySeats) {
  // A barred side may still claim with its move: the bar ends when a mark is placed.
  return options.claims === "yes" && mySeats.some((seat) => seat === asked || !barred.includes(seats[seat - 1].side));
}

/** @param {MatchView} view @param {number[]} mySeats @param {string} state @returns {ActionName[]} */
function rematchActions({ rematch }, mySeats, state) {
  if (!mySeats.length) return rematch ? ["watch_rematch"] : [];
  if (rematch && state === "offered") return []; // it is accepted or declined in its panel
  return [rematch && state !== "declined" ? "open_rematch" : "rematch"];
}

/**
 * The seat that acts if one screen plays both: the one whose turn it is, or the other if only that one can do it.
 *
 * @param {MatchView} view
 * @param {number[]} mySeats
 * @param {string} kind of the action; of an offer, what is offered
 */
export function actingSeat({ asked, offer }, mySeats, kind) {
  if (mySeats.length === 1) return mySeats[0];
  const toAct = asked ?? mySeats[0];
  if (kind === "withdraw") return 3 - toAct;
  if (kind === "accept" || kind === "decline") return offer ? 3 - offer.seat : toAct;
  // The player who has just moved takes back, and the other one agrees.
  return kind === "take_back" ? 3 - toAct : toAct;
}
