/**
 * How an action reaches the server: through the socket, or, where one screen plays both seats, by requests with the
 * token of the seat that acts. No DOM.
 *
 * @typedef {import("../lib/types.js").View} View
 * @typedef {import("./connection.js").Connection} Connection
 */

import * as api from "../lib/api.js";
import { Problem } from "../lib/api.js";
import { kept } from "../lib/match-storage.js";
import { seatFor } from "./match-status.js";

const PLAIN = ["say", "resign", "leave"]; // written whatever the version is

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
  const token = kept(view.id).seats[seat ?? seatFor(view, mine, kind)];
  return api.act(view.id, token, { version, action });
}
