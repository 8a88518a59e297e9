/**
 * The page of a lesson: five steps on the board of a game, its rules, and pictures of them.
 *
 * @typedef {import("../lib/types.js").Game} Game
 * @typedef {import("../lib/types.js").LegalMove} LegalMove
 * @typedef {import("../lib/types.js").Lesson} Lesson
 */

import * as api from "../lib/api.js";
import { NineBoard, pictureBoard } from "../lib/board-element.js";
import { celebrate } from "../lib/celebration.js";
import { showDeadEnd } from "../lib/dead-end.js";
import { announce, button, byId, html, showNotice, update } from "../lib/dom.js";
import { sentenceCase, text } from "../lib/messages.js";
import { moveWords } from "../lib/places.js";
import { startPage } from "../lib/start-page.js";
import { shortTitle } from "../lib/short-title.js";
import { FIRST_PAGE, pageAddress } from "../lib/site.js";
import { playSound } from "../lib/sounds.js";

/** @type {LegalMove[]} */
const NO_MOVES = [];
const NO_FEEDBACK = { say: () => "", kind: /** @type {const} */ ("") };

class LearnPage {
  /** @param {Game} game @param {Lesson} lesson @param {Game[]} games */
  constructor(game, lesson, games) {
    this.game = game;
    this.lesson = lesson;
    this.games = games;
    this.board = /** @type {NineBoard} */ (byId("board"));
    this.number = 0;
    /** What was said of the last move. @type {{say: () => string, kind: "right" | "wrong" | ""}} */
    this.feedback = NO_FEEDBACK;
    /** Counts the times a position was set up: a response to an earlier one is out of date. */
    this.attempt = 0;
  }

  get #step() {
    return this.lesson.steps[this.number];
  }

  show() {
    const { title, rules, advice, steps } = this.lesson;
    document.title = text("page.title", { title: text("learn.title", { game: title }) });
    byId("title").textContent = text("learn.title", { game: title });
    byId("games").replaceChildren(...this.games.map((game) => html("li", {}, this.#link(game))));
    byId("rules-text").replaceChildren(...rules.map((paragraph) => html("p", {}, paragraph)));
    byId("advice").replaceChildren(...advice.map((tip) => html("li", {}, tip)));
    byId("pictures").replaceChildren(...steps.map((step) => this.#picture(step)));
    this.board.addEventListener("play", (event) => void this.#play(/** @type {CustomEvent} */ (event).detail));
    document.addEventListener("keydown", (event) => this.#onKey(event));
    addEventListener("look", () => this.#showFeedback(this.feedback));
    this.goTo(0);
  }

  /** @param {Game} game */
  #link({ id, title }) {
    const current = id === this.game.id ? "page" : null;
    return html("a", { href: pageAddress("learn", `?game=${id}`), "aria-current": current, "aria-label": title }, shortTitle(title));
  }

  /** @param {import("../lib/types.js").LessonStep} step */
  #picture({ say, start }) {
    const board = pictureBoard("lesson-picture");
    board.show({ layout: this.game.layout, board: start.board });
    return html("li", {}, html("figure", {}, board, html("figcaption", {}, say.text)));
  }

  /** @param {number} number */
  goTo(number) {
    this.number = number;
    const { steps } = this.lesson;
    byId("step").textContent = text("learn.step", { step: number + 1, steps: steps.length });
    byId("status").textContent = this.#step.say.text;
    announce(this.#step.say.text);
    this.#retry();
  }

  /** Shows the position of the step, as it was before any move. */
  #retry() {
    this.attempt += 1;
    const { board, moves, turn } = this.#step.start;
    this.board.dataset.turn = turn?.toLowerCase() ?? "";
    this.board.pending = null;
    this.board.show({ layout: this.game.layout, board, moves });
    this.#showFeedback(NO_FEEDBACK);
    this.#showActions(false, false);
  }

  /** @param {LegalMove} move */
  async #play(move) {
    playSound("move");
    const { right, start, done } = this.#step;
    const isRight = !right.length || right.includes(move.text);
    const { attempt } = this;
    try {
      const after = await api.getPosition({ game: start.game, position: start.position, moves: [move.text] });
      if (attempt !== this.attempt) return;
      this.board.pending = null;
      this.board.dataset.turn = after.turn?.toLowerCase() ?? "";
      this.board.show({ board: after.board, moves: NO_MOVES });
    } catch (problem) {
      if (attempt === this.attempt) this.#retry();
      return showNotice(api.describeError(problem));
    }
    showNotice("");
    const isLast = this.number === this.lesson.steps.length - 1;
    const praise = isLast ? `${done.text} ${text("learn.over")}` : done.text;
    if (isRight) this.#showFeedback({ say: () => praise, kind: "right" });
    else this.#showFeedback({ say: () => this.#wrong(move), kind: "wrong" });
    playSound(!isRight ? "loss" : isLast ? "win" : "turn");
    if (isRight && isLast) celebrate(this.board, start.turn ?? "X");
    this.#showActions(isRight, !isRight);
  }

  /** @param {LegalMove} move */
  #wrong({ path }) {
    return text("learn.wrong", { move: sentenceCase(moveWords(this.game.layout, path)) });
  }

  /** @param {LearnPage["feedback"]} feedback */
  #showFeedback(feedback) {
    this.feedback = feedback;
    const element = byId("feedback");
    const sentence = feedback.say();
    element.hidden = !sentence;
    element.textContent = sentence;
    element.className = `feedback ${feedback.kind}`;
  }

  /** @param {boolean} isDone @param {boolean} wasWrong */
  #showActions(isDone, wasWrong) {
    const isLast = this.number === this.lesson.steps.length - 1;
    const to = (/** @type {number} */ number, /** @type {string} */ label) => {
      const isForward = number > this.number;
      const attributes = { class: isDone && isForward ? "strong" : "quiet", "data-key": isForward ? "next" : "back" };
      return button(label, { ...attributes, onclick: () => this.goTo(number) });
    };
    update(
      byId("actions"),
      wasWrong && button(text("learn.retry"), { class: "strong", "data-key": "retry", onclick: () => this.#retry() }),
      this.number > 0 && to(this.number - 1, text("learn.back")),
      !isLast && to(this.number + 1, text("learn.next")),
      isLast && html("a", { class: isDone ? "strong" : "quiet", href: `${FIRST_PAGE}?game=${this.game.id}` }, text("learn.play")),
      html("a", { class: "quiet", href: pageAddress("puzzle", `?id=${this.game.id}-1`) }, text("learn.puzzle")),
    );
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Escape") this.board.cancel();
    else if (this.board.type(event.key)) event.preventDefault();
  }
}

async function open() {
  const games = await api.getGames();
  const asked = new URLSearchParams(location.search).get("game");
  const lesson = await api.getLesson(asked ?? games[0].id);
  const game = games.find(({ id }) => id === lesson.game) ?? games[0];
  new LearnPage(game, lesson, games).show();
}

startPage();
const first = html("a", { class: "strong", href: pageAddress("learn") }, text("learn.first"));
open().catch((problem) => showDeadEnd(problem, text("learn.missing"), first));
