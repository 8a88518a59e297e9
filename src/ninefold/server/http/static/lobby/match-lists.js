/**
 * The lists of matches on the first page: live ones to watch, open ones to join, and those of this device.
 *
 * @typedef {import("../lib/types.js").Board} Board
 * @typedef {import("../lib/types.js").Game} Game
 * @typedef {import("../lib/types.js").MatchSummary} MatchSummary
 * @typedef {import("../lib/types.js").MatchView} MatchView
 * @typedef {"live" | "open"} ListName
 */

import { MOST_IN_PAGE } from "../lib/api-constants.js";
import * as api from "../lib/api.js";
import { NineBoard, pictureBoard } from "../lib/board-element.js";
import { byId, html, showNotice } from "../lib/dom.js";
import { loadMatch, playedMatches, saveRematch, updateMatch } from "../lib/match-storage.js";
import { isTurnOf, rematchNotice, resultSentence, seatName } from "../lib/match-view.js";
import { text } from "../lib/messages.js";
import { isLocalMatch } from "../lib/offline.js";
import { shortClock } from "../lib/clocks.js";
import { matchAddress } from "../lib/site.js";
import { firstPage } from "./enter-match.js";

const REFRESH_EVERY = 15_000; // milliseconds
const PAGE = 8; // how many more matches are shown each time; each comes with its board
const MOST_OF_MINE = 6;
/** @type {ListName[]} */
const LISTS = ["live", "open"];

