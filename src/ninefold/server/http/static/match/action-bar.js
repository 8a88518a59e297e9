/**
 * The action bar: the buttons beside the board, and what they do.
 *
 * @typedef {import("../lib/types.js").Action} Action
 * @typedef {import("../lib/types.js").MatchView} MatchView
 * @typedef {import("./match-status.js").ActionName} ActionName
 *
 * @typedef {object} ActionTarget the page that the buttons act on
 * @property {string} id of the match
 * @property {number[]} mySeats
 * @property {MatchView | null} view
 * @property {import("../lib/types.js").Game | null} game
 * @property {import("./claim-panel.js").ClaimPanel} claimPanel
 * @property {(action: Action, seat?: number) => Promise<unknown>} act
 * @property {(hint: import("../lib/types.js").Hint) => void} showBestMove
 * @property {(error: unknown) => void} showError
 */

import * as api from "../lib/api.js";
import { confirmDialog } from "../lib/dialog.js";
import { announce, button, byId, update } from "../lib/dom.js";
import { loadMatch, saveRematch } from "../lib/match-storage.js";
import { rematchNotice } from "../lib/match-view.js";
import { text } from "../lib/messages.js";
import { showRules } from "../lib/rules-dialog.js";
import { availableActions } from "./match-status.js";
import { showHandover, showWatchLink } from "./share-dialogs.js";

const PRIMARY_ACTIONS = ["claim", "rematch", "open_rematch", "watch_rematch"];
const UNDER_MORE = ["leave", "handover", "share", "rules"];

export class ActionBar {
  /** @param {ActionTarget} page */
  constructor(page) {
    this.page = page;
    this.isRematchAsked = false; // by this device, which may see the rematch before its own answer
  }

  /** @param {MatchView} view @param {number[]} mySeats */
  show(view, mySeats) {
    /** @type {ActionName[]} */
    const actions = [...availableActions(view, mySeats, loadMatch(view.id).watch), "rules"];
    const buttons = (/** @type {boolean} */ underMore) =>
      actions.filter((name) => UNDER_MORE.includes(name) === underMore).map((name) => this.#button(name));
    update(byId("actions"), buttons(false));
    update(byId("more-actions"), buttons(true));
    byId("more").hidden = false;
    this.#showRematchNotice(view, mySeats);
  }

  /** Not for those who asked for the rematch or opened it. @param {MatchView} view @param {number[]} mySeats */
  #showRematchNotice(view, mySeats) {
    const element = byId("rematch");
    const isKnown = this.isRematchAsked || (view.rematch && loadMatch(view.rematch).at);
    const notice = isKnown ? "" : rematchNotice(view, mySeats);
    if (notice !== element.textContent) announce(notice);
    element.textContent = notice;
    element.hidden = !notice;
  }

  /** @param {ActionName} name */
  #button(name) {
    const style = PRIMARY_ACTIONS.includes(name) ? "strong small" : "quiet small";
    return button(text(`action.${name}`), { class: style, "data-key": name, onclick: () => this.#run(name) });
  }

  /** @param {ActionName} name */
  #run(name) {
    const { id, view, game, claimPanel } = this.page;
    const act = (/** @type {Action} */ action) => void this.page.act(action).catch(() => {});
    const openRematch = () => this.#openMatch(view?.rematch ?? "");
    /** @type {Record<ActionName, () => unknown>} */
    const handlers = {
      claim: () => claimPanel.start(),
      hint: () => this.#try(async () => this.page.showBestMove(await api.getHint(id, this.#token))),
      take_back: () => act({ kind: "offer", text: "take_back" }),
      draw: () => act({ kind: "offer", text: "draw" }),
      resign: () =>
        confirmDialog(text("resign.title"), text("resign.consequence"), text("action.resign"), () =>
          act({ kind: "resign" }),
        ),
      leave: () =>
        confirmDialog(text("leave.title"), text("leave.consequence"), text("action.leave"), () =>
          act({ kind: "leave" }),
        ),
      handover: () => this.#try(() => showHandover(id, this.#token)),
      share: () => showWatchLink(id),
      rematch: () => this.#try(() => this.#askForRematch()),
      open_rematch: openRematch,
      watch_rematch: openRematch,
      rules: () => game && showRules(game),
      review: () => location.assign(`/review?match=${encodeURIComponent(id)}`),
    };
    handlers[name]();
  }

  async #askForRematch() {
    this.isRematchAsked = true;
    try {
      this.#openMatch((await api.requestRematch(this.page.id, this.#token)).match);
    } finally {
      this.isRematchAsked = false;
    }
  }

  /** Ends the match because the opponent is absent. */
  claimAbsent() {
    void this.#try(() => api.claimAbsent(this.page.id, this.#token));
  }

  get #token() {
    return loadMatch(this.page.id).seats[this.page.mySeats[0]];
  }

  /** @param {() => Promise<unknown>} work */
  async #try(work) {
    try {
      await work();
    } catch (problem) {
      this.page.showError(problem);
    }
  }

  /** @param {string} match */
  #openMatch(match) {
    saveRematch(this.page.id, match);
    location.assign(`/m/${match}`);
  }
}
