/** Creates a match, and shows it in place of the first page, without loading another page. */

import * as api from "../lib/api.js";
import { byId } from "../lib/dom.js";
import { saveMatch } from "../lib/match-storage.js";
import { canKeepMatches } from "../lib/offline.js";
import { FIRST_PAGE, matchAddress } from "../lib/site.js";
import { chosenPlace } from "./match-place.js";

const leaving = new AbortController();

/** Aborted when the first page has become the page of a match: whatever belongs to the first page ends then. */
export const firstPage = leaving.signal;

/**
 * Creates a match and stores its secrets. What cannot be kept in this browser is kept on the server.
 *
 * @param {import("../lib/types.js").Game} game
 * @param {import("../lib/types.js").MatchRequest} request
 * @param {import("./match-place.js").Place} [place] where it is kept
 */
export async function createMatch(game, request, place = "server") {
  const here = place === "browser" ? await api.createLocalMatch(request) : null;
  const created = here ?? (await api.createMatch(request));
  const { match, seats, watch, links } = created;
  saveMatch(match, { seats, watch, invite: links.invite, game: game.id, title: game.title });
  return created;
}

/** Loads what the match will need, while the visitor is still looking. */
export function preloadMatchPage() {
  void import("../match/match-page.js").catch(() => {}); // it is loaded again when it is needed
  if (chosenPlace() === "browser") void canKeepMatches();
}

/**
 * @param {string} match
 * @param {number | null} [sentAt] the version at which a move was sent that the board already shows
 */
export async function enterMatch(match, sentAt = null) {
  const { MatchPage } = await import("../match/match-page.js");
  leaving.abort();
  history.pushState(null, "", matchAddress(match));
  addEventListener("popstate", () => location.pathname === FIRST_PAGE && location.reload());
  document.body.classList.remove("at-home");
  for (const id of ["lobby", "tabs", "home-actions", "pages"]) byId(id).remove();
  // Nothing can be pressed until the match is here.
  if (sentAt === null) /** @type {import("../lib/board-element.js").NineBoard} */ (byId("board")).show({ moves: [] });
  new MatchPage(match, sentAt);
  if (sentAt === null) byId("board-area").focus(); // what had the focus is gone
}
