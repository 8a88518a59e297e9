/** The dialog with the rules of a game. */

import { buttonRow, closeButton, dialogTitle, openDialog } from "./dialog.js";
import { announce, html } from "./dom.js";
import { text } from "./messages.js";

/**
 * @param {import("./types.js").Game} game
 * @param {HTMLButtonElement} [playButton]
 */
export function showRules({ title, rules, advice }, playButton) {
  openDialog(
    dialogTitle(text("rules.title", { game: title })),
    html(
      "div",
      { class: "rules", tabindex: 0, role: "group", "aria-label": text("rules.label") },
      paragraphs(rules),
      tips(advice),
    ),
    buttonRow(playButton, closeButton()),
  );
  announce(text("rules.opened", { game: title }));
}

/** Under a heading that says that they are no rules. @param {string[]} advice */
function tips(advice) {
  if (!advice.length) return [];
  const items = advice.map((tip) => html("li", {}, tip));
  return [html("h3", {}, text("rules.advice")), html("ul", { class: "advice" }, items)];
}

/** Paragraphs are wrapped; drawings keep their columns. @param {string} rules */
function paragraphs(rules) {
  const blocks = rules.replace(/^\n+|\s+$/g, "").split("\n\n");
  const drawing = { tabindex: 0, role: "group", "aria-label": text("rules.drawing") };
  return blocks.map((block) =>
    / {3}/.test(block) ? html("pre", drawing, block) : html("p", {}, block.replaceAll("\n", " ")),
  );
}
