/**
 * The way to a seat: an invitation to send, an invitation to accept, a seat to carry to another device.
 *
 * @typedef {import("./types.js").View} View
 */

import * as api from "./api.js";
import { fill, make, part } from "./dom.js";
import { keep, kept, lastName, rememberName } from "./seats.js";
import { NineShare } from "./share.js";
import { nameOfSeat } from "./story.js";

/**
 * @param {string} match
 * @param {View | null} view
 * @param {number[]} mine
 * @param {(problem: unknown) => void} failed
 * @param {() => void} joined
 */
export function showGate(match, view, mine, failed, joined) {
  const place = part("gate");
  const { invite, invitation } = kept(match);
  const free = view?.seats.find(({ player }) => player === "open");
  const waiting = view?.status === "open";
  if (waiting && mine.length) invited(place, view, Object.values(invite)[0]);
  else if (!mine.length && (invitation || (waiting && free)))
    fill(place, ...joinForm(match, view, invitation, failed, joined));
  else fill(place);
  place.hidden = !place.childElementCount;
}

/**
 * @param {HTMLElement} place
 * @param {View} view
 * @param {string | undefined} path
 */
function invited(place, view, path) {
  if (place.querySelector("nine-share")) return;
  const share = new NineShare(path ? `${path}&game=${view.game}` : `/m/${view.id}`, "Link that invites");
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
 * @param {string} match
 * @param {View | null} view
 * @param {string | undefined} invitation
 * @param {(problem: unknown) => void} failed
 * @param {() => void} joined
 */
function joinForm(match, view, invitation, failed, joined) {
  const host = view?.seats.find(({ player }) => player !== "open");
  const name = make("input", {
    type: "text",
    id: "join-name",
    maxlength: 40,
    autocomplete: "nickname",
    value: lastName(),
    "data-key": "name",
  });
  const join = async (/** @type {Event} */ event) => {
    event.preventDefault();
    rememberName(name.value.trim());
    try {
      const asks = { ...(invitation ? { invitation } : {}), ...(name.value.trim() ? { name: name.value.trim() } : {}) };
      const { seat, token } = await api.join(match, asks);
      keep(match, { seats: { [seat]: token }, invitation: undefined, game: view?.game, title: view?.title });
      joined();
    } catch (problem) {
      if (problem instanceof api.Problem && !problem.passing) keep(match, { invitation: undefined });
      failed(problem);
    }
  };
  const what = view ? `${view.title}, with ${host ? nameOfSeat(host) : "somebody"}.` : "The game begins when you join.";
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
        make("button", { type: "submit", class: "strong", "data-key": "join" }, "Join the game"),
      ),
    ),
  ];
}

/**
 * Show the code and the link that carry a seat to another device.
 *
 * @param {string} match
 * @param {string} token
 */
export async function carry(match, token) {
  const { code, expires_at } = await api.handover(match, token);
  const share = new NineShare(`/m/${match}#code=${encodeURIComponent(code)}`, "Link that carries the seat");
  const until = new Date(expires_at).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  showDialog(
    "Carry the seat to another device",
    make(
      "p",
      {},
      "Open this link there, or read the QR code. The seat then belongs to that device, and this one only watches.",
    ),
    make("p", {}, "Code: ", make("code", { class: "code" }, code), expires_at ? ` (until ${until})` : ""),
    share,
  );
}

/**
 * @param {string} match
 */
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
  const close = make("button", { type: "button", class: "quiet", onclick: () => dialog().close() }, "Close");
  dialog().replaceChildren(
    make("h2", { id: "dialog-title" }, title),
    ...body,
    make("div", { class: "buttons" }, close),
  );
  const [strong] = dialog().querySelectorAll(":scope > .strong");
  if (strong) dialog().querySelector(".buttons")?.prepend(strong);
  dialog().showModal();
}
