/**
 * The table of what a profile has scored: a row for each game and kind of opponents, with the rating there.
 *
 * @typedef {import("../lib/types.js").Standing} Standing
 */

import { byId, html } from "../lib/dom.js";
import { text } from "../lib/messages.js";

const COLUMNS = /** @type {const} */ (["game", "opponents", "rating", "wins", "draws", "losses"]);

/** @param {Standing[]} standings */
export function showStandings(standings) {
  byId("standings").hidden = false;
  byId("standings-none").hidden = standings.length > 0;
  byId("standings-table").replaceChildren(...(standings.length ? [table(standings)] : []));
}

/** @param {Standing[]} standings */
function table(standings) {
  const head = COLUMNS.map((column) => html("th", { scope: "col" }, text(`standing.${column}`)));
  return html(
    "table",
    { class: "standings" },
    html("caption", { class: "offscreen" }, text("profile.standings")),
    html("thead", {}, html("tr", {}, head)),
    html("tbody", {}, standings.map(row)),
  );
}

/** @param {Standing} standing */
function row(standing) {
  const { title, opponents, wins, draws, losses } = standing;
  const values = [text(`standing.${opponents}`), ratingText(standing), wins, draws, losses];
  return html("tr", {}, html("td", {}, title), ...values.map((value) => html("td", {}, value)));
}

/** The rating with its deviation; provisional ones have a question mark. @param {Standing} standing */
export function ratingText({ rating, deviation, provisional }) {
  if (rating === null || deviation === null) return text("standing.unrated");
  return text(provisional ? "standing.provisional" : "standing.rated", { rating, deviation });
}
