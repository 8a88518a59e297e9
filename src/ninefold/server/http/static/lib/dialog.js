/** The page's one dialog: opened with a title, a body and buttons. */

import { button, byId, html } from "./dom.js";
import { text } from "./messages.js";

/** @typedef {import("./dom.js").Child} Child */

const element = () => /** @type {HTMLDialogElement} */ (byId("dialog"));

export const closeDialog = () => element().close();

/** @param {string} [label] */
export function closeButton(label = text("button.close")) {
  return button(label, { class: "quiet", onclick: closeDialog });
}

/** @param {...Node} children */
export function openDialog(...children) {
  element().replaceChildren(...children);
  element().showModal();
}

/** @param {string} title */
export function dialogTitle(title) {
  return html("h2", { id: "dialog-title" }, title);
}

/** @param {...Child} buttons */
export function buttonRow(...buttons) {
  return html("div", { class: "buttons" }, ...buttons);
}

/**
 * Asks before something that cannot be undone.
 *
 * @param {string} title
 * @param {string} consequence
 * @param {string} yes
 * @param {() => void} then
 */
export function confirmDialog(title, consequence, yes, then) {
  const agree = () => {
    closeDialog();
    then();
  };
  openDialog(
    dialogTitle(title),
    html("p", {}, consequence),
    buttonRow(button(yes, { class: "strong danger", onclick: agree }), closeButton(text("button.cancel"))),
  );
}
