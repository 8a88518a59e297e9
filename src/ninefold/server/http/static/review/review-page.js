/**
 * The review of a game that is over, or of a record: step by step, with what every move is worth.
 *
 * @typedef {import("../lib/types.js").RecordView} RecordView
 * @typedef {import("../lib/types.js").Game} Game
 */

import { Analyst } from "./analysis-queue.js";
import * as api from "../lib/api.js";
import { NineBoard } from "../lib/board-element.js";
import { copyButton, fill, make, part, say } from "../lib/dom.js";
import { NineGraph } from "./evaluation-graph.js";
import { kept } from "../lib/match-storage.js";
import { inWords, kindOf, legend, ranked, valuesByCell } from "./move-values.js";

const LISTED = 5;

class Review {
  /** @param {Game} game @param {RecordView} record */
  constructor(game, record) {
    this.game = game;
    this.record = record;
    this.board = /** @type {NineBoard} */ (part("board"));
    this.slider = /** @type {HTMLInputElement} */ (part("slider"));
    this.graph = /** @type {NineGraph} */ (part("graph"));
    this.analyst = new Analyst(record.game, record.positions, () => this.#showWorth());
    /** @type {number | null} */
    this.at = null;
    this.ply = 0;
    this.leaving = new AbortController();
  }

  /** Another game is looked at. */
  leave() {
    this.analyst.stop();
    this.leaving.abort();
  }

  get last() {
    return this.record.positions.length - 1;
  }

  show() {
    const { title, setup, result } = this.record;
    document.title = `Review: ${title} · Ninefold`;
    part("title").textContent = title;
    part("players").textContent = setup.seats
      .map(({ side, name, player }) => `${side}: ${name || (player === "human" ? "a person" : `computer (${player})`)}`)
      .join(" · ");
    part("result").textContent = result?.sentence ?? "The game was not finished.";
    this.slider.max = String(this.last);
    fill(part("copies"), []);
    part("copies").append(
      copyButton("Copy position", () => this.record.positions[this.ply].position),
      copyButton("Copy record", () => this.record.record),
    );
    this.#listMoves();
    this.#listen();
    part("open").hidden = true;
    part("game").hidden = false;
    part("other").hidden = false;
    this.go(this.last, false);
  }

  /** @param {number} ply @param {boolean} [aloud] */
  go(ply, aloud = true) {
    this.ply = Math.min(this.last, Math.max(0, ply));
    this.at = null;
    const here = this.record.positions[this.ply];
    const board =
      this.ply === this.last && this.record.result ? { ...here.board, lines: this.record.result.lines } : here.board;
    this.slider.value = String(this.ply);
    const words = here.move
      ? `Move ${this.ply} of ${this.last}: ${here.side} played ${here.move}.`
      : `The start. ${this.last} moves follow.`;
    this.slider.setAttribute("aria-valuetext", words);
    part("status").textContent = words;
    if (aloud) say(words);
    this.board.show({ layout: this.game.layout, board });
    this.#markMove();
    this.analyst.look(this.ply);
    this.#showWorth();
  }

  /** The values of the moves from here, as far as they are known. */
  #showWorth() {
    const analysis = this.analyst.known[this.ply];
    const overlay = /** @type {HTMLInputElement} */ (part("overlay")).checked;
    const kind = this.game.layout.kind;
    this.board.show({ values: analysis && overlay ? valuesByCell(analysis, kind, this.at) : new Map() });
    this.graph.show(this.analyst.scores, this.ply);
    part("depth").textContent = this.#depth();
    part("legend").textContent = analysis && overlay ? legend(analysis) : "";
    const moves = analysis ? ranked(analysis.moves) : [];
    const items = moves
      .slice(0, LISTED)
      .map((move) => make("li", { class: kindOf(move) }, make("b", {}, move.text), ` ${inWords(move)}`));
    if (moves.length > LISTED) items.push(make("li", { class: "faint" }, `and ${moves.length - LISTED} more`));
    fill(part("worths"), items);
  }

