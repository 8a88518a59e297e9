/** The dialog with the rules of a game, in words and in pictures. */

import { describeError, getLesson } from "./api.js";
import { pictureBoard } from "./board-element.js";
import { buttonRow, closeButton, dialogTitle, openDialog } from "./dialog.js";
import { announce, html } from "./dom.js";
import { text } from "./messages.js";
import { pageAddress } from "./site.js";

/**
 * @typedef {import("./types.js").Game} Game
 * @typedef {import("./types.js").Lesson} Lesson
 *
 * @param {Game} game
 * @param {HTMLButtonElement} [playButton]
 */
export function showRules(game, playButton) {
  const { id, title } = game;
  const rules = html("div", { class: "rules", tabindex: 0, role: "group", "aria-label": text("rules.label") });
  openDialog(
    dialogTitle(text("rules.title", { game: title })),
    rules,
    buttonRow(
      playButton,
      html("a", { class: "quiet", href: pageAddress("learn", `?game=${encodeURIComponent(id)}`) }, text("learn.lesson")),
      closeButton(),
    ),
  );
  getLesson(id).then(
    (lesson) => rules.append(...illustrated(game, lesson), ...tips(lesson.advice)),
    (problem) => rules.append(html("p", { class: "notice" }, describeError(problem))),
  );
  announce(text("rules.opened", { game: title }));
}

/** The rules, and the positions of the lesson below them. @param {Game} game @param {Lesson} lesson */
function illustrated(game, { rules, steps }) {
  const paragraphs = rules.map((paragraph) => html("p", {}, paragraph));
  const pictures = steps.slice(1).map(({ say, start }) => {
    const board = pictureBoard("rules-picture");
    board.show({ layout: game.layout, board: start.board });
    return html("figure", {}, board, html("figcaption", {}, say.text));
  });
  return [...paragraphs, html("div", { class: "rules-pictures" }, pictures)];
}

/** Under a heading that says that they are no rules. @param {string[]} advice */
function tips(advice) {
  if (!advice.length) return [];
  const items = advice.map((tip) => html("li", {}, tip));
  return [html("h3", {}, text("rules.advice")), html("ul", { class: "advice" }, items)];
}
