/**
 * The review of a game: steps through it, shows the values of the moves, and lets others be tried.
 *
 * @typedef {import("../lib/types.js").GameRecord} GameRecord
 * @typedef {import("../lib/types.js").Game} Game
 * @typedef {import("../lib/types.js").LegalMove} LegalMove
 * @typedef {import("../lib/types.js").Position} Position
 * @typedef {Parameters<import("./position-editor.js").PositionEditor["open"]>[0]} SetUp
 */

import * as api from "../lib/api.js";
import { NineBoard } from "../lib/board-element.js";
import { announce, button, byId, copyButton, html, showNotice, update } from "../lib/dom.js";
import { resultSentence } from "../lib/match-view.js";
import { text, wordText } from "../lib/messages.js";
import { lightMoves, moveItem, scrollToItem } from "../lib/move-list.js";
import { cellsOfMove, movePlace, moveWords } from "../lib/places.js";
import { loadSettings } from "../lib/settings.js";
import { AnalysisQueue } from "./analysis-queue.js";
import { EvaluationGraph } from "./evaluation-graph.js";
import { describeMistake, firstMistake, mistakesOf } from "./mistakes.js";
import { bestFirst, describeValue, explainSigns, valueClass, valuesByCell } from "./move-values.js";
import { rulesOf } from "./position-text.js";
import { VariationTree } from "./variations.js";

const MOST_VALUES = 5; // that are listed
const MOST_FOLLOWING = 6; // moves of a line
/** @type {LegalMove[]} */
const NO_MOVES = [];

/** The review of one game. */
export class GameReview {
  /**
   * @param {Game} game
   * @param {GameRecord} record
   * @param {(from: SetUp) => void} onSetUp opens the form for a position
   */
  constructor(game, record, onSetUp) {
    this.game = game;
    this.onSetUp = onSetUp;
    this.record = record;
    this.board = /** @type {NineBoard} */ (byId("board"));
    this.slider = /** @type {HTMLInputElement} */ (byId("slider"));
    this.graph = /** @type {EvaluationGraph} */ (byId("graph"));
    this.tree = new VariationTree(record.positions);
    this.analysis = new AnalysisQueue({ game: record.game, ...mustClaim(record) }, record.positions, () => this.#onAnalysis());
    /** @type {Map<number, Position>} the positions that were shown, with their moves, and their threats if wanted */
    this.known = new Map();
    /** @type {number | null} */
    this.pointed = null;
    /** The position that is shown: of the game, or of a variation. */
    this.node = 0;
    /** True until the first mistake is found, or somebody has chosen a position. */
    this.isSeeking = true;
    this.closing = new AbortController();
  }

  /** Ends the review, because another game is opened. */
  close() {
    this.analysis.stop();
    this.closing.abort();
  }

  get last() {
    return this.tree.last;
  }

  /** @param {number | null} ply the position to open; null for the one after the first mistake */
  show(ply) {
    const { title, setup, result, record } = this.record;
    document.title = text("page.title", { title: text("review.title", { game: title }) });
    byId("title").textContent = title;
    byId("players").textContent = setup.seats.map(describeSeat).join(" · ");
    byId("result").textContent = result ? resultSentence(result) : record ? text("review.unfinished") : "";
    this.slider.max = String(this.last);
    byId("copy-buttons").replaceChildren(
      copyButton(text("review.copy_position"), () => this.record.positions[this.node].position),
      ...(record ? [copyButton(text("review.copy_record"), () => record)] : []),
      button(text("review.set_up_here"), { class: "quiet", onclick: () => this.onSetUp(this.setUp) }),
    );
    this.#listen();
    byId("open").hidden = true;
    byId("game").hidden = false;
    byId("other").hidden = false;
    if (ply !== null) this.goTo(ply, false);
    else this.#go(this.last, false);
  }

  /** What the form for a position begins with. */
  get setUp() {
    const { board, turn, position } = this.record.positions[this.node];
    const { options } = this.record.setup;
    return { game: this.game.id, cells: board.cells, turn, match: options, ...rulesOf(this.game.layout.kind, position) };
  }

  /** Shows a position that somebody has chosen. @param {number} node @param {boolean} [aloud] */
  goTo(node, aloud = true) {
    this.isSeeking = false;
    this.#go(node, aloud);
  }

  /** @param {number} node @param {boolean} aloud */
  #go(node, aloud) {
    this.node = Math.min(this.record.positions.length - 1, Math.max(0, Math.trunc(node)));
    this.pointed = null;
    const { board, turn } = this.record.positions[this.node];
    const { result } = this.record;
    const status = this.#describePosition();
    this.slider.value = String(this.tree.plyOf(this.node));
    this.slider.setAttribute("aria-valuetext", status);
    byId("status").textContent = status;
    if (aloud) announce(status);
    const isEnd = this.node === this.last && result;
    const shown = isEnd ? { ...board, lines: result.lines } : board;
    this.board.pending = null;
    this.board.dataset.turn = turn?.toLowerCase() ?? "";
    this.board.show({ layout: this.game.layout, board: shown, ...this.#movesAndThreats });
    this.analysis.show(this.node);
    this.#showAnalysis();
    void this.#loadMoves(this.node);
  }

  /** What is known of the position that is shown: the moves that can be tried, and who could win next. */
  get #movesAndThreats() {
    const { moves = NO_MOVES, threats = {} } = this.known.get(this.node) ?? {};
    return { moves, threats: loadSettings().threats ? threats : {} };
  }

  /** Asks for the legal moves of a position, so that they can be tried. @param {number} node */
  async #loadMoves(node) {
    const { threats } = loadSettings();
    const known = this.known.get(node);
    if (known && (known.threats || !threats)) return;
    const { position } = this.record.positions[node];
    const body = { game: this.game.id, position, threats, ...mustClaim(this.record) };
    const found = await api.retry(() => api.getPosition(body)).catch(() => null); // then none can be tried here
    if (!found || this.closing.signal.aborted) return;
    this.known.set(node, found);
    if (node === this.node) this.board.show(this.#movesAndThreats);
  }

  /** Tries a move: it begins a variation, or follows the game. @param {LegalMove} move */
  async #try({ text: move }) {
    const { node, tree } = this;
    const known = tree.find(node, move);
    if (known !== null) return this.goTo(known);
    const { position, turn: side } = this.record.positions[node];
    try {
      const after = await api.retry(() => api.getPosition({ game: this.game.id, position, moves: [move] }));
      if (this.closing.signal.aborted || node !== this.node) return;
      showNotice("");
      const added = tree.add(node, { position: after.position, board: after.board, turn: after.turn, move, side });
      this.analysis.add();
      this.known.set(added, after);
      this.goTo(added);
    } catch (problem) {
      showNotice(api.describeError(problem));
      this.#go(node, false);
    }
  }

