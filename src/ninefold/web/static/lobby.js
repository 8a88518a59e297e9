/**
 * Matches to watch and to join, and those that are played on this device.
 *
 * @typedef {import("./types.js").Game} Game
 * @typedef {import("./types.js").Short} Short
 */

import * as api from "./api.js";
import { NineBoard, pictureBoard } from "./board.js";
import { make, part } from "./dom.js";
import { mine, note } from "./seats.js";
import { nameOfSeat } from "./story.js";

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

  /** The item that is there already, brought up to date, or a new one. @param {Element | undefined} item @param {Short} match @param {string} state */
  #refreshed(item, match, state) {
    const next = item ?? this.#item(match, state === "live" ? "Watch" : "Join");
    const note = next.querySelector(".note");
    if (note)
      note.textContent =
        state === "live" ? `${match.title} · ${match.moves} ${match.moves === 1 ? "move" : "moves"}` : match.title;
    const board = next.querySelector("nine-board");
    const layout = this.games.find(({ id }) => id === match.game)?.layout;
    if (board instanceof NineBoard && layout && match.board) board.show({ layout, board: match.board });
    return next;
  }

  /** @param {Short} match @param {string} verb */
  #item(match, verb) {
    const players = match.seats
      .filter(({ player }) => player !== "open")
      .map((seat) => `${nameOfSeat(seat)} (${seat.side})`);
    return make(
      "li",
      { "data-match": match.id },
      match.board && pictureBoard("tiny"),
      make(
        "span",
        { class: "who" },
        make("span", { class: "name" }, players.join(" and ")),
        make("span", { class: "note" }),
      ),
      make(
        "a",
        { class: "quiet small", href: `/m/${match.id}` },
        verb,
        make("span", { class: "offscreen" }, ` ${players.join(" and ")}`),
      ),
    );
  }
}

/** Games kept on this device, with whose turn it is. */
export async function showYours() {
  const known = mine();
  const [there, missed] = [known.filter(({ missing }) => !missing), known.filter(({ missing }) => missing)];
  // The server may have got back what it did not know the last time.
  const items = await Promise.all([...there.slice(0, SHOWN), ...missed.slice(0, SHOWN)].map(yours));
  const shown = items.filter((item) => item !== null).slice(0, SHOWN);
  part("yours").hidden = !shown.length;
  part("yours-list").replaceChildren(...shown);
}

/** @param {{match: string, seats: Record<string, string>}} kept */
async function yours({ match, seats }) {
  try {
    const view = await api.view(match, Object.values(seats)[0]);
    note(match, { ended: view.status === "ended", missing: false });
    const turn = view.asked !== null && seats[view.asked] ? "your turn" : "waiting";
    const status = { open: "waiting for a player", live: turn, ended: view.result?.sentence ?? "ended" }[view.status];
    const other = view.seats.find(({ seat }) => !seats[seat]);
    return make(
      "li",
      { class: turn === "your turn" && view.status === "live" ? "turn" : null },
      make(
        "span",
        { class: "who" },
        make(
          "span",
          { class: "name" },
          `${view.title}${other && other.player !== "open" ? ` with ${nameOfSeat(other)}` : ""}`,
        ),
        make("span", { class: "note" }, status),
      ),
      make(
        "a",
        { class: "quiet small", href: `/m/${match}` },
        view.status === "ended" ? "Look" : "Go on",
        make("span", { class: "offscreen" }, `: ${view.title}`),
      ),
    );
  } catch (problem) {
    if (problem instanceof api.Problem && [401, 404].includes(problem.status)) note(match, { missing: true });
    return null;
  }
}
