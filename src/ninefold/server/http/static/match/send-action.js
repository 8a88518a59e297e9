/**
 * Sends an action to the server. No DOM.
 *
 * It goes through the socket, or, if one screen plays both seats, by HTTP with the token of the acting seat.
 *
 * @typedef {import("../lib/types.js").Action} Action
 * @typedef {import("../lib/types.js").ActionAnswer} ActionAnswer
 * @typedef {import("../lib/types.js").MatchView} MatchView
 * @typedef {import("./connection.js").Connection} Connection
 */

import { UNVERSIONED } from "../lib/api-constants.js";
import { ApiProblem, postAction } from "../lib/api.js";
import { loadMatch } from "../lib/match-storage.js";
import { text } from "../lib/messages.js";
import { actingSeat } from "./match-status.js";

/**
 * @param {{view: MatchView | null, mySeats: number[], connection: Connection | null}} page
 * @param {Action} action
 * @param {number} [seat]
 * @returns {Promise<ActionAnswer>} rejected with an ApiProblem
 */
export async function sendAction({ view, mySeats, connection }, action, seat) {
  if (!view || !mySeats.length) throw new ApiProblem({ detail: text("error.watching") });
  const kind = action.kind === "offer" ? (action.text ?? "") : action.kind;
  const version = UNVERSIONED.includes(action.kind) ? undefined : view.version;
  if (mySeats.length === 1 && connection) return connection.act(action, version);
  const token = loadMatch(view.id).seats[seat ?? actingSeat(view, mySeats, kind)];
  return postAction(view.id, token, { version, action });
}