  #depth() {
    const analysis = this.analyst.known[this.ply];
    const { problem } = this.analyst;
    if (!analysis) return problem ? problem.sentence : "Thinking …";
    if (!analysis.moves.length) return "The game is over here.";
    const how = analysis.exact
      ? "Exact values"
      : `The engine's evaluation${analysis.depth ? `, ${analysis.depth} moves deep` : ""}`;
    return `${how}, for ${analysis.turn}, who is to move.`;
  }

  #listMoves() {
    const items = this.record.positions
      .slice(1)
      .map(({ side, move }, index) =>
        make(
          "li",
          { class: side?.toLowerCase() },
          make(
            "button",
            { type: "button", onclick: () => this.go(index + 1) },
            make("span", { class: "side" }, side),
            ` ${move}`,
          ),
        ),
      );
    part("history").replaceChildren(...items);
  }

  #markMove() {
    part("history")
      .querySelectorAll("button")
      .forEach((button, index) => {
        const here = index + 1 === this.ply;
        if (here) button.setAttribute("aria-current", "step");
        else button.removeAttribute("aria-current");
        if (here) reveal(button, part("history"));
      });
  }

  /** Until another game is looked at. */
  #listen() {
    const { signal } = this.leaving;
    const detail = (/** @type {Event} */ event) => /** @type {CustomEvent} */ (event).detail;
    const steps = { first: () => 0, back: () => this.ply - 1, on: () => this.ply + 1, last: () => this.last };
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)), { signal });
    for (const button of document.querySelectorAll("[data-to]")) {
      const to = steps[/** @type {keyof typeof steps} */ (button.getAttribute("data-to"))];
      button.addEventListener("click", () => this.go(to()), { signal });
    }
    part("overlay").addEventListener("change", () => this.#showWorth(), { signal });
    this.graph.addEventListener("seek", (event) => this.go(detail(event), false), { signal });
    this.board.addEventListener("point", (event) => ((this.at = detail(event)), this.#showWorth()), { signal });
    document.addEventListener("keydown", (event) => this.#key(event, steps), { signal });
  }

  /** @param {KeyboardEvent} event @param {Record<"first" | "back" | "on" | "last", () => number>} steps */
  #key(event, steps) {
    const elsewhere = event.target instanceof Element && event.target.closest("input, textarea, nine-board");
    const keys = { ArrowLeft: steps.back, ArrowRight: steps.on, Home: steps.first, End: steps.last };
    const step = keys[/** @type {keyof typeof keys} */ (event.key)];
    if (!step || elsewhere || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    this.go(step());
  }
}

/** Scroll a list to one of its items, and never the page. @param {Element} item @param {Element} list */
function reveal(item, list) {
  const [inner, outer] = [item.getBoundingClientRect(), list.getBoundingClientRect()];
  list.scrollTop += Math.min(0, inner.top - outer.top) + Math.max(0, inner.bottom - outer.bottom);
}

/** @type {Review | null} */
let current = null;

/** @param {string} text of a record or a log @param {string} [match] where it was played */
async function open(text, match) {
  const [games, record] = await Promise.all([api.games(), api.readRecord(text)]);
  const game = games.find(({ id }) => id === record.game);
  if (!game) throw new api.Problem({ detail: `This server does not know the game ${record.game}.` });
  notice("");
  current?.leave();
  current = new Review(game, record);
  current.show();
  part("back").hidden = !match;
  if (match) part("back").setAttribute("href", `/m/${encodeURIComponent(match)}`);
}

/** An ended match of this server; one that is being played is never looked into. @param {string} match */
async function openMatch(match) {
  const { seats, watch } = kept(match);
  const token = Object.values(seats)[0] ?? watch;
  const view = await api.view(match, token);
  if (view.status !== "ended")
    throw new api.Problem({
      detail: "This game is still being played.",
      instead: "It can be reviewed when it is over.",
    });
  await open(await api.textOf(match, "log", token), match);
}

/** @param {() => Promise<void>} work */
async function attempt(work) {
  try {
    await work();
  } catch (problem) {
    notice(problem instanceof api.Problem ? problem.sentence : String(problem));
    if (!current) part("open").hidden = false;
  }
}

/** @param {string} words */
function notice(words) {
  part("notice").hidden = !words;
  part("notice").textContent = words;
}

function listenForRecords() {
  const text = /** @type {HTMLTextAreaElement} */ (part("record-text"));
  const file = /** @type {HTMLInputElement} */ (part("record-file"));
  const read = (/** @type {File | undefined} */ chosen) =>
    chosen && void attempt(async () => open(await chosen.text()));
  part("open-form").addEventListener("submit", (event) => {
    event.preventDefault();
    if (text.value.trim()) void attempt(() => open(`${text.value.trim()}\n`));
    else read(file.files?.[0]);
  });
  file.addEventListener("change", () => read(file.files?.[0]));
  part("other").addEventListener("click", () => {
    part("open").hidden = false;
    text.focus();
  });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    const dropped = event.dataTransfer;
    if (dropped?.files.length) read(dropped.files[0]);
    else if (dropped?.getData("text")) void attempt(() => open(dropped.getData("text")));
  });
}

listenForRecords();
const asked = new URLSearchParams(location.search).get("match");
if (asked) void attempt(() => openMatch(asked));
else part("open").hidden = false;
