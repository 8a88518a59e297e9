/**
 * The rules of a game, to be read.
 *
 * @typedef {import("./types.js").Game} Game
 */

import { make, part, say } from "./dom.js";

/**
 * @param {Game} game
 * @param {HTMLButtonElement} [next] what can be done with them
 */
export function showRules(game, next) {
  const dialog = /** @type {HTMLDialogElement} */ (part("dialog"));
  const close = make("button", { type: "button", class: "quiet", onclick: () => dialog.close() }, "Close");
  dialog.replaceChildren(
    make("h2", { id: "dialog-title" }, `Rules: ${game.title}`),
    make("div", { class: "rules", tabindex: 0, role: "group", "aria-label": "Rules" }, rulesOf(game.rules)),
    make("div", { class: "buttons" }, next, close),
  );
  dialog.showModal();
  say(`Rules of ${game.title}`);
}

/** Sentences flow; what is drawn in columns keeps them. @param {string} text */
function rulesOf(text) {
  const blocks = text.replace(/^\n+|\s+$/g, "").split("\n\n");
  const board = { tabindex: 0, role: "group", "aria-label": "Board and numbers" };
  return blocks.map((block) =>
    / {3}/.test(block) ? make("pre", board, block) : make("p", {}, block.replaceAll("\n", " ")),
  );
}
