/**
 * Says that a match is rated, and after it what has become of one's own rating.
 *
 * @typedef {import("../lib/types.js").MatchView} MatchView
 */

import { byId } from "../lib/dom.js";
import { loadKey } from "../lib/identity.js";
import { text } from "../lib/messages.js";
import { getPlayed } from "../lib/profile-api.js";

export class RatingLine {
  /** @param {string} match */
  constructor(match) {
    this.match = match;
    this.isAsked = false; // true once the new rating was asked for
  }

  /** @param {MatchView} view @param {number[]} mySeats */
  show({ rated, result }, mySeats) {
    byId("rating").hidden = !rated;
    if (!rated || this.isAsked) return;
    byId("rating").textContent = text("match.rated");
    const key = loadKey();
    if (!result || mySeats.length !== 1 || !key) return;
    this.isAsked = true;
    void this.#load(key).catch(() => (this.isAsked = false)); // it is asked for again with the next change
  }

  /** @param {string} key */
  async #load(key) {
    const { rating_before: before, rating_after: after } = await getPlayed(key, this.match);
    if (before !== null && after !== null) byId("rating").textContent = text("match.new_rating", { before, after });
  }
}
