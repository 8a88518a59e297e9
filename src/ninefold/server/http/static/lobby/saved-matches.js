/**
 * The matches that are saved in this browser, on the first page; all of them, the newest first.
 *
 * @typedef {import("../lib/types.js").Game} Game
 */

import { byId } from "../lib/dom.js";
import { localMatches, mayHaveLocalMatches } from "../lib/offline.js";
import { firstPage } from "./enter-match.js";
import { myRow } from "./match-lists.js";

const PAGE = 8; // how many more matches are shown each time

export class SavedMatches {
  /** @param {Game[]} games */
  constructor(games) {
    this.games = games;
    this.wanted = PAGE;
    byId("saved-more").addEventListener("click", () => void this.#showMore());
  }

  #showMore() {
    this.wanted += PAGE;
    return this.refresh();
  }

  async refresh() {
    if (!mayHaveLocalMatches()) return;
    const saved = await localMatches();
    if (firstPage.aborted) return;
    const rows = saved.slice(0, this.wanted).map(({ view, seats }) => myRow(view, Object.keys(seats).map(Number), this.games));
    byId("saved-matches").hidden = !rows.length;
    byId("saved-list").replaceChildren(...rows.map(({ row }) => row));
    byId("saved-more").hidden = saved.length <= this.wanted;
  }
}