/** The live and the open matches. */
export class MatchLists {
  /** @param {Game[]} games */
  constructor(games) {
    this.games = games;
    /** How many matches are shown. */
    this.wanted = { live: PAGE, open: PAGE };
    for (const list of LISTS) byId(`${list}-more`).addEventListener("click", () => void this.#showMore(list));
    const timer = setInterval(() => document.hidden || this.refresh(), REFRESH_EVERY);
    firstPage.addEventListener("abort", () => clearInterval(timer));
  }

  async refresh() {
    const results = await Promise.allSettled(LISTS.map((list) => this.#load(list)));
    if (firstPage.aborted) return; // the notice is that of the match
    const isLost = results.every(({ status }) => status === "rejected");
    showNotice(isLost ? text("error.retrying", { problem: text("error.unreachable") }) : "");
  }

  /** @param {ListName} list */
  #showMore(list) {
    this.wanted[list] += PAGE;
    return this.refresh();
  }

  /** Loads all matches that are shown. @param {ListName} list */
  async #load(list) {
    /** @type {MatchSummary[]} */
    const matches = [];
    /** @type {string | null} */
    let next = null;
    do {
      const limit = Math.min(this.wanted[list] - matches.length, MOST_IN_PAGE);
      /** @type {import("../lib/types.js").MatchList} */
      const page = await api.listMatches(list, limit, next);
      matches.push(...page.matches);
      next = page.next;
    } while (next && matches.length < this.wanted[list]);
    if (!firstPage.aborted) this.#show(list, matches, next !== null);
  }

  /** @param {ListName} list @param {MatchSummary[]} matches @param {boolean} hasMore */
  #show(list, matches, hasMore) {
    const element = byId(`${list}-list`);
    const rows = new Map([...element.children].map((row) => [row.getAttribute("data-match"), row]));
    const focused = element.contains(document.activeElement) ? document.activeElement : null;
    element.replaceChildren(...matches.map((match) => this.#row(rows.get(match.id), match, list)));
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
    byId(`${list}-none`).hidden = matches.length > 0;
    byId(`${list}-more`).hidden = !hasMore;
  }

  /**
   * Updates the row of a match, or creates it.
   *
   * @param {Element | undefined} existing
   * @param {MatchSummary} match
   * @param {ListName} list
   */
  #row(existing, match, list) {
    const players = match.seats.filter(({ player }) => player !== "open").map(seatName);
    const name = players.length > 1 ? text("list.players", { one: players[0], other: players[1] }) : (players[0] ?? "");
    const row = existing ?? createRow(match.id, name, text(list === "live" ? "list.watch" : "list.join"));
    const live = text("list.moves", { title: match.title, count: match.moves });
    const words = [list === "live" ? live : match.title, shortClock(match.clock)];
    updateRow(row, this.games, match, words.filter(Boolean).join(" · "));
    return row;
  }
}

/**
 * A match in a list: its board, its players and a link.
 *
 * @param {string} match
 * @param {string} name
 * @param {string} verb
 */
function createRow(match, name, verb) {
  return html(
    "li",
    { "data-match": match },
    pictureBoard("tiny"),
    html("span", { class: "name-and-note" }, html("span", { class: "name" }, name), html("span", { class: "note" })),
    html("a", { class: "quiet small", href: matchAddress(match), "aria-label": `${verb}: ${name}` }, verb),
  );
}

/**
 * @param {Element} row
 * @param {Game[]} games
 * @param {{game: string, board: Board}} match
 * @param {string} words
 */
function updateRow(row, games, { game, board }, words) {
  const picture = row.querySelector("nine-board");
  const layout = games.find(({ id }) => id === game)?.layout;
  if (picture instanceof NineBoard && layout) picture.show({ layout, board });
  const note = row.querySelector(".note");
  if (note) note.textContent = words;
}

/** Shows the matches of this device: your turn first, those that are over last. @param {Game[]} games */
export async function showMyMatches(games) {
  const online = playedMatches().filter(({ match }) => !isLocalMatch(match));
  const played = online.sort((one, other) => Number(one.ended) - Number(other.ended));
  const found = played.filter(({ missing }) => !missing).slice(0, MOST_OF_MINE);
  // The server may know again what it did not know the last time.
  const missing = played.filter(({ missing }) => missing).slice(0, MOST_OF_MINE);
  const loaded = await Promise.all([...found, ...missing].map((one) => myMatch(one, games)));
  const rows = loaded.filter((row) => row !== null).sort((one, other) => one.order - other.order);
  if (firstPage.aborted) return;
  byId("my-matches").hidden = !rows.length;
  byId("my-matches-list").replaceChildren(...rows.slice(0, MOST_OF_MINE).map(({ row }) => row));
}

/** @param {{match: string, seats: Record<string, string>}} stored @param {Game[]} games */
async function myMatch({ match, seats }, games) {
  try {
    const view = await api.getMatch(match, Object.values(seats)[0]);
    updateMatch(match, { ended: view.status === "ended", missing: false });
    return myRow(view, Object.keys(seats).map(Number), games);
  } catch (problem) {
    if (problem instanceof api.ApiProblem && [401, 404].includes(problem.status)) updateMatch(match, { missing: true });
    return null;
  }
}

/** A match of this device in a list. @param {MatchView} view @param {number[]} mySeats @param {Game[]} games */
export function myRow(view, mySeats, games) {
  const isOver = view.status === "ended";
  const isMyTurn = isTurnOf(view, mySeats);
  const notice = view.rematch && !loadMatch(view.rematch).at ? rematchNotice(view, mySeats) : "";
  const opponent = view.seats.find(({ seat, player }) => !mySeats.includes(seat) && player !== "open");
  const name = opponent ? text("list.mine", { title: view.title, player: seatName(opponent) }) : view.title;
  const row = notice
    ? createRow(view.rematch ?? "", name, text("list.rematch"))
    : createRow(view.id, name, text(isOver ? "list.look" : "list.continue"));
  row.classList.toggle("turn", isMyTurn || notice !== "");
  const words = {
    open: text("list.waiting_to_join"),
    live: text(isMyTurn ? "status.your_turn" : "list.waiting_for_opponent"),
    ended: notice || (view.result ? resultSentence(view.result) : text("list.ended")),
  };
  updateRow(row, games, view, words[view.status]);
  // The seat has to be stored however the link is followed.
  for (const event of notice ? ["click", "auxclick", "contextmenu"] : [])
    row.addEventListener(event, () => saveRematch(view.id, view.rematch ?? ""));
  return { row, order: isMyTurn || notice ? 0 : isOver ? 2 : 1 };
}
