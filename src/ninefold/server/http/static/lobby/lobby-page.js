/**
 * The first page: the games, your matches, those of others.
 *
 * @typedef {import("../lib/types.js").Game} Game
 */

import * as api from "../lib/api.js";
import { pictureBoard } from "../lib/board-element.js";
import { Demo, Demos } from "./demo-boards.js";
import { make, part, still } from "../lib/dom.js";
import { Lobby, showYours } from "./match-lists.js";
import { showRules } from "../lib/rules-dialog.js";
import { askSetup } from "./new-match-dialog.js";

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
          { type: "button", class: "quiet small", onclick: () => readRules(game) },
          "Rules",
          make("span", { class: "offscreen" }, ` of ${game.title}`),
        ),
      ),
    ),
  );
}

/** @param {Game} game */
function readRules(game) {
  const dialog = /** @type {HTMLDialogElement} */ (part("dialog"));
  const play = () => (dialog.close(), askSetup(game));
  showRules(game, make("button", { type: "button", class: "strong", onclick: play }, "Play"));
}

void open();
