/** Celebrates a win: marks of the winner fly from the board. Not for people who prefer little motion. */

import { html, prefersReducedMotion } from "./dom.js";
import { markShape } from "./shapes.js";

const MARKS = 26;
const LASTS = 1800; // milliseconds

/**
 * @param {HTMLElement} board
 * @param {string} side of the winner
 */
export function celebrate(board, side) {
  if (prefersReducedMotion()) return;
  const marks = Array.from({ length: MARKS }, (_, number) => flyingMark(side, (number / MARKS) * 2 * Math.PI));
  const layer = html("div", { class: "celebration", "aria-hidden": "true" }, marks);
  board.parentElement?.append(layer);
  setTimeout(() => layer.remove(), LASTS);
}

/** @param {string} side @param {number} angle */
function flyingMark(side, angle) {
  const element = html("span", {}, markShape(side));
  const distance = 30 + 25 * Math.random(); // percent of the board
  element.style.setProperty("--x-to", `${Math.cos(angle) * distance}cqmin`);
  element.style.setProperty("--y-to", `${Math.sin(angle) * distance}cqmin`);
  element.style.setProperty("--turn-by", `${Math.round(Math.random() * 540 - 270)}deg`);
  element.style.setProperty("--after", `${Math.round(Math.random() * 150)}ms`);
  return element;
}
