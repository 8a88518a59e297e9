/**
 * The way to a seat: an invitation to send, an invitation to accept, a seat to carry to another device.
 *
 * @typedef {import("../lib/types.js").View} View
 * @typedef {import("../lib/types.js").Game} Game
 */

import * as api from "../lib/api.js";
import { fill, make, part } from "../lib/dom.js";
import { kept, lastName, rememberName } from "../lib/match-storage.js";
import { NineShare } from "./share-link.js";
import { nameOfSeat } from "./announcer.js";

export class Gate {
  /**
   * @param {string} match
   * @param {(wish: Omit<import("../lib/match-storage.js").Joining, "request">) => Promise<void>} take
   * @param {() => void} enter with the seat, or without
   */
  constructor(match, take, enter) {
    this.match = match;
    this.take = take;
    this.enter = enter;
    this.joining = false;
  }

  /** Nothing is known of the match: a private one shows itself to players alone. @param {Game} [game] */
  invite(game) {
    part("title").textContent = game?.title ?? "Invitation";
    part("status").textContent = game?.summary ?? "";
    this.show(null, []);
  }

  /** @param {View | null} view @param {number[]} mine */
  show(view, mine) {
    const place = part("gate");
    const { invite, invitation } = kept(this.match);
    const free = view?.seats.some(({ player }) => player === "open");
    const waiting = view?.status === "open";
    if (waiting && mine.length) invited(place, view, Object.values(invite)[0]);
    else if (!mine.length && (invitation || (waiting && free))) fill(place, ...this.#form(view, invitation));
    else fill(place);
    place.hidden = !place.childElementCount;
  }

  /** @param {View | null} view @param {string | null} invitation */
  #form(view, invitation) {
    const host = view?.seats.find(({ player }) => player !== "open");
    const name = make("input", {
      type: "text",
      id: "join-name",
      maxlength: 40,
      autocomplete: "nickname",
      value: lastName(),
      "data-key": "name",
    });
    const join = (/** @type {Event} */ event) => {
      event.preventDefault();
      void this.#join(name.value.trim(), view, invitation);
    };
    const what = view
      ? `${view.title}, with ${host ? nameOfSeat(host) : "somebody"}.`
      : "The game begins when you join.";
    return [
      make("h2", {}, invitation ? "You are invited to play" : "A seat is free"),
      make("p", {}, what),
      make(
        "form",
        { onsubmit: join },
        make("label", { for: "join-name" }, "Your name (if you like)"),
        make(
          "div",
          { class: "link-row" },
          name,
          make(
            "button",
            { type: "submit", class: "strong", "data-key": "join", disabled: this.joining },
            this.joining ? "Joining …" : "Join the game",
          ),
        ),
      ),
    ];
  }

  /** @param {string} name @param {View | null} view @param {string | null} invitation */
  async #join(name, view, invitation) {
    rememberName(name);
    this.joining = true;
    this.show(view, []);
    await this.take({ ...(invitation ? { invitation } : {}), ...(name ? { name } : {}) });
    this.joining = false;
    this.enter();
  }
}

/**
 * @param {HTMLElement} place
 * @param {View} view
 * @param {string | undefined} path
 */
function invited(place, view, path) {
  if (place.querySelector("nine-share")) return;
  const more = `&game=${view.game}${view.private ? "" : "&public=yes"}`;
  const share = new NineShare(path ? path + more : `/m/${view.id}`, "Link that invites");
  place.replaceChildren(
    make("h2", {}, "Invite a friend"),
    make(
      "p",
      {},
      path
        ? "Whoever opens this link first plays with you. The game begins when they join."
        : "The game begins when somebody joins.",
    ),
    share,
  );
}

/**
 * Show the link that carries a seat to another device.
 *
 * @param {string} match
 * @param {string} token
 */
export async function carry(match, token) {
  const { code, expires_at } = await api.handover(match, token);
  const until = new Date(expires_at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  const { watch } = kept(match);
  showDialog(
    "Carry the seat to another device",
    make("p", {}, "Open this link there, or read the QR code. From then on the game is played on that device."),
    make("p", { class: "faint" }, `It works once, until ${until}.`),
    new NineShare(`/m/${match}#code=${code}${watch ? `&watch=${watch}` : ""}`, "Link that carries the seat"),
  );
}

/** @param {string} match */
export function shareToWatch(match) {
  const { watch } = kept(match);
  const share = new NineShare(`/m/${match}${watch ? `#watch=${watch}` : ""}`, "Link to watch");
  showDialog("Let others watch", make("p", {}, "Whoever has this link sees the game and cannot touch it."), share);
}

/**
 * Ask before something that cannot be undone.
 *
 * @param {string} title
 * @param {string} text
 * @param {string} yes
 * @param {() => void} then
 */
export function confirm(title, text, yes, then) {
  const agree = () => {
    dialog().close();
    then();
  };
  showDialog(
    title,
    make("p", {}, text),
    make("button", { type: "button", class: "strong danger", onclick: agree }, yes),
  );
}

const dialog = () => /** @type {HTMLDialogElement} */ (part("dialog"));

/**
 * @param {string} title
 * @param {...Node} body
 */
function showDialog(title, ...body) {
  const [strong] = body.filter((node) => node instanceof HTMLButtonElement);
  const close = () => dialog().close();
  const back = make("button", { type: "button", class: "quiet", onclick: close }, strong ? "Cancel" : "Close");
  dialog().replaceChildren(
    make("h2", { id: "dialog-title" }, title),
    ...body,
    make("div", { class: "buttons" }, strong, back),
  );
  dialog().showModal();
}
