/**
 * The first page: a board that can be played at once, ways to other opponents, and the matches of this device and others.
 *
 * @typedef {import("../lib/types.js").Game} Game
 */

import * as api from "../lib/api.js";
import { NineBoard } from "../lib/board-element.js";
import { byId, fillTexts, showNotice } from "../lib/dom.js";
import { text } from "../lib/messages.js";
import "../lib/puzzle-card.js";
import { installSettings } from "../lib/settings-dialog.js";
import { loadSettings, saveSettings } from "../lib/settings.js";
import { firstPage } from "./enter-match.js";
import { FirstGame } from "./first-game.js";
import { showTabs } from "./game-tabs.js";
import { showHomeActions } from "./home-actions.js";
import { MatchLists, showMyMatches } from "./match-lists.js";

const RETRY_AFTER = 3000; // milliseconds
const FIRST_GAME = "ultimate"; // of a visitor who has not chosen yet

async function open() {
  try {
    const games = await api.getGames();
    showNotice("");
    showGames(games);
    const signal = firstPage;
    addEventListener("pageshow", (event) => event.persisted && void showMyMatches(games), { signal });
    document.addEventListener("visibilitychange", () => document.hidden || void showMyMatches(games), { signal });
    await Promise.all([new MatchLists(games).refresh(), showMyMatches(games)]);
  } catch (problem) {
    if (!(problem instanceof api.ApiProblem)) throw problem;
    showNotice(text("error.retrying", { problem: problem.message }));
    setTimeout(open, RETRY_AFTER);
  }
}

/** @param {Game[]} games */
function showGames(games) {
  const first = new FirstGame(/** @type {NineBoard} */ (byId("board")));
  const asked = new URLSearchParams(location.search).get("game");
  if (asked) history.replaceState(null, "", "/"); // the tab that is chosen next is kept
  const { game: last } = loadSettings();
  const chosen = [asked, last, FIRST_GAME].map((id) => games.find((game) => game.id === id)).find(Boolean) ?? games[0];
  showTabs(games, chosen, (game) => {
    saveSettings({ game: game.id });
    first.show(game);
    showHomeActions(game);
  });
}

fillTexts();
installSettings();
void open();
