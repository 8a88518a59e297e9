/**
 * The first page: the games, your matches, those of others.
 *
 * @typedef {import("./types.js").Game} Game
 */

import * as api from "./api.js";
import { pictureBoard } from "./board.js";
import { Demo, Demos } from "./demo.js";
import { make, part, say, still } from "./dom.js";
import { Lobby, showYours } from "./lobby.js";
import { askSetup } from "./setup.js";

const demos = new Demos(still());

async function open() {
  try {
    const games = await api.games();
    part("notice").hidden = true;
    showGames(games);
    addEventListener("pageshow", (event) => event.persisted && void showYours(games));
    document.addEventListener("visibilitychange", () => document.hidden || void showYours(games));
    await Promise.all([new Lobby(games).refresh(), showYours(games)]);
  } catch (problem) {
    if (!(problem instanceof api.Problem)) throw problem;
    part("notice").hidden = false;
    part("notice").textContent = `${problem.message} Trying again …`;
    setTimeout(open, 3000);
  }
}

/** @param {Game[]} games */
function showGames(games) {
  part("games-none").hidden = true;
  part("games-list").replaceChildren(...games.map(card));
  const motion = part("motion");
  motion.hidden = false;
  const paint = () => {
    motion.setAttribute("aria-pressed", String(demos.paused));
    motion.classList.toggle("pressed", demos.paused);
  };
  motion.addEventListener("click", () => {
    demos.paused = !demos.paused;
    paint();
  });
  paint();
}

/** @param {Game} game */
function card(game) {
  const board = pictureBoard("picture");
  demos.all.push(new Demo(board, game.layout, game.id));
  const play = () => askSetup(game);
  return make(
    "li",
    { class: "game card" },
    board,
    make(
      "div",
      { class: "words" },
      make("h3", {}, game.title),
      make("p", { class: "faint" }, game.summary),
      make(
        "div",
        { class: "buttons" },
        make(
          "button",
          { type: "button", class: "strong small", onclick: play },
          "Play",
          make("span", { class: "offscreen" }, ` ${game.title}`),
        ),
        make(
          "button",
          { type: "button", class: "quiet small", onclick: () => showRules(game) },
          "Rules",
          make("span", { class: "offscreen" }, ` of ${game.title}`),
        ),
      ),
    ),
  );
}

/** @param {Game} game */
function showRules(game) {
  const dialog = /** @type {HTMLDialogElement} */ (part("dialog"));
  const close = make("button", { type: "button", class: "quiet", onclick: () => dialog.close() }, "Close");
  const play = make(
    "button",
    { type: "button", class: "strong", onclick: () => (dialog.close(), askSetup(game)) },
    "Play",
  );
  dialog.replaceChildren(
    make("h2", { id: "dialog-title" }, `Rules of ${game.title}`),
    make("div", { class: "rules", tabindex: 0, role: "group", "aria-label": "Rules" }, rulesOf(game.rules)),
    make("div", { class: "buttons" }, play, close),
  );
  dialog.showModal();
  say(`Rules of ${game.title}`);
}

/** Sentences flow; what is drawn in columns keeps them. @param {string} text */
function rulesOf(text) {
  const blocks = text.replace(/^\n+|\s+$/g, "").split("\n\n");
  const board = { tabindex: 0, role: "group", "aria-label": "Board and numbers" };
  return blocks.map((block) =>
    / {3}/.test(block) ? make("pre", board, block) : make("p", {}, block.replaceAll("\n", " ")),
  );
}

void open();
