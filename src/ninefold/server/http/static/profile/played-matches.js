/**
 * The list of the matches of a profile, the newest first.
 *
 * @typedef {import("../lib/types.js").PlayedList} PlayedList
 * @typedef {import("../lib/types.js").PlayedMatch} PlayedMatch
 */

import { adoptMatch } from "../lib/adopt-matches.js";
import { byId, html } from "../lib/dom.js";
import { formatDay } from "../lib/language.js";
import { capitalize, text, wordText } from "../lib/messages.js";
import { matchAddress } from "../lib/site.js";

const PAGE = 10;

export class PlayedMatches {
  /**
   * @param {(page: {limit: number, before: string | null}) => Promise<PlayedList>} list
   * @param {boolean} isMine
   */
  constructor(list, isMine) {
    this.list = list;
    this.isMine = isMine;
    /** @type {string | null} where the next page begins */
    this.next = null;
    byId("played").hidden = false;
    byId("played-list").replaceChildren();
    byId("played-more").onclick = () => void this.load();
  }

  async load() {
    const { matches, next } = await this.list({ limit: PAGE, before: this.next });
    byId("played-list").append(...matches.map((one) => this.#row(one)));
    byId("played-none").hidden = byId("played-list").childElementCount > 0;
    byId("played-more").hidden = !next;
    this.next = next;
  }

  /** @param {PlayedMatch} played */
  #row(played) {
    const player = opponentName(played);
    const name = text("list.mine", { title: played.title, player });
    const verb = text(played.status === "ended" ? "list.look" : "list.continue");
    const link = html("a", { class: "quiet small", href: matchAddress(played.match), "aria-label": `${verb}: ${name}` }, verb);
    // The seat has to be stored however the link is followed.
    for (const event of this.isMine ? ["click", "auxclick", "contextmenu"] : [])
      link.addEventListener(event, () => adoptMatch(played));
    return html(
      "li",
      { "data-match": played.match },
      html("span", { class: "name-and-note" }, html("span", { class: "name" }, name), html("span", { class: "note" }, note(played))),
      link,
    );
  }
}

/** @param {PlayedMatch} played */
function opponentName({ level, opponent }) {
  return level ? text("seat.computer_level", { level: wordText("level", level) }) : opponent || text("join.somebody");
}

/** What has become of a match, when, and what it has done to the rating. @param {PlayedMatch} played */
function note({ score, began_at, rating_before, rating_after }) {
  const day = formatDay(began_at);
  const parts = [capitalize(text(score ? `score.${score}` : "score.running")), day];
  if (rating_before !== null && rating_after !== null)
    parts.push(text("profile.rating_change", { before: rating_before, after: rating_after }));
  return parts.join(" · ");
}
