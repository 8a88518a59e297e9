/**
 * What the pages read from the server's view of a match: names, the pending claim, the rematch. No DOM.
 *
 * @typedef {import("./types.js").MatchView} MatchView
 * @typedef {import("./types.js").Seat} Seat
 */

import { text, wordText } from "./messages.js";

/**
 * The name of the player in a seat: "Ann", "Player 1", "Computer (hard)".
 *
 * @param {Seat} seat
 */
export function seatName({ seat, name, player, level }) {
  if (name) return name;
  if (player === "computer") return level ? text("seat.computer_level", { level: wordText("level", level) }) : text("seat.computer");
  return player === "open" ? text("seat.open") : text("seat.player", { seat });
}

/**
 * The claim that waits for its answer.
 *
 * @param {MatchView} view
 */
export function pendingClaim({ result, claim }) {
  return !result && claim?.verdict === null ? claim : null;
}

/**
 * True if one of these seats has to act now.
 *
 * @param {MatchView} view
 * @param {number[]} seats
 */
export function isTurnOf({ status, asked }, seats) {
  return status === "live" && asked !== null && seats.includes(asked);
}

/**
 * Those of these seats that are reserved: their player has not accepted the rematch yet.
 *
 * @param {MatchView} view
 * @param {number[]} mySeats
 */
export function reservedSeats({ status, seats }, mySeats) {
  const mine = status === "open" ? seats.filter(({ seat, reserved }) => reserved && mySeats.includes(seat)) : [];
  return mine.map(({ seat }) => seat);
}

/**
 * The result in a sentence, without the names of the cells of its lines: they are drawn on the board.
 *
 * @param {Pick<NonNullable<MatchView["result"]>, "sentence" | "why">} result
 */
export function resultSentence({ sentence, why }) {
  return why.code === "outcome.lines" ? sentence.replace(why.text, why.params.why) : sentence;
}

/** True if a rematch was declined: it ended before a move. @param {MatchView} rematch */
export function isDeclined({ result, history }) {
  return result !== null && !history.length;
}

/**
 * True if the other player left a rematch before it began, perhaps before this page was open.
 *
 * @param {MatchView} rematch
 * @param {number[]} mySeats
 */
export function opponentDeclined(rematch, mySeats) {
  const hasLeft = rematch.seats.some(({ seat, player }) => player === "left" && !mySeats.includes(seat));
  return isDeclined(rematch) && hasLeft && rematch.result?.winner === null;
}

/**
 * True if threats may be marked: on one screen and against the computer, but not against a person elsewhere.
 *
 * @param {MatchView} view
 * @param {number[]} mySeats
 */
export function mayMarkThreats({ status, seats, show_moves: showMoves }, mySeats) {
  if (status !== "live" || !showMoves || !mySeats.length) return false;
  return seats.every(({ seat, player }) => mySeats.includes(seat) || player === "computer");
}

/** True if this device only watches a match that is played. @param {MatchView} view @param {number[]} mySeats */
export function isSpectator({ status }, mySeats) {
  return status === "live" && !mySeats.length;
}

/**
 * Says who asked for a rematch; "" if there is none, or if only this device could have asked.
 *
 * @param {MatchView} view
 * @param {number[]} mySeats
 */
export function rematchNotice({ rematch, seats }, mySeats) {
  if (!rematch) return "";
  if (!mySeats.length) return text("rematch.exists");
  const opponent = seats.find(({ seat, player }) => !mySeats.includes(seat) && player === "person");
  return opponent ? text("rematch.wanted", { player: seatName(opponent) }) : "";
}
