/**
 * The way into a match: uses the secrets of the address, takes a seat, and loads the match or shows the invitation.
 *
 * @typedef {import("../lib/types.js").Game} Game
 * @typedef {import("../lib/types.js").MatchView} MatchView
 * @typedef {import("./take-seat.js").SeatKey} SeatKey
 *
 * @typedef {object} EntryListener the page
 * @property {(view: MatchView, game: Game | null) => void} onMatch
 * @property {(game: Game | undefined, invitation: import("../lib/types.js").Invitation) => void} onInvitation
 * @property {() => void} onClosed the page shows no match, but why not
 * @property {(sentence: string) => void} notify
 * @property {(error: unknown) => void} showError
 */

import { adoptMatches } from "../lib/adopt-matches.js";
import * as api from "../lib/api.js";
import { announce, byId } from "../lib/dom.js";
import { loadMatch, mySeats, readToken, removeSeat, saveMatch, updateMatch } from "../lib/match-storage.js";
import { plainText, text } from "../lib/messages.js";
import { isLocalMatch } from "../lib/offline.js";
import { isSecret, linkProblem, takeSeat } from "./take-seat.js";
import { clearSecrets, readSecrets } from "./url-secrets.js";

// The title of the page that says why a seat could not be taken.
const TITLES = /** @type {const} */ ([
  ["bad_invitation", "trouble.bad_invitation"],
  ["opens_nothing", "trouble.opens_nothing"],
  ["invitation_used", "trouble.invitation_used"],
  ["code_used", "trouble.code_used"],
  ["no_seat", "trouble.no_seat"],
  ["ended", "trouble.ended"],
]);
const RETRY_AFTER = 3000; // milliseconds

export class MatchEntry {
  /**
   * @param {string} match
   * @param {EntryListener} page
   */
  constructor(match, page) {
    this.match = match;
    this.page = page;
    /** @type {Game[] | null} */
    this.games = null;
    this.refusal = ""; // the reason why a seat could not be taken
  }

  /** Uses the secrets in the address, takes the seat that was asked for before, and enters. */
  async open() {
    const { match } = this;
    const { invite, watch, code, game = "" } = readSecrets();
    const hasSeat = mySeats(match).length > 0;
    if (watch && saveMatch(match, { watch }) && !code) clearSecrets();
    const isDamaged = Boolean(invite) && !isSecret(invite);
    if (invite && hasSeat) clearSecrets();
    else if (invite && !isDamaged) saveMatch(match, { invitation: invite, game });
    const begun = isDamaged ? { invitation: invite } : loadMatch(match).joining;
    if (!hasSeat && !code && !invite) await adoptMatches().catch(() => {}); // then this device has no seat here
    const key = code ? { code } : hasSeat ? null : begun;
    if (key) await this.takeSeat(key);
    await this.enter();
  }

  /** Takes a seat. Secrets stay in the address until the seat is stored or refused. @param {SeatKey} key */
  async takeSeat(key) {
    const onRetry = (/** @type {api.ApiProblem} */ { message }) =>
      this.page.notify(text("error.retrying", { problem: message }));
    try {
      const isStored = await takeSeat(this.match, key, onRetry);
      if (isStored) clearSecrets();
      this.page.notify("");
      announce(text("join.done"));
      this.refusal = "";
    } catch (problem) {
      if (problem instanceof api.ApiProblem && problem.isRefusal) this.#refuse(problem);
      else this.page.showError(problem);
    }
  }

  /** Remembers why no seat was given, for the title of the page. @param {api.ApiProblem} problem */
  #refuse(problem) {
    clearSecrets();
    this.refusal = problem.reason;
    this.page.showError(problem);
  }

  /** Loads the match, or shows the invitation to it. */
  async enter() {
    const token = readToken(this.match);
    try {
      const games = (this.games ??= await api.getGames());
      if (isLocalMatch(this.match) && !token) return await this.#enterLocal();
      const gameOf = (/** @type {string} */ id) => games.find((game) => game.id === id);
      const invitation = await this.#findInvitation();
      if (invitation && !token) return this.page.onInvitation(gameOf(invitation.game), invitation);
      const view = await api.getMatch(this.match, token);
      if (this.refusal && !mySeats(this.match).length) return this.#showRefused(view);
      this.page.onMatch(view, gameOf(view.game) ?? null);
    } catch (problem) {
      this.#cannotEnter(problem);
    }
  }

  /** Whoever opens a match of this browser plays its seats. */
  async #enterLocal() {
    saveMatch(this.match, { seats: await api.getLocalSeats(this.match) });
    await this.enter();
  }

  /**
   * The seat that the invitation still opens; null if there is none. Whoever has followed its link is told why not; one
   * that was only remembered is forgotten.
   */
  async #findInvitation() {
    const { invitation } = loadMatch(this.match);
    if (!invitation || mySeats(this.match).length) return null;
    try {
      return await api.getInvitation(this.match, invitation);
    } catch (problem) {
      if (!(problem instanceof api.ApiProblem && problem.isRefusal)) throw problem;
      updateMatch(this.match, { invitation: null, joining: null });
      if (readSecrets().invite) this.#refuse(/** @type {api.ApiProblem} */ (linkProblem(problem)));
      return null;
    }
  }

  /** @param {unknown} problem */
  #cannotEnter(problem) {
    if (!(problem instanceof api.ApiProblem)) throw problem;
    const seats = mySeats(this.match);
    if (problem.status === 401 && seats.length) {
      for (const seat of seats) removeSeat(this.match, seat);
      return void this.enter();
    }
    this.#showNext();
    byId("try-again").hidden = !problem.isTransient;
    if (problem.status === 404) return this.#showMissing(seats.length > 0);
    this.#showTitle("match.cannot_open");
    this.page.showError(problem);
    if (problem.isTransient) setTimeout(() => (this.page.notify(""), this.enter()), RETRY_AFTER);
  }

  /** Says why the seat was refused; the match can be looked at all the same. @param {MatchView} view */
  #showRefused({ status }) {
    this.#showNext();
    this.#showTitle(titleOf(this.refusal) ?? "match.cannot_open");
    byId("see-match").textContent = text(status === "live" ? "match.watch" : "match.see");
    byId("see-match").hidden = false;
    byId("see-match").onclick = () => {
      this.refusal = "";
      this.page.notify("");
      void this.enter();
    };
  }

  /** Shows what can be done next instead of a match. */
  #showNext() {
    this.page.onClosed();
    byId("next").hidden = false;
    byId("see-match").hidden = true;
  }

  /** Shows what is wrong as the title of the page. @param {import("../lib/messages.js").Code} code */
  #showTitle(code) {
    const title = plainText(code);
    byId("title").textContent = byId("status").textContent = title;
    document.title = text("page.title", { title });
  }

  /** @param {boolean} hasSeat */
  #showMissing(hasSeat) {
    const isExplained = !byId("notice").hidden; // why a seat cannot be taken says more
    const hasMoved = loadMatch(this.match).moved;
    if (readToken(this.match)) updateMatch(this.match, { missing: true });
    const unknown = isExplained || hasMoved ? "match.cannot_open" : "match.not_found";
    this.#showTitle(titleOf(this.refusal) ?? unknown);
    if (isExplained) return;
    this.page.notify(text(hasMoved ? "handover.moved" : hasSeat ? "match.missing_mine" : "match.missing"));
  }
}

/** @param {string} refusal the reason why a seat could not be taken */
function titleOf(refusal) {
  return TITLES.find(([reason]) => reason === refusal)?.[1];
}
