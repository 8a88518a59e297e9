/**
 * Matches to watch and to join, and those that are played on this device.
 *
 * @typedef {import("./types.js").Game} Game
 * @typedef {import("./types.js").Seat} Seat
 * @typedef {{id: string, game: string, title: string, created_at: number, moves: number, seats: Seat[], board?: import("./types.js").Board}} Short
 */

import * as api from "./api.js";
import { NineBoard, pictureBoard } from "./board.js";
import { make, part } from "./dom.js";
import { forget, mine } from "./seats.js";
import { nameOfSeat } from "./story.js";

const EVERY = 15_000;
const SHOWN = 6;

export class Lobby {
  /** @param {Game[]} games */
  constructor(games) {
    this.games = games;
    /** @type {Record<"live" | "open", Short[]>} */
    this.older = { live: [], open: [] };
    /** @type {Record<"live" | "open", number | null>} when the last one that is shown was made */
    this.last = { live: null, open: null };
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
  async #list(state) {
    const { matches } = await api.list(state);
    this.#show(state, matches);
  }

  /** @param {"live" | "open"} state */
  async #more(state) {
    const { matches } = await api.list(state, this.last[state]);
    this.older[state].push(...matches);
    await this.#list(state);
  }

  /** @param {"live" | "open"} state @param {Short[]} newest */
  #show(state, newest) {
    const known = new Set(newest.map(({ id }) => id));
    const matches = [...newest, ...this.older[state].filter(({ id }) => !known.has(id))];
    this.last[state] = matches.at(-1)?.created_at ?? null;
    const list = part(`${state}-list`);
    const open = new Map([...list.children].map((item) => [item.getAttribute("data-match"), item]));
    list.replaceChildren(...matches.map((match) => this.#refreshed(open.get(match.id), match, state)));
    part(`${state}-none`).hidden = matches.length > 0;
    part(`${state}-more`).hidden = newest.length < api.LISTED;
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
  const kept = mine()
    .filter(({ seats }) => Object.keys(seats).length)
    .slice(0, SHOWN);
  const items = await Promise.all(kept.map(yours));
  const shown = items.filter((item) => item !== null);
  part("yours").hidden = !shown.length;
  part("yours-list").replaceChildren(...shown);
}

/** @param {{match: string, title: string, seats: Record<string, string>}} kept */
async function yours({ match, seats }) {
  try {
    const view = await api.view(match, Object.values(seats)[0]);
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
    if (problem instanceof api.Problem && [401, 404].includes(problem.status)) forget(match);
    return null;
  }
}
