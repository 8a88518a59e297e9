/**
 * What a player can do beside playing: the buttons, and what they do.
 *
 * @typedef {import("./types.js").View} View
 * @typedef {import("./status.js").Deed} Deed
 *
 * @typedef {object} Table what the buttons act on
 * @property {string} id of the match
 * @property {number[]} mine
 * @property {View | null} view
 * @property {import("./claims.js").Claims} claims
 * @property {(action: Record<string, unknown>, seat?: number) => Promise<unknown>} act
 * @property {(news: unknown) => void} notice
 */

import * as api from "./api.js";
import { fill, make, part } from "./dom.js";
import { carry, confirm, shareToWatch } from "./gate.js";
import { keep, kept } from "./seats.js";
import { deeds } from "./status.js";

/** @type {Record<Deed, string>} */
const LABELS = {
  claim: "Claim victory",
  take_back: "Ask to take back",
  draw: "Offer a draw",
  resign: "Resign",
  leave: "Leave",
  carry: "Other device",
  share: "Let others watch",
  rematch: "Rematch",
  go_rematch: "Go to the rematch",
  watch_rematch: "Watch the rematch",
  review: "Review",
};
const STRONG = ["claim", "rematch", "go_rematch", "watch_rematch"];
const SELDOM = ["leave", "carry", "share"];

export class Deeds {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
  }

  /** @param {View} view @param {number[]} mine */
  show(view, mine) {
    const possible = deeds(view, mine, kept(view.id).watch);
    const seldom = possible.filter((deed) => SELDOM.includes(deed));
    fill(
      part("deeds"),
      possible.filter((deed) => !seldom.includes(deed)).map((deed) => this.#button(deed)),
    );
    fill(
      part("more-deeds"),
      seldom.map((deed) => this.#button(deed)),
    );
    part("more").hidden = !seldom.length;
  }

  /** @param {Deed} deed */
  #button(deed) {
    const look = STRONG.includes(deed) ? "strong small" : "quiet small";
    return make(
      "button",
      { type: "button", class: look, "data-key": deed, onclick: () => this.#do(deed) },
      LABELS[deed],
    );
  }

  /** @param {Deed} deed */
  #do(deed) {
    const { id, claims } = this.table;
    const act = (/** @type {Record<string, unknown>} */ action) => void this.table.act(action).catch(() => {});
    const what = {
      claim: () => claims.start(),
      take_back: () => act({ kind: "offer", text: "take_back" }),
      draw: () => act({ kind: "offer", text: "draw" }),
      resign: () => confirm("Resign?", "Your opponent wins the game.", "Resign", () => act({ kind: "resign" })),
      leave: () => confirm("Leave the game?", "It ends without a winner.", "Leave", () => act({ kind: "leave" })),
      carry: () => this.#try(() => carry(id, this.#token)),
      share: () => shareToWatch(id),
      rematch: () => this.#try(async () => this.#goTo((await api.rematch(id, this.#token)).match)),
      go_rematch: () => this.#goTo(this.table.view?.rematch ?? ""),
      watch_rematch: () => this.#goTo(this.table.view?.rematch ?? ""),
      review: () => location.assign(`/review?match=${encodeURIComponent(id)}`),
    };
    what[deed]();
  }

  /** The opponent who has gone has lost. */
  claimOut() {
    void this.#try(() => api.absent(this.table.id, this.#token));
  }

  get #token() {
    return kept(this.table.id).seats[this.table.mine[0]];
  }

  /** @param {() => Promise<unknown>} work */
  async #try(work) {
    try {
      await work();
    } catch (problem) {
      this.table.notice(problem);
    }
  }

  /** The same tokens open the rematch. @param {string} match */
  #goTo(match) {
    const { seats, watch, game, title } = kept(this.table.id);
    if (watch || Object.keys(seats).length) keep(match, { seats, watch, game, title });
    location.assign(`/m/${match}`);
  }
}
