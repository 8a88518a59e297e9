/**
 * The first page: the games, the matches of this device, and public matches.
 *
 * @typedef {import("../lib/types.js").Game} Game
 */

import * as api from "../lib/api.js";
import { pictureBoard } from "../lib/board-element.js";
import { closeDialog } from "../lib/dialog.js";
import { button, byId, fillTexts, html, prefersReducedMotion, showNotice } from "../lib/dom.js";
import { text } from "../lib/messages.js";
import { showRules } from "../lib/rules-dialog.js";
import { DemoBoard, DemoLoop } from "./demo-boards.js";
import { MatchLists, showMyMatches } from "./match-lists.js";
import { openNewMatchDialog } from "./new-match-dialog.js";

const RETRY_AFTER = 3000; // milliseconds

fillTexts();
const demos = new DemoLoop(prefersReducedMotion());

async function open() {
  try {
    const games = await api.getGames();
    showNotice("");
    showGames(games);
    addEventListener("pageshow", (event) => event.persisted && void showMyMatches(games));
    document.addEventListener("visibilitychange", () => document.hidden || void showMyMatches(games));
    await Promise.all([new MatchLists(games).refresh(), showMyMatches(games)]);
  } catch (problem) {
    if (!(problem instanceof api.ApiProblem)) throw problem;
    showNotice(text("error.retrying", { problem: problem.message }));
    setTimeout(open, RETRY_AFTER);
  }
}

/** @param {Game[]} games */
function showGames(games) {
  byId("games-none").hidden = true;
  byId("games-list").replaceChildren(...games.map(gameCard));
  const pause = byId("pause-demos");
  pause.hidden = false;
  const showState = () => {
    pause.setAttribute("aria-pressed", String(demos.isPaused));
    pause.classList.toggle("pressed", demos.isPaused);
  };
  pause.addEventListener("click", () => {
    demos.isPaused = !demos.isPaused;
    showState();
  });
  showState();
}

/** @param {Game} game */
function gameCard(game) {
  const board = pictureBoard("picture");
  demos.add(new DemoBoard(board, game.layout, game.id));
  return html(
    "li",
    { class: "game card" },
    board,
    html(
      "div",
      { class: "game-text" },
      html("h3", {}, game.title),
      html("p", { class: "faint" }, game.summary),
      html(
        "div",
        { class: "buttons" },
        button(text("button.play"), {
          class: "strong small",
          "aria-label": text("button.play.game", { game: game.title }),
          onclick: () => openNewMatchDialog(game),
        }),
        button(text("button.rules"), {
          class: "quiet small",
          "aria-label": text("button.rules.game", { game: game.title }),
          onclick: () => readRules(game),
        }),
      ),
    ),
  );
}

/** @param {Game} game */
function readRules(game) {
  const play = () => {
    closeDialog();
    openNewMatchDialog(game);
  };
  showRules(game, button(text("button.play"), { class: "strong", onclick: play }));
}

void open();
