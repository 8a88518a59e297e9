/**
 * What a player can do beside playing: the buttons, and what they do.
 *
 * @typedef {import("../lib/types.js").View} View
 * @typedef {import("./match-status.js").Deed} Deed
 *
 * @typedef {object} Table what the buttons act on
 * @property {string} id of the match
 * @property {number[]} mine
 * @property {View | null} view
 * @property {import("../lib/types.js").Game | null} game
 * @property {import("./claim-panel.js").Claims} claims
 * @property {(action: Record<string, unknown>, seat?: number) => Promise<unknown>} act
 * @property {(news: unknown) => void} notice
 */

import * as api from "../lib/api.js";
import { fill, make, part, say } from "../lib/dom.js";
import { carry, confirm, shareToWatch } from "./join-panel.js";
import { showRules } from "../lib/rules-dialog.js";
import { keepRematch, kept } from "../lib/match-storage.js";
import { deeds, rematchCall } from "./match-status.js";

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
  rules: "Rules",
};
const STRONG = ["claim", "rematch", "go_rematch", "watch_rematch"];
const SELDOM = ["leave", "carry", "share", "rules"];

export class Deeds {
  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.asking = false; // for a rematch: its news may come before its answer
  }

  /** @param {View} view @param {number[]} mine */
  show(view, mine) {
    /** @type {Deed[]} */
    const possible = [...deeds(view, mine, kept(view.id).watch), "rules"];
    const seldom = possible.filter((deed) => SELDOM.includes(deed));
    fill(
      part("deeds"),
      possible.filter((deed) => !seldom.includes(deed)).map((deed) => this.#button(deed)),
    );
    fill(
      part("more-deeds"),
      seldom.map((deed) => this.#button(deed)),
    );
    part("more").hidden = false;
    this.#call(view, mine);
  }

  /** Whoever has not asked for the rematch, nor been there, is told of it. @param {View} view @param {number[]} mine */
  #call(view, mine) {
    const place = part("rematch");
    const known = this.asking || (view.rematch && kept(view.rematch).at);
    const words = known ? "" : rematchCall(view, mine);
    if (words !== place.textContent) say(words);
    place.textContent = words;
    place.hidden = !words;
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
      rematch: () => this.#try(() => this.#rematch()),
      go_rematch: () => this.#goTo(this.table.view?.rematch ?? ""),
      watch_rematch: () => this.#goTo(this.table.view?.rematch ?? ""),
      rules: () => this.table.game && showRules(this.table.game),
      review: () => location.assign(`/review?match=${encodeURIComponent(id)}`),
    };
    what[deed]();
  }

  async #rematch() {
    this.asking = true;
    try {
      this.#goTo((await api.rematch(this.table.id, this.#token)).match);
    } finally {
      this.asking = false;
    }
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

  /** @param {string} match */
  #goTo(match) {
    keepRematch(this.table.id, match);
    location.assign(`/m/${match}`);
  }
}
