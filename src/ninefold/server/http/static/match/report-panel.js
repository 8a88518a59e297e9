/**
 * The referee's report on a match that is over. It is loaded when somebody opens it.
 *
 * @typedef {import("../lib/types.js").MatchView} MatchView
 * @typedef {import("../lib/types.js").Report} Report
 * @typedef {import("../lib/types.js").Seat} Seat
 */

import * as api from "../lib/api.js";
import { byId, html, update } from "../lib/dom.js";
import { readToken } from "../lib/match-storage.js";
import { text, wordText } from "../lib/messages.js";
import { isLocalMatch } from "../lib/offline.js";
import { reportNotes, reportTable } from "./report-table.js";

export class ReportPanel {
  /** @param {string} match */
  constructor(match) {
    this.match = match;
    this.hasClaims = false;
    /** @type {Record<string, string>} */
    this.names = {};
    this.panel = /** @type {HTMLDetailsElement} */ (byId("report"));
    this.panel.addEventListener("toggle", () => this.panel.open && void this.#load());
  }

  /** @param {MatchView} view */
  show(view) {
    this.panel.hidden = !view.result || isLocalMatch(view.id); // a server makes it
    this.hasClaims = view.options.claims === "yes";
    this.names = Object.fromEntries(view.seats.map((seat) => [seat.side, nameInReport(seat)]));
  }

  async #load() {
    const contents = byId("report-contents");
    try {
      const report = await api.getReport(this.match, readToken(this.match));
      const notes = reportNotes(report).map((note) => html("p", { class: "faint" }, note));
      update(contents, createTable(report, this.hasClaims, this.names), ...notes);
    } catch (problem) {
      if (!(problem instanceof api.ApiProblem)) throw problem;
      update(contents, html("p", {}, problem.sentences));
    }
  }
}

/** The name of a player, or the level of the computer. @param {Seat} seat */
function nameInReport({ seat, name, level }) {
  return name || (level ? wordText("level", level) : text("seat.player", { seat }));
}

/** @param {Report} report @param {boolean} hasClaims @param {Record<string, string>} names */
function createTable(report, hasClaims, names) {
  const { columns, rows } = reportTable(report, hasClaims, names);
  const head = [text("report.statistic"), ...columns].map((title) => html("th", { scope: "col" }, title));
  return html(
    "table",
    { class: "checklist report" },
    html("caption", { class: "offscreen" }, text("report.caption")),
    html("thead", {}, html("tr", {}, head)),
    html(
      "tbody",
      {},
      rows.map(({ name, values }) =>
        html("tr", {}, html("th", { scope: "row" }, name), ...values.map((value) => html("td", {}, value))),
      ),
    ),
  );
}
