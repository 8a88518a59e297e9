/**
 * The review page: steps through a match that is over or a record, and shows the values of its moves.
 *
 * @typedef {import("../lib/types.js").GameRecord} GameRecord
 * @typedef {import("../lib/types.js").Game} Game
 */

import * as api from "../lib/api.js";
import { NineBoard } from "../lib/board-element.js";
import { announce, byId, copyButton, fillTexts, html, showNotice, update } from "../lib/dom.js";
import { readToken } from "../lib/match-storage.js";
import { text } from "../lib/messages.js";
import { installSettings } from "../lib/settings-dialog.js";
import { AnalysisQueue } from "./analysis-queue.js";
import { EvaluationGraph } from "./evaluation-graph.js";
import { bestFirst, describeValue, explainSigns, valueClass, valuesByCell } from "./move-values.js";

const MOST_VALUES = 5; // that are listed

/** The review of one game. */
class GameReview {
  /** @param {Game} game @param {GameRecord} record */
  constructor(game, record) {
    this.game = game;
    this.record = record;
    this.board = /** @type {NineBoard} */ (byId("board"));
    this.slider = /** @type {HTMLInputElement} */ (byId("slider"));
    this.graph = /** @type {EvaluationGraph} */ (byId("graph"));
    this.analysis = new AnalysisQueue(record.game, record.positions, () => this.#showValues());
    /** @type {number | null} */
    this.pointed = null;
    this.ply = 0;
    this.closing = new AbortController();
  }

  /** Ends the review, because another game is opened. */
  close() {
    this.analysis.stop();
    this.closing.abort();
  }

  get last() {
    return this.record.positions.length - 1;
  }

  show() {
    const { title, setup, result } = this.record;
    document.title = text("page.title", { title: text("review.title", { game: title }) });
    byId("title").textContent = title;
    byId("players").textContent = setup.seats.map(describeSeat).join(" · ");
    byId("result").textContent = result?.sentence ?? text("review.unfinished");
    this.slider.max = String(this.last);
    byId("copy-buttons").replaceChildren(
      copyButton(text("review.copy_position"), () => this.record.positions[this.ply].position),
      copyButton(text("review.copy_record"), () => this.record.record),
    );
    this.#listMoves();
    this.#listen();
    byId("open").hidden = true;
    byId("game").hidden = false;
    byId("other").hidden = false;
    this.goTo(this.last, false);
  }

  /** @param {number} ply @param {boolean} [aloud] */
  goTo(ply, aloud = true) {
    this.ply = Math.min(this.last, Math.max(0, ply));
    this.pointed = null;
    const { board } = this.record.positions[this.ply];
    const { result } = this.record;
    const status = this.#describePosition();
    this.slider.value = String(this.ply);
    this.slider.setAttribute("aria-valuetext", status);
    byId("status").textContent = status;
    if (aloud) announce(status);
    const isEnd = this.ply === this.last && result;
    this.board.show({ layout: this.game.layout, board: isEnd ? { ...board, lines: result.lines } : board });
    this.#markMove();
    this.analysis.show(this.ply);
    this.#showValues();
  }

  #describePosition() {
    const { side, move } = this.record.positions[this.ply];
    if (!move) return text("review.start", { count: this.last });
    return text("review.position", { ply: this.ply, last: this.last, side: side ?? "", move });
  }

