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
 * @property {() => void} render
 * @property {(error: unknown) => void} showError
 * @property {import("./rematch-panel.js").RematchPanel} rematchPanel
 */

import { findHint } from "../lib/analysis.js";
import * as api from "../lib/api.js";
import { confirmDialog } from "../lib/dialog.js";
import { button, byId, update } from "../lib/dom.js";
import { loadKey } from "../lib/identity.js";
import { loadMatch, readToken } from "../lib/match-storage.js";
import { seatName } from "../lib/match-view.js";
import { text } from "../lib/messages.js";
import { showRules } from "../lib/rules-dialog.js";
import { pageAddress } from "../lib/site.js";
import { actingSeat, availableActions } from "./match-status.js";
import { askToBlock, openReportDialog } from "./player-dialogs.js";
import { showHandover, showWatchLink } from "./share-dialogs.js";

const PRIMARY_ACTIONS = ["claim", "rematch", "open_rematch", "watch_rematch"];
const UNDER_MORE = ["leave", "handover", "share", "rules", "report", "block"];

export class ActionBar {
  /** @param {ActionTarget} page */
  constructor(page) {
    this.page = page;
  }

  /** @param {MatchView} view @param {number[]} mySeats */
  show(view, mySeats) {
    const available = availableActions(view, mySeats, loadMatch(view.id).watch, this.page.rematchPanel.state);
    const mayBlock = loadKey() !== null && !loadMatch(view.id).blocked;
    /** @type {ActionName[]} */
    const actions = [...available.filter((name) => name !== "block" || mayBlock), "rules"];
    const buttons = (/** @type {boolean} */ underMore) =>
      actions.filter((name) => UNDER_MORE.includes(name) === underMore).map((name) => this.#button(name));
    update(byId("actions"), buttons(false));
    update(byId("more-actions"), buttons(true));
    byId("more").hidden = false;
  }

  /** @param {ActionName} name */
  #button(name) {
    const style = PRIMARY_ACTIONS.includes(name) ? "strong small" : "quiet small";
    return button(text(this.#isUndo(name) ? "action.undo" : `action.${name}`), { class: style, "data-key": name, onclick: () => this.#run(name) });
  }

  /** True if a move is taken back without asking: a computer always agrees. @param {ActionName} name */
  #isUndo(name) {
    return name === "take_back" && this.page.view?.seats.some(({ player }) => player === "computer");
  }

  /** @param {ActionName} name */
  #run(name) {
    const { id, view, game, claimPanel, rematchPanel } = this.page;
    const act = (/** @type {Action} */ action) => void this.page.act(action).catch(() => {});
    const openRematch = () => rematchPanel.open(view?.rematch ?? "");
    /** @type {Record<ActionName, () => unknown>} */
    const handlers = {
      claim: () => claimPanel.start(),
      hint: () => this.#try(async () => view && this.page.showBestMove(await findHint(view, this.#token))),
      take_back: () => act({ kind: "offer", text: "take_back" }),
      draw: () => act({ kind: "offer", text: "draw" }),
      undo: () => this.#try(() => this.#undo()),
      resign: () => this.#resign(),
      leave: () =>
        confirmDialog(text("leave.title"), text("leave.consequence"), text("action.leave"), () =>
          act({ kind: "leave" }),
        ),
      handover: () => this.#try(() => showHandover(id, this.#token)),
      share: () => showWatchLink(id),
      rematch: () => this.#try(() => rematchPanel.offer()),
      open_rematch: openRematch,
      watch_rematch: openRematch,
      rules: () => game && showRules(game),
      report: () => openReportDialog(id, this.#token, this.#opponent),
      block: () => askToBlock(id, this.#opponent, () => this.page.render()),
      share_game: () => this.#try(async () => location.assign((await api.getSharePage(id, readToken(id))).page)),
      review: () => location.assign(pageAddress("review", `?match=${encodeURIComponent(id)}`)),
    };
    handlers[name]();
  }

  /** On one screen both players agree by sitting together: what one offers, the other accepts at once. */
  async #undo() {
    const { id, view } = this.page;
    if (!view?.asked) return;
    const { seats } = loadMatch(id);
    const offer = { kind: /** @type {const} */ ("offer"), text: "take_back" };
    const { version } = await api.postAction(id, seats[3 - view.asked], { version: view.version, action: offer });
    await api.postAction(id, seats[view.asked], { version, action: { kind: "accept" } });
  }

  /** Asks before resigning; on one screen it says who resigns: the player whose turn it is. */
  #resign() {
    const { view, mySeats } = this.page;
    const resign = () => void this.page.act({ kind: "resign" }).catch(() => {});
    if (mySeats.length === 1 || !view)
      return confirmDialog(text("resign.title"), text("resign.consequence"), text("action.resign"), resign);
    const { side } = view.seats[actingSeat(view, mySeats, "resign") - 1];
    const other = side === "X" ? "O" : "X";
    const consequence = text("resign.consequence_side", { side: other });
    confirmDialog(text("resign.title_side", { side }), consequence, text("resign.side", { side }), resign);
  }

  /** Ends the match because the opponent is absent. */
  claimAbsent() {
    void this.#try(() => api.claimAbsent(this.page.id, this.#token));
  }

  /** The name of the other player. */
  get #opponent() {
    const { view, mySeats } = this.page;
    return view ? seatName(view.seats[2 - mySeats[0]]) : "";
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
}
