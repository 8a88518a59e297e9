/** Gives this device the seats that its identity has taken on another one: the key of a profile opens all of them. */

import { loadKey } from "./identity.js";
import { mySeats, saveMatch } from "./match-storage.js";
import { listPlayed } from "./profile-api.js";

const MOST = 20; // matches that are looked at

/**
 * Stores the seats of matches that are being played.
 *
 * @returns {Promise<boolean>} true if there were any that this device did not know
 */
export async function adoptMatches() {
  const key = loadKey();
  if (!key) return false;
  const { matches } = await listPlayed(key, { limit: MOST, running: true });
  return matches.map(adoptMatch).some(Boolean);
}

/**
 * Stores the seat of a match of this identity.
 *
 * @param {import("./types.js").PlayedMatch} played
 * @returns {boolean} true if this device did not know it
 */
export function adoptMatch({ match, seat, game, title, status, began_at }) {
  const key = loadKey();
  if (!key || mySeats(match).length) return false;
  saveMatch(match, { seats: { [seat]: key }, game, title, ended: status === "ended", at: began_at, moved: false });
  return true;
}