  /** Shows the values of the moves from here, as far as they are known. */
  #showValues() {
    const analysis = this.analysis.results[this.ply];
    const isOnBoard = /** @type {HTMLInputElement} */ (byId("values-on-board")).checked;
    const values = analysis && isOnBoard ? valuesByCell(analysis, this.game.layout.kind, this.pointed) : new Map();
    this.board.show({ values });
    this.graph.show(this.analysis.scores, this.ply);
    byId("analysis-status").textContent = this.#describeAnalysis();
    byId("value-signs").textContent = analysis && isOnBoard ? explainSigns(analysis) : "";
    const moves = analysis ? bestFirst(analysis.moves) : [];
    const items = moves
      .slice(0, MOST_VALUES)
      .map((move) => html("li", { class: valueClass(move) }, html("b", {}, move.text), ` ${describeValue(move)}`));
    const rest = moves.length - MOST_VALUES;
    if (rest > 0) items.push(html("li", { class: "faint" }, text("review.more_moves", { moves: rest })));
    update(byId("move-values"), items);
  }

  #describeAnalysis() {
    const analysis = this.analysis.results[this.ply];
    if (!analysis) return this.analysis.problem?.sentences ?? text("review.thinking");
    const { moves, exact, depth } = analysis;
    if (!moves.length) return text("review.over");
    const side = analysis.turn ?? "";
    if (exact) return text("review.exact", { side });
    return depth ? text("review.estimated_deep", { side, depth }) : text("review.estimated", { side });
  }

  #listMoves() {
    const items = this.record.positions.slice(1).map(({ side, move }, index) => {
      const goTo = html("button", { type: "button", onclick: () => this.goTo(index + 1) });
      goTo.append(html("span", { class: "side" }, side), ` ${move}`);
      return html("li", { class: side?.toLowerCase() }, goTo);
    });
    byId("history").replaceChildren(...items);
  }

  #markMove() {
    const list = byId("history");
    list.querySelectorAll("button").forEach((item, index) => {
      const isShown = index + 1 === this.ply;
      if (isShown) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
      if (isShown) scrollToItem(item, list);
    });
  }

  /** Listens until another game is opened. */
  #listen() {
    const { signal } = this.closing;
    const detail = (/** @type {Event} */ event) => /** @type {CustomEvent} */ (event).detail;
    const steps = { first: () => 0, back: () => this.ply - 1, forward: () => this.ply + 1, last: () => this.last };
    this.slider.addEventListener("input", () => this.goTo(Number(this.slider.value)), { signal });
    for (const element of document.querySelectorAll("[data-step]")) {
      const step = steps[/** @type {keyof typeof steps} */ (element.getAttribute("data-step"))];
      element.addEventListener("click", () => this.goTo(step()), { signal });
    }
    byId("values-on-board").addEventListener("change", () => this.#showValues(), { signal });
    this.graph.addEventListener("seek", (event) => this.goTo(detail(event), false), { signal });
    this.board.addEventListener("point", (event) => ((this.pointed = detail(event)), this.#showValues()), { signal });
    document.addEventListener("keydown", (event) => this.#onKey(event, steps), { signal });
  }

  /** @param {KeyboardEvent} event @param {Record<"first" | "back" | "forward" | "last", () => number>} steps */
  #onKey(event, steps) {
    const isElsewhere = event.target instanceof Element && event.target.closest("input, textarea, nine-board");
    const keys = { ArrowLeft: steps.back, ArrowRight: steps.forward, Home: steps.first, End: steps.last };
    const step = keys[/** @type {keyof typeof keys} */ (event.key)];
    if (!step || isElsewhere || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    this.goTo(step());
  }
}

/** @param {GameRecord["setup"]["seats"][0]} seat */
function describeSeat({ side, name, player }) {
  const computer = () => text("review.computer", { level: player });
  return text("review.seat", { side, player: name || (player === "human" ? text("review.person") : computer()) });
}

/** Scrolls a list to one of its items, but not the page. @param {Element} item @param {Element} list */
function scrollToItem(item, list) {
  const [inner, outer] = [item.getBoundingClientRect(), list.getBoundingClientRect()];
  list.scrollTop += Math.min(0, inner.top - outer.top) + Math.max(0, inner.bottom - outer.bottom);
}

/** @type {GameReview | null} */
let current = null;

/** @param {string} content of a record or a log @param {string} [match] in which it was played */
async function openRecord(content, match) {
  const [games, record] = await Promise.all([api.getGames(), api.readRecord(content)]);
  const game = games.find(({ id }) => id === record.game);
  if (!game) throw new api.ApiProblem({ detail: text("review.unknown_game", { game: record.game }) });
  showNotice("");
  current?.close();
  current = new GameReview(game, record);
  current.show();
  byId("back").hidden = !match;
  if (match) byId("back").setAttribute("href", `/m/${encodeURIComponent(match)}`);
}

/** Opens a match of this server. One that is still played cannot be reviewed. @param {string} match */
async function openMatch(match) {
  const token = readToken(match);
  const view = await api.getMatch(match, token);
  if (view.status !== "ended")
    throw new api.ApiProblem({ detail: text("review.not_over"), instead: text("review.not_over.instead") });
  await openRecord(await api.getMatchText(match, "log", token), match);
}

/** @param {() => Promise<void>} work */
async function attempt(work) {
  try {
    await work();
  } catch (problem) {
    showNotice(api.describeError(problem));
    if (!current) byId("open").hidden = false;
  }
}

function listenForRecords() {
  const field = /** @type {HTMLTextAreaElement} */ (byId("record-text"));
  const file = /** @type {HTMLInputElement} */ (byId("record-file"));
  const readFile = (/** @type {File | undefined} */ chosen) =>
    chosen && void attempt(async () => openRecord(await chosen.text()));
  byId("open-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const content = field.value.trim();
    if (content) void attempt(() => openRecord(`${content}\n`));
    else readFile(file.files?.[0]);
  });
  file.addEventListener("change", () => readFile(file.files?.[0]));
  byId("other").addEventListener("click", () => {
    byId("open").hidden = false;
    field.focus();
  });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    const dropped = event.dataTransfer;
    if (dropped?.files.length) readFile(dropped.files[0]);
    else if (dropped?.getData("text")) void attempt(() => openRecord(dropped.getData("text")));
  });
}

fillTexts();
installSettings();
listenForRecords();
const requested = new URLSearchParams(location.search).get("match");
if (requested) void attempt(() => openMatch(requested));
else byId("open").hidden = false;
