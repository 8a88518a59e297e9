/**
 * The rematch: an offer to accept or to decline, beside the match that is over and on the page of the rematch itself.
 *
 * @typedef {import("../lib/types.js").MatchView} MatchView
 *
 * @typedef {object} RematchPage
 * @property {string} id of the match
 * @property {() => void} render
 * @property {(error: unknown) => void} showError
 */

import * as api from "../lib/api.js";
import { announce, button, byId, html, update } from "../lib/dom.js";
import { loadMatch, readToken, saveRematch } from "../lib/match-storage.js";
import { isDeclined, reservedSeats, seatName } from "../lib/match-view.js";
import { text } from "../lib/messages.js";
import { matchAddress } from "../lib/site.js";

const LOOK_EVERY = 3000; // milliseconds, while an offer waits for its answer

export class RematchPanel {
  /** @param {RematchPage} page */
  constructor(page) {
    this.page = page;
    /** @type {MatchView | null} the rematch of the match on this page, as it was last loaded */
    this.rematch = null;
    this.asked = ""; // the id of the rematch that is being loaded, or was
    setInterval(() => this.#isOffered() && !document.hidden && void this.#load(), LOOK_EVERY);
  }

  /** What has become of the rematch of a match that is over. @returns {"none" | "offered" | "declined" | "begun"} */
  get state() {
    if (!this.asked) return "none";
    if (this.#isOffered()) return "offered";
    return this.rematch && isDeclined(this.rematch) ? "declined" : "begun";
  }

  #isOffered() {
    return this.rematch !== null && reservedSeats(this.rematch, this.#seats()).length > 0;
  }

  #seats() {
    return Object.keys(loadMatch(this.page.id).seats).map(Number);
  }

  /** @param {MatchView} view @param {number[]} mySeats */
  show(view, mySeats) {
    if (view.rematch && view.rematch !== this.asked) {
      this.asked = view.rematch;
      this.rematch = null;
      if (mySeats.length) void this.#load();
    }
    const offer = reservedSeats(view, mySeats).length ? view : this.#isOffered() ? this.rematch : null;
    const sentence = offer ? this.#offerSentence(offer, mySeats) : this.#notice(mySeats);
    const panel = byId("rematch");
    const isNew = sentence !== "" && panel.querySelector("p")?.textContent !== sentence;
    const answers = offer && [
      button(text("offer.accept"), { class: "strong", "data-key": "accept", onclick: () => void this.#accept(offer) }),
      button(text("offer.decline"), { class: "quiet", "data-key": "no", onclick: () => void this.#decline(offer) }),
    ];
    update(panel, sentence && html("p", {}, sentence), answers && html("div", { class: "buttons" }, ...answers));
    panel.hidden = !sentence;
    if (isNew) announce(sentence);
  }

  /** @param {MatchView} offer @param {number[]} mySeats */
  #offerSentence({ seats }, mySeats) {
    const opponent = seats.find(({ seat }) => !mySeats.includes(seat)) ?? seats[0];
    return text("rematch.wanted", { player: seatName(opponent) });
  }

  /** @param {number[]} mySeats */
  #notice(mySeats) {
    if (this.state === "declined") return text("rematch.declined");
    return this.asked && !mySeats.length ? text("rematch.exists") : "";
  }

  async #load() {
    try {
      this.rematch = await api.getMatch(this.asked, readToken(this.page.id));
    } catch (problem) {
      if (!(problem instanceof api.ApiProblem)) throw problem; // else the button opens it, and its page says why not
    }
    this.page.render();
  }

  /** @param {MatchView} offer */
  async #accept({ id }) {
    try {
      for (const token of this.#tokens()) await api.arrive(id, token);
      if (id !== this.page.id) this.open(id);
    } catch (problem) {
      this.page.showError(problem);
      if (id !== this.page.id) void this.#load();
    }
  }

  /** @param {MatchView} offer */
  async #decline({ id }) {
    try {
      await api.postAction(id, this.#tokens()[0], { action: { kind: "leave" } });
    } catch (problem) {
      this.page.showError(problem);
    }
    if (id !== this.page.id) void this.#load();
  }

  /** Offers a rematch; one who plays both seats accepts it at once. */
  async offer() {
    let match = "";
    for (const token of this.#tokens()) match = (await api.requestRematch(this.page.id, token)).match;
    this.open(match);
  }

  #tokens() {
    return Object.values(loadMatch(this.page.id).seats);
  }

  /** @param {string} match */
  open(match) {
    saveRematch(this.page.id, match);
    location.assign(matchAddress(match));
  }
}
