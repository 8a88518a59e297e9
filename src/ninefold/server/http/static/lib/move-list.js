/** Lists of moves: each move names its places as the page does, and lights its cells on the board. */

import { html } from "./dom.js";
import { cellsOfMove, movePlace } from "./places.js";

/**
 * @typedef {import("./board-element.js").NineBoard} NineBoard
 * @typedef {import("./dom.js").Attributes} Attributes
 * @typedef {import("./types.js").Layout} Layout
 */

/**
 * Creates an item of a list of moves.
 *
 * @param {Layout} layout
 * @param {string} side
 * @param {string | number[]} move its text, or its path
 * @param {Attributes} [button] of the button that goes to the move; without them there is none
 * @param {...Node} more what follows the move
 */
export function moveItem(layout, side, move, button, ...more) {
  const contents = [html("span", { class: "side" }, side), ` ${movePlace(layout, move)}`, ...more];
  return html(
    "li",
    { class: side.toLowerCase(), "data-cells": cellsOfMove(layout, move).join(" ") },
    button ? html("button", { type: "button", ...button }, contents) : contents,
  );
}

/**
 * Marks the move of a list that is shown on the board.
 *
 * @param {HTMLElement} list
 * @param {number} current its index; -1 for none
 */
export function markCurrent(list, current) {
  list.querySelectorAll("button").forEach((item, index) => {
    if (index === current) item.setAttribute("aria-current", "step");
    else item.removeAttribute("aria-current");
  });
  const shown = list.querySelector("[aria-current]");
  if (shown) scrollToItem(shown, list);
}

/** Scrolls a list to one of its items, but not the page. @param {Element} item @param {Element} list */
export function scrollToItem(item, list) {
  const [inner, outer] = [item.getBoundingClientRect(), list.getBoundingClientRect()];
  list.scrollTop += Math.min(0, inner.top - outer.top) + Math.max(0, inner.bottom - outer.bottom);
}

/**
 * Lights the cells of the move that is pointed at or has the focus.
 *
 * @param {HTMLElement} list
 * @param {NineBoard} board
 * @param {AbortSignal} [signal]
 */
export function lightMoves(list, board, signal) {
  const light = (/** @type {Event} */ { target }) => {
    const item = target instanceof Element ? target.closest("[data-cells]") : null;
    const cells = (item?.getAttribute("data-cells") ?? "").split(" ").filter(Boolean);
    board.show({ lit: cells.map(Number) });
  };
  const darken = () => board.show({ lit: [] });
  for (const event of ["pointerover", "focusin"]) list.addEventListener(event, light, { signal });
  for (const event of ["pointerleave", "focusout"]) list.addEventListener(event, darken, { signal });
}
