/**
 * The first page: a board that can be played at once, ways to other opponents, and the matches of this device and others.
 *
 * @typedef {import("../lib/types.js").Game} Game
 */

import { adoptMatches } from "../lib/adopt-matches.js";
import * as api from "../lib/api.js";
import { NineBoard } from "../lib/board-element.js";
import { byId, showNotice } from "../lib/dom.js";
import { text } from "../lib/messages.js";
import "../lib/puzzle-card.js";
import { isOffline } from "../lib/offline.js";
import { loadSettings, saveSettings } from "../lib/settings.js";
import { FIRST_PAGE } from "../lib/site.js";
import { startPage } from "../lib/start-page.js";
import { firstPage } from "./enter-match.js";
import { FirstGame } from "./first-game.js";
import { showTabs } from "./game-tabs.js";
import { showHomeActions } from "./home-actions.js";
import { MatchLists, showMyMatches } from "./match-lists.js";
import { SavedMatches } from "./saved-matches.js";

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
    const [lists, saved] = [new MatchLists(games), new SavedMatches(games)];
    addEventListener("connectivity", () => (showSections(), void saved.refresh()), { signal });
    showSections();
    await Promise.all([lists.refresh(), showMyMatches(games), saved.refresh()]);
    if (!isOffline() && (await adoptMatches().catch(() => false))) await showMyMatches(games);
  } catch (problem) {
    if (!(problem instanceof api.ApiProblem)) throw problem;
    showNotice(text("error.retrying", { problem: problem.message }));
    setTimeout(open, RETRY_AFTER);
  }
}

/** Without a server there are no matches of others. */
function showSections() {
  for (const id of ["live-matches", "open-matches", "profile-link"]) byId(id).hidden = isOffline();
}

/** @param {Game[]} games */
function showGames(games) {
  const first = new FirstGame(/** @type {NineBoard} */ (byId("board")));
  const asked = new URLSearchParams(location.search).get("game");
  if (asked) history.replaceState(null, "", FIRST_PAGE); // the tab that is chosen next is kept
  const { game: last } = loadSettings();
  const chosen = [asked, last, FIRST_GAME].map((id) => games.find((game) => game.id === id)).find(Boolean) ?? games[0];
  let shown = chosen;
  showTabs(games, chosen, (game) => {
    saveSettings({ game: game.id });
    first.show(game);
    showHomeActions(game);
    shown = game;
  });
  addEventListener("connectivity", () => showHomeActions(shown), { signal: firstPage });
}

startPage();
void open();
