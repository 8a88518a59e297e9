/**
 * Matches to watch and to join, and those that are played on this device.
 *
 * @typedef {import("../lib/types.js").Game} Game
 * @typedef {import("../lib/types.js").Short} Short
 * @typedef {import("../lib/types.js").View} View
 */

import * as api from "../lib/api.js";
import { NineBoard, pictureBoard } from "../lib/board-element.js";
import { make, part } from "../lib/dom.js";
import { keepRematch, kept, mine, note } from "../lib/match-storage.js";
import { rematchCall } from "../match/match-status.js";
import { nameOfSeat } from "../match/announcer.js";

const EVERY = 15_000;
const PAGE = 8; // matches that are shown more each time: they come with their boards
const LONGEST = 100; // that the server gives at once
const SHOWN = 6;

export class Lobby {
  /** @param {Game[]} games */
  constructor(games) {
    this.games = games;
    /** How many are looked at. */
    this.wanted = { live: PAGE, open: PAGE };
    for (const state of /** @type {const} */ (["live", "open"])) {
      part(`${state}-more`).addEventListener("click", () => void this.#more(state));
    }
    setInterval(() => document.hidden || this.refresh(), EVERY);
  }

  async refresh() {
    const lists = await Promise.allSettled([this.#list("live"), this.#list("open")]);
    const lost = lists.every(({ status }) => status === "rejected");
    part("notice").hidden = !lost;
    part("notice").textContent = lost ? "The server cannot be reached. Trying again …" : "";
  }

  /** @param {"live" | "open"} state */
  #more(state) {
    this.wanted[state] += PAGE;
    return this.refresh();
  }

  /** All that are looked at, anew. @param {"live" | "open"} state */
  async #list(state) {
    /** @type {Short[]} */
    const matches = [];
    /** @type {string | null} */
    let next = null;
    do {
      const page = await api.list(state, Math.min(this.wanted[state] - matches.length, LONGEST), next);
      matches.push(...page.matches);
      next = page.next;
    } while (next && matches.length < this.wanted[state]);
    this.#show(state, matches, next !== null);
  }

  /** @param {"live" | "open"} state @param {Short[]} matches @param {boolean} more whether there are */
  #show(state, matches, more) {
    const list = part(`${state}-list`);
    const open = new Map([...list.children].map((item) => [item.getAttribute("data-match"), item]));
    const held = list.contains(document.activeElement) ? document.activeElement : null;
    list.replaceChildren(...matches.map((match) => this.#refreshed(open.get(match.id), match, state)));
    if (held instanceof HTMLElement) held.focus({ preventScroll: true });
    part(`${state}-none`).hidden = matches.length > 0;
    part(`${state}-more`).hidden = !more;
  }

  /**
   * The row that is there already, brought up to date, or a new one.
   *
   * @param {Element | undefined} known
   * @param {Short} match
   * @param {string} state
   */
  #refreshed(known, match, state) {
    const names = match.seats.filter(({ player }) => player !== "open").map(nameOfSeat);
    const next = known ?? row(match.id, names.join(" and "), state === "live" ? "Watch" : "Join");
    const moves = `${match.moves} ${match.moves === 1 ? "move" : "moves"}`;
    write(next, this.games, match, state === "live" ? `${match.title} · ${moves}` : match.title);
    return next;
  }
}

/**
 * A match in a list: its board, who plays, and the way to it.
 *
 * @param {string} match
 * @param {string} name
 * @param {string} verb
 */
function row(match, name, verb) {
  return make(
    "li",
    { "data-match": match },
    pictureBoard("tiny"),
    make("span", { class: "who" }, make("span", { class: "name" }, name), make("span", { class: "note" })),
    make("a", { class: "quiet small", href: `/m/${match}` }, verb, make("span", { class: "offscreen" }, `: ${name}`)),
  );
}

/**
 * @param {Element} row
 * @param {Game[]} games
 * @param {{game: string, board: import("../lib/types.js").Board}} match
 * @param {string} words
 */
function write(row, games, { game, board }, words) {
  const picture = row.querySelector("nine-board");
  const layout = games.find(({ id }) => id === game)?.layout;
  if (picture instanceof NineBoard && layout) picture.show({ layout, board });
  const note = row.querySelector(".note");
  if (note) note.textContent = words;
}

/** Games kept on this device: first those that wait for you, last those that are over. @param {Game[]} games */
export async function showYours(games) {
  const known = mine().sort((one, other) => Number(one.ended) - Number(other.ended));
  const [there, missed] = [known.filter(({ missing }) => !missing), known.filter(({ missing }) => missing)];
  // The server may have got back what it did not know the last time.
  const asked = [...there.slice(0, SHOWN), ...missed.slice(0, SHOWN)];
  const rows = await Promise.all(asked.map((one) => yours(one, games)));
  const found = rows.filter((row) => row !== null).sort((one, other) => one.order - other.order);
  part("yours").hidden = !found.length;
  part("yours-list").replaceChildren(...found.slice(0, SHOWN).map(({ row }) => row));
}

/** @param {{match: string, seats: Record<string, string>}} kept @param {Game[]} games */
async function yours({ match, seats }, games) {
  try {
    const view = await api.view(match, Object.values(seats)[0]);
    note(match, { ended: view.status === "ended", missing: false });
    return yourRow(view, Object.keys(seats).map(Number), games);
  } catch (problem) {
    if (problem instanceof api.Problem && [401, 404].includes(problem.status)) note(match, { missing: true });
    return null;
  }
}

/** @param {View} view @param {number[]} seats @param {Game[]} games */
function yourRow(view, seats, games) {
  const over = view.status === "ended";
  const isTurn = view.status === "live" && view.asked !== null && seats.includes(view.asked);
  const called = view.rematch && !kept(view.rematch).at ? rematchCall(view, seats) : "";
  const other = view.seats.find(({ seat, player }) => !seats.includes(seat) && player !== "open");
  const name = other ? `${view.title} with ${nameOfSeat(other)}` : view.title;
  const next = called ? row(view.rematch ?? "", name, "Rematch") : row(view.id, name, over ? "Look" : "Go on");
  next.classList.toggle("turn", isTurn || called !== "");
  const live = isTurn ? "Your turn" : "Waiting for the other player";
  const words = { open: "Waiting for somebody to join", live, ended: called || (view.result?.sentence ?? "Ended") };
  write(next, games, view, words[view.status]);
  // However the link is followed, the seat is there.
  for (const way of called ? ["click", "auxclick", "contextmenu"] : [])
    next.addEventListener(way, () => keepRematch(view.id, view.rematch ?? ""));
  return { row: next, order: isTurn || called ? 0 : over ? 2 : 1 };
}
