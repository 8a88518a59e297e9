/** The names of the games where all of them stand in a row. No DOM. */

import { capitalize } from "./messages.js";

/** The part of a title that tells a game from the others. @param {string} title */
export function shortTitle(title) {
  const short = capitalize(title.replace(/\s*Tic-Tac-Toe\s*/, "").replace(/^The /, "")) || title;
  return short.replaceAll("-", "\u2011"); // hyphens at which no line ends
}
