/**
 * How an action reaches the server: through the socket, or, where one screen plays both seats, by requests with the
 * token of the seat that acts. No DOM.
 *
 * @typedef {import("./types.js").View} View
 * @typedef {import("./socket.js").Connection} Connection
 */

import * as api from "./api.js";
import { Problem } from "./api.js";
import { kept } from "./seats.js";
import { seatFor } from "./status.js";

const PLAIN = ["say", "resign", "leave"]; // written whatever the version is
const TRIES = 8;

/**
 * @param {{view: View | null, mine: number[], connection: Connection | null}} table
 * @param {Record<string, unknown>} action
 * @param {number} [seat]
 * @returns {Promise<any>} the server's answer; rejected with a Problem
 */
export async function write({ view, mine, connection }, action, seat) {
  if (!view || !mine.length) throw new Problem({ detail: "You are watching." });
  const kind = String(action.kind === "offer" ? action.text : action.kind);
  const version = PLAIN.includes(kind) ? undefined : view.version;
  if (mine.length === 1 && connection) return connection.act(action, version);
  return post(view.id, kept(view.id).seats[seat ?? seatFor(view, mine, kind)], action, version);
}

/**
 * The same write, again and again, until it is answered.
 *
 * @param {string} match
 * @param {string} token
 * @param {Record<string, unknown>} action
 * @param {number | undefined} version
 */
async function post(match, token, action, version) {
  const body = { request: api.newRequest(), ...(version === undefined ? {} : { version }), action };
  for (let tries = 1; ; tries++) {
    try {
      return await api.act(match, token, body);
    } catch (problem) {
      if (!(problem instanceof Problem && problem.passing) || tries === TRIES) throw problem;
      await new Promise((done) => setTimeout(done, (problem.retryAfter || tries / 2) * 1000));
    }
  }
}