  #describePosition() {
    const { side, move: written } = this.record.positions[this.node];
    if (!written) return this.last ? text("review.start", { count: this.last }) : text("review.set_up_position");
    const [ply, move] = [this.tree.plyOf(this.node), moveWords(this.game.layout, written)];
    if (this.tree.isVariation(this.node)) return text("review.variation", { ply, side: side ?? "", move });
    return text("review.position", { ply, last: this.last, side: side ?? "", move });
  }

  #onAnalysis() {
    const { results, done } = this.analysis;
    const found = this.isSeeking
      ? firstMistake(results, this.#gamePositions, (ply) => done.has(ply) && !results[ply])
      : undefined;
    if (found === undefined) return this.#showAnalysis();
    this.isSeeking = false;
    this.#go(found ?? this.last, false);
  }

  get #gamePositions() {
    return this.record.positions.slice(0, this.last + 1);
  }

  #showAnalysis() {
    const mistakes = mistakesOf(this.analysis.results, this.#gamePositions);
    const plies = new Map([...mistakes].map(([ply, { kind }]) => [ply, kind]));
    this.graph.show(this.analysis.scores.slice(0, this.last + 1), this.tree.plyOf(this.node), plies);
    this.#listMoves(mistakes);
    this.#listVariations();
    this.#showValues();
  }

  /** Shows the values of the moves from here, as far as they are known. */
  #showValues() {
    const analysis = this.analysis.results[this.node];
    const isOnBoard = /** @type {HTMLInputElement} */ (byId("values-on-board")).checked;
    const values = analysis && isOnBoard ? valuesByCell(analysis, this.game.layout.kind, this.pointed) : new Map();
    this.board.show({ values });
    byId("analysis-status").textContent = this.#describeAnalysis();
    byId("value-signs").textContent = analysis && isOnBoard ? explainSigns(analysis) : "";
    const moves = analysis ? bestFirst(analysis.moves) : [];
    const items = moves.slice(0, MOST_VALUES).map((move) => {
      const name = html("b", {}, movePlace(this.game.layout, move.path));
      const words = html("span", { class: valueClass(move) }, name, ` ${describeValue(move)}`);
      const line = this.#describeLine(move.line.slice(1));
      const cells = cellsOfMove(this.game.layout, move.path).join(" ");
      return html("li", { "data-cells": cells }, words, line && html("span", { class: "line faint" }, ` ${text("review.line", { line })}`));
    });
    const rest = moves.length - MOST_VALUES;
    if (rest > 0) items.push(html("li", { class: "faint" }, text("review.more_moves", { moves: rest })));
    update(byId("move-values"), items);
  }

  /** The first moves that are expected to follow. @param {string[]} moves */
  #describeLine(moves) {
    const shown = moves.slice(0, MOST_FOLLOWING).map((move) => movePlace(this.game.layout, move));
    return [...shown, ...(moves.length > MOST_FOLLOWING ? ["…"] : [])].join(", ");
  }

  #describeAnalysis() {
    const analysis = this.analysis.results[this.node];
    if (!analysis) return this.analysis.problem?.sentences ?? text("review.thinking");
    const { moves, exact, depth } = analysis;
    if (!moves.length) return text("review.over");
    const side = analysis.turn ?? "";
    if (exact) return text("review.exact", { side });
    return depth ? text("review.estimated_deep", { side, depth }) : text("review.estimated", { side });
  }

  /** @param {Map<number, import("./mistakes.js").Mistake>} mistakes */
  #listMoves(mistakes) {
    const items = this.#gamePositions.slice(1).map((_, index) => this.#moveItem(index + 1, mistakes.get(index + 1)));
    const list = byId("history");
    update(list, items);
    const shown = list.querySelector("[aria-current]");
    if (shown) scrollToItem(shown, list);
  }

  /** @param {number} node @param {import("./mistakes.js").Mistake} [mistake] */
  #moveItem(node, mistake) {
    const { side, move } = this.record.positions[node];
    const more = [];
    if (mistake) {
      more.push(html("span", { class: `mistake ${mistake.kind}`, "aria-hidden": "true" }, mistake.sign));
      more.push(html("span", { class: "offscreen" }, `, ${describeMistake(mistake)}`));
    }
    const current = node === this.node ? "step" : null;
    const title = mistake ? describeMistake(mistake) : null;
    const button = { "data-key": `move-${node}`, "data-node": node, "aria-current": current, title };
    return moveItem(this.game.layout, side ?? "", move ?? "", button, ...more);
  }

  #listVariations() {
    const branches = this.tree.branches();
    byId("variations").hidden = !branches.length;
    const items = branches.map((branch) => {
      const from = this.tree.plyOf(branch[0]);
      const moves = branch.map((node) => this.#moveItem(node));
      return html(
        "li",
        {},
        html("span", { class: "faint" }, text("review.variation_from", { ply: from })),
        html("ol", { class: "history" }, moves),
      );
    });
    update(byId("variation-list"), items);
  }

  /** The position one move on: of the game, or of the variation that is shown. */
  get #forward() {
    return this.tree.children(this.node)[0] ?? this.node;
  }

  /** Listens until another game is opened. */
  #listen() {
    const { signal } = this.closing;
    const detail = (/** @type {Event} */ event) => /** @type {CustomEvent} */ (event).detail;
    const back = () => this.tree.parents[this.node];
    const steps = { first: () => 0, back, forward: () => this.#forward, last: () => this.last };
    this.slider.addEventListener("input", () => this.goTo(Number(this.slider.value)), { signal });
    for (const element of document.querySelectorAll("[data-step]")) {
      const step = steps[/** @type {keyof typeof steps} */ (element.getAttribute("data-step"))];
      element.addEventListener("click", () => this.goTo(step()), { signal });
    }
    byId("values-on-board").addEventListener("change", () => this.#showValues(), { signal });
    this.graph.addEventListener("seek", (event) => this.goTo(detail(event), false), { signal });
    this.board.addEventListener("play", (event) => void this.#try(detail(event)), { signal });
    for (const list of ["history", "variation-list"])
      byId(list).addEventListener("click", (event) => this.#onMove(event), { signal });
    for (const list of ["history", "variation-list", "move-values"]) lightMoves(byId(list), this.board, signal);
    addEventListener("look", () => this.#go(this.node, false), { signal });
    this.board.addEventListener("point", (event) => ((this.pointed = detail(event)), this.#showValues()), { signal });
    document.addEventListener("keydown", (event) => this.#onKey(event, steps), { signal });
  }

  /** @param {MouseEvent} event in a list of moves */
  #onMove({ target }) {
    const pressed = target instanceof Element ? target.closest("[data-node]") : null;
    if (pressed) this.goTo(Number(pressed.getAttribute("data-node")));
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
  const computer = () => text("review.computer", { level: wordText("level", player) });
  return text("review.seat", { side, player: name || (player === "human" ? text("review.person") : computer()) });
}

/**
 * Whether victory must be claimed in a game; nothing if its record does not say.
 *
 * @param {GameRecord} record
 */
function mustClaim({ setup: { options } }) {
  return options.claims ? { claims: options.claims === "yes" } : {};
}
