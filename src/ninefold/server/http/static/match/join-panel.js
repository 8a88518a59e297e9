/**
 * The join panel: invites a friend to the open seat, or lets a visitor take it.
 *
 * @typedef {import("../lib/types.js").Game} Game
 * @typedef {import("../lib/types.js").MatchView} MatchView
 */

import { NAME_LENGTH } from "../lib/api-constants.js";
import { byId, html, update } from "../lib/dom.js";
import { loadMatch, loadName, saveName } from "../lib/match-storage.js";
import { seatName } from "../lib/match-view.js";
import { text } from "../lib/messages.js";
import { ShareLink } from "./share-link.js";

export class JoinPanel {
  /**
   * @param {string} match
   * @param {import("./match-entry.js").MatchEntry} entry
   */
  constructor(match, entry) {
    this.match = match;
    this.entry = entry;
    this.isJoining = false;
  }

  /** Shows an invitation to a match that cannot be read, because it is private. @param {Game} [game] */
  showInvitation(game) {
    byId("title").textContent = game?.title ?? text("join.invitation");
    byId("status").textContent = game?.summary ?? "";
    if (game) this.#showStart(game);
    this.show(null, []);
  }

  /** Shows the board of the game as it begins, to look at. @param {Game} game */
  #showStart({ layout, start }) {
    const board = /** @type {import("../lib/board-element.js").NineBoard} */ (byId("board"));
    board.dataset.turn = start.turn.toLowerCase();
    board.show({ layout, board: start.board });
    byId("board-area").hidden = false;
  }

  /** @param {MatchView | null} view @param {number[]} mySeats */
  show(view, mySeats) {
    const panel = byId("join");
    const { invite, invitation } = loadMatch(this.match);
    const isWaiting = view?.status === "open" && !view.seats.some(({ reserved }) => reserved);
    const hasOpenSeat = view?.seats.some(({ player }) => player === "open");
    if (isWaiting && mySeats.length) showInviteLink(panel, view, Object.values(invite)[0]);
    else if (!mySeats.length && (invitation || (isWaiting && hasOpenSeat)))
      update(panel, ...this.#form(view, invitation));
    else update(panel);
    panel.hidden = !panel.childElementCount;
  }

  /** @param {MatchView | null} view @param {string | null} invitation */
  #form(view, invitation) {
    const name = html("input", {
      type: "text",
      id: "join-name",
      maxlength: NAME_LENGTH,
      autocomplete: "nickname",
      value: loadName(),
      "data-key": "name",
    });
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      void this.#join(name.value.trim(), view, invitation);
    };
    return [
      html("h2", {}, text(invitation ? "join.invited" : "join.seat_open")),
      html("p", {}, describeMatch(view)),
      html(
        "form",
        { onsubmit: submit },
        html("label", { for: "join-name" }, text("join.name")),
        html(
          "div",
          { class: "link-row" },
          name,
          html(
            "button",
            { type: "submit", class: "strong", "data-key": "join", disabled: this.isJoining },
            text(this.isJoining ? "join.joining" : "join.join"),
          ),
        ),
      ),
    ];
  }

  /** @param {string} name @param {MatchView | null} view @param {string | null} invitation */
  async #join(name, view, invitation) {
    saveName(name);
    this.isJoining = true;
    this.show(view, []);
    await this.entry.takeSeat({ ...(invitation ? { invitation } : {}), ...(name ? { name } : {}) });
    this.isJoining = false;
    void this.entry.enter();
  }
}

/** @param {MatchView | null} view */
function describeMatch(view) {
  if (!view) return text("join.starts_when_you_join");
  const host = view.seats.find(({ player }) => player !== "open");
  return text("join.match", { title: view.title, player: host ? seatName(host) : text("join.somebody") });
}

/**
 * @param {HTMLElement} panel
 * @param {MatchView} view
 * @param {string | undefined} path of the invitation; undefined if this device has none
 */
function showInviteLink(panel, view, path) {
  if (panel.querySelector("nine-share")) return;
  const parameters = `&game=${view.game}${view.private ? "" : "&public=yes"}`;
  panel.replaceChildren(
    html("h2", {}, text("invite.title")),
    html("p", {}, text(path ? "invite.how" : "invite.how_public")),
    new ShareLink(path ? path + parameters : `/m/${view.id}`, text("invite.link")),
  );
}
