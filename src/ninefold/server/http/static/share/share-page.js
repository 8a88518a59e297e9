/**
 * The page of a finished game: steps through it, and has its links and files. In a frame it shows the board alone.
 *
 * @typedef {import("../lib/types.js").Game} Game
 * @typedef {import("../lib/types.js").GameRecord} GameRecord
 */

import * as api from "../lib/api.js";
import { NineBoard } from "../lib/board-element.js";
import { announce, byId, copyButton, fillTexts, showNotice } from "../lib/dom.js";
import { resultSentence } from "../lib/match-view.js";
import { text, wordText } from "../lib/messages.js";
import { lightMoves, markCurrent, moveItem } from "../lib/move-list.js";
import { moveWords } from "../lib/places.js";
import { installSettings } from "../lib/settings-dialog.js";

const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };

class SharedGame {
  /** @param {string} key @param {Game} game @param {GameRecord} record */
  constructor(key, game, record) {
    this.game = game;
    this.record = record;
    this.path = `/g/${key}`;
    this.board = /** @type {NineBoard} */ (byId("board"));
    this.slider = /** @type {HTMLInputElement} */ (byId("slider"));
    this.last = record.positions.length - 1;
    this.ply = this.last;
  }

  show() {
    const { title, setup, result } = this.record;
    byId("title").textContent = title;
    document.title = text("page.title", { title });
    byId("players").textContent = setup.seats.map(seatText).join(" · ");
    byId("result").textContent = result ? resultSentence(result) : "";
    this.slider.max = String(this.last);
    this.#listMoves();
    for (const [id, file] of [["gif", "game.gif"], ["record", "record"], ["log", "log"]])
      byId(id).setAttribute("href", `${this.path}/${file}`);
    byId("copy-link").append(copyButton(text("share.copy"), () => this.#field("link").value));
    byId("copy-frame").append(copyButton(text("share.copy_embed"), () => this.#field("frame").value));
    this.#listen();
    const asked = new URLSearchParams(location.search).get("move");
    this.goTo(asked === null ? this.last : Number(asked) || 0, false);
  }

  #listMoves() {
    const items = this.record.positions.slice(1).map(({ side, move }, index) => {
      const button = { onclick: () => this.goTo(index + 1) };
      return moveItem(this.game.layout, side ?? "", move ?? "", button);
    });
    byId("history").replaceChildren(...items);
  }

  /** @param {string} id */
  #field(id) {
    return /** @type {HTMLInputElement} */ (byId(id));
  }

  /** @param {number} ply @param {boolean} [byReader] false when the page is opened */
  goTo(ply, byReader = true) {
    this.ply = Math.min(this.last, Math.max(0, ply));
    const { board, side, move, turn } = this.record.positions[this.ply];
    const { result } = this.record;
    const status = move
      ? text("review.position", { ply: this.ply, last: this.last, side: side ?? "", move: moveWords(this.game.layout, move) })
      : text("review.start", { count: this.last });
    const isEnd = this.ply === this.last && result;
    this.board.show({ layout: this.game.layout, board: isEnd ? { ...board, lines: result.lines } : board });
    this.board.dataset.turn = turn?.toLowerCase() ?? "";
    this.slider.value = String(this.ply);
    this.slider.setAttribute("aria-valuetext", status);
    byId("status").textContent = status;
    markCurrent(byId("history"), this.ply - 1);
    if (byReader) announce(status);
    if (byReader) history.replaceState(null, "", `?move=${this.ply}`);
    this.#showLinks();
  }

  #showLinks() {
    const link = `${location.origin}${this.path}?move=${this.ply}`;
    const frame = `${location.origin}${this.path}/embed?move=${this.ply}`;
    this.#field("link").value = link;
    const title = text("share.frame_title");
    this.#field("frame").value = `<iframe src="${frame}" title="${title}" width="400" height="520"></iframe>`;
    byId("png").setAttribute("href", `${this.path}/board.png?move=${this.ply}`);
    byId("whole").setAttribute("href", link);
  }

  #listen() {
    const steps = { first: () => 0, back: () => this.ply - 1, forward: () => this.ply + 1, last: () => this.last };
    this.slider.addEventListener("input", () => this.goTo(Number(this.slider.value)));
    lightMoves(byId("history"), this.board);
    addEventListener("look", () => {
      this.#listMoves();
      this.goTo(this.ply, false);
    });
    for (const element of document.querySelectorAll("[data-step]"))
      element.addEventListener("click", () =>
        this.goTo(steps[/** @type {keyof typeof steps} */ (element.getAttribute("data-step"))]()),
      );
    document.addEventListener("keydown", (event) => {
      const isElsewhere = event.target instanceof Element && event.target.closest("input, nine-board");
      const step = KEYS[/** @type {keyof typeof KEYS} */ (event.key)];
      if (!step || isElsewhere || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      this.goTo(steps[/** @type {keyof typeof steps} */ (step)]());
    });
  }
}

async function open() {
  const key = location.pathname.split("/")[2];
  const [games, record] = await Promise.all([api.getGames(), api.getSharedGame(key)]);
  const game = games.find(({ id }) => id === record.game);
  if (game) new SharedGame(key, game, record).show();
}

fillTexts();
installSettings();
open().catch((problem) => showNotice(api.describeError(problem)));

/** @param {GameRecord["setup"]["seats"][0]} seat @param {number} index */
function seatText({ side, name, player }, index) {
  const unnamed =
    player === "human" ? text("seat.player", { seat: index + 1 }) : text("seat.computer_level", { level: wordText("level", player) });
  return text("review.seat", { side, player: name || unnamed });
}
