/**
 * The join panel: invites a friend to the open seat, says that an opponent is sought, or lets a visitor take the seat.
 *
 * @typedef {import("../lib/types.js").Game} Game
 * @typedef {import("../lib/types.js").Invitation} Invitation
 * @typedef {import("../lib/types.js").MatchView} MatchView
 */

import { NAME_LENGTH } from "../lib/api-constants.js";
import { shortClock } from "../lib/clocks.js";
import { button, byId, html, update } from "../lib/dom.js";
import { loadKey } from "../lib/identity.js";
import { loadMatch, loadName, saveName } from "../lib/match-storage.js";
import { seatName } from "../lib/match-view.js";
import { formatTime } from "../lib/language.js";
import { text } from "../lib/messages.js";
import { ShareLink } from "./share-link.js";

const MINUTE = 60_000; // milliseconds

export class JoinPanel {
  /**
   * @param {string} match
   * @param {import("./match-entry.js").MatchEntry} entry
   * @param {() => void} stopSearch called by a player who no longer waits for an opponent
   */
  constructor(match, entry, stopSearch) {
    this.match = match;
    this.entry = entry;
    this.stopSearch = stopSearch;
    this.isJoining = false;
    /** @type {Invitation | null} what the invitation opens, once it is known */
    this.invited = null;
  }

  /**
   * Shows an invitation to a match that cannot be read, because it is private.
   *
   * @param {Game | undefined} game
   * @param {Invitation} invitation
   */
  showInvitation(game, invitation) {
    this.invited = invitation;
    byId("title").textContent = invitation.title;
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
    const { invite, invitation, soughtAt } = loadMatch(this.match);
    const isWaiting = view?.status === "open" && !view.seats.some(({ reserved }) => reserved);
    const hasOpenSeat = !view || view.seats.some(({ player }) => player === "open");
    if (isWaiting && mySeats.length && soughtAt) update(panel, ...searchPanel(view, soughtAt, this.stopSearch));
    else if (isWaiting && mySeats.length) showInviteLink(panel, view, Object.values(invite)[0]);
    else if (!mySeats.length && hasOpenSeat && (invitation || isWaiting)) update(panel, ...this.#form(view, invitation));
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
    const hasProfile = loadKey() !== null;
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      void this.#join(name.value.trim(), view, invitation);
    };
    return [
      html("h2", {}, text(invitation ? "join.invited" : "join.seat_open")),
      html("p", {}, view ? describeMatch(view) : describeInvitation(this.invited)),
      html(
        "form",
        { onsubmit: submit },
        hasProfile ? html("p", {}, text("join.as", { name: loadName() })) : html("label", { for: "join-name" }, text("join.name")),
        html(
          "div",
          { class: "link-row" },
          !hasProfile && name,
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

/** @param {MatchView} view */
function describeMatch(view) {
  const host = view.seats.find(({ player }) => player !== "open");
  return text("join.match", { title: view.title, player: host ? seatName(host) : text("join.somebody") });
}

/** @param {Invitation | null} invited */
function describeInvitation(invited) {
  if (!invited) return text("join.starts_when_you_join");
  const { title, player, clock, side } = invited;
  const game = clock ? text("join.with_clock", { title, clock: shortClock(clock) }) : title;
  const match = text("join.match", { title: game, player: player || text("join.somebody") });
  return `${match} ${text("join.side", { side })} ${text("join.starts_when_you_join")}`;
}

/**
 * What is said while an opponent is sought: the game, the clock, and since when.
 *
 * @param {MatchView} view
 * @param {number} soughtAt
 * @param {() => void} stop
 */
function searchPanel({ title, clock }, soughtAt, stop) {
  const time = clock ? shortClock({ initial: clock.X, increment: clock.increment }) : text("new.clock.none");
  const since = formatTime(soughtAt);
  const minutes = Math.floor((Date.now() - soughtAt) / MINUTE);
  const waited = text("search.since_minutes", { since, minutes: text("time.minutes", { count: minutes }) });
  return [
    html("h2", {}, text("search.wanted", { title, clock: time })),
    html("p", { class: "faint" }, minutes > 0 ? waited : text("search.since", { since })),
    html("p", { class: "faint" }, text("search.how")),
    html("div", { class: "buttons" }, button(text("button.cancel"), { class: "quiet", "data-key": "stop", onclick: stop })),
  ];
}

/**
 * @param {HTMLElement} panel
 * @param {MatchView} view
 * @param {string | undefined} path of the invitation; undefined if this device has none
 */
function showInviteLink(panel, view, path) {
  if (panel.querySelector("nine-share")) return;
  panel.replaceChildren(
    html("h2", {}, text("invite.title")),
    html("p", {}, text(path ? "invite.how" : "invite.how_public")),
    new ShareLink(path ? `${path}&game=${view.game}` : `/m/${view.id}`, text("invite.link")),
  );
}
