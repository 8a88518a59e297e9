/**
 * The referee's report below a match that is over. It is asked for when somebody wants to see it.
 *
 * @typedef {import("../lib/types.js").View} View
 */

import * as api from "../lib/api.js";
import { fill, make, part } from "../lib/dom.js";
import { figuresOf, notesOf } from "./report-table.js";

export class RefereeReport {
  /**
   * @param {string} match
   * @param {() => string | null} token what opens the match for reading
   */
  constructor(match, token) {
    this.match = match;
    this.token = token;
    this.place = /** @type {HTMLDetailsElement} */ (part("report"));
    this.place.addEventListener("toggle", () => this.place.open && void this.#open());
  }

  /** @param {View} view */
  show(view) {
    this.place.hidden = !view.result;
  }

  async #open() {
    const inside = part("report-inside");
    try {
      const report = await api.report(this.match, this.token());
      fill(inside, this.#table(report), ...notesOf(report).map((note) => make("p", { class: "faint" }, note)));
    } catch (problem) {
      if (!(problem instanceof api.Problem)) throw problem;
      fill(inside, make("p", {}, problem.sentence));
    }
  }

  /** @param {import("../lib/types.js").Report} report */
  #table(report) {
    const { heads, lines } = figuresOf(report);
    const head = make("th", { scope: "col" }, "Figure");
    return make(
      "table",
      { class: "checklist report" },
      make("caption", { class: "offscreen" }, "The referee's report"),
      make("thead", {}, make("tr", {}, head, ...heads.map((name) => make("th", { scope: "col" }, name)))),
      make(
        "tbody",
        {},
        lines.map(({ name, values }) =>
          make("tr", {}, make("th", { scope: "row" }, name), ...values.map((value) => make("td", {}, value))),
        ),
      ),
    );
  }
}
