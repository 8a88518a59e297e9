/**
 * The page of a match: shows what the server sends, and sends what the player does.
 *
 * @typedef {import("../lib/board-element.js").ChosenMove} ChosenMove
 * @typedef {import("../lib/types.js").Action} Action
 * @typedef {import("../lib/types.js").Game} Game
 * @typedef {import("../lib/types.js").LegalMove} LegalMove
 * @typedef {import("../lib/types.js").MatchView} MatchView
 * @typedef {import("../lib/types.js").PresenceMessage} PresenceMessage
 * @typedef {import("../lib/types.js").ServerMessage} ServerMessage
 * @typedef {import("./connection.js").ConnectionState} ConnectionState
 */

import * as api from "../lib/api.js";
import { NineBoard } from "../lib/board-element.js";
import { celebrate } from "../lib/celebration.js";
import { announce, byId, prefersReducedMotion, showNotice } from "../lib/dom.js";
import { forgetMatch, loadMatch, mySeats, readToken, removeSeat, updateMatch } from "../lib/match-storage.js";
import { isDeclined, isSpectator, isTurnOf, mayMarkThreats, opponentDeclined, pendingClaim, seatName } from "../lib/match-view.js";
import { text } from "../lib/messages.js";
import { lightMoves } from "../lib/move-list.js";
import { unverifiedMoves } from "../lib/move-paths.js";
import { isLocalMatch, openLocalSocket } from "../lib/offline.js";
import { loadSettings } from "../lib/settings.js";
import { FIRST_PAGE, matchAddress } from "../lib/site.js";
import { playSound } from "../lib/sounds.js";
import { ActionBar } from "./action-bar.js";
import { announcements, wasDeclined } from "./announcer.js";
import { showAttention } from "./attention.js";
import { NO_VALUES, describeHint, valuesOfHint } from "./best-move.js";
import { Chat } from "./chat.js";
import { ClaimPanel } from "./claim-panel.js";
import { ServerTime } from "./clock.js";
import { ConnectionStatus } from "./connection-status.js";
import { Connection, problemOf, socketAddress } from "./connection.js";
import { MatchEntry } from "./match-entry.js";
import { isVictory, replyDelay, soundsOf } from "./happenings.js";
import { JoinPanel } from "./join-panel.js";
import { showAbsence, showHistory, showOffer } from "./match-panels.js";
import { showClocks, showPlayers } from "./players-panel.js";
import { RatingLine } from "./rating-line.js";
import { RematchPanel } from "./rematch-panel.js";
import { ReportPanel } from "./report-panel.js";
import { sendAction } from "./send-action.js";
import { announceChoice, showHint, showStatus } from "./status-line.js";
import { hasSecrets } from "./url-secrets.js";

const NOTICE_FOR = 4000; // milliseconds that a notice stays at least
const TICK = 200;
/** @type {LegalMove[]} */
const NO_MOVES = [];

export class MatchPage {
  /**
   * @param {string} id
   * @param {number | null} [sentAt] the version at which a move was sent that the board already shows
   */
  constructor(id, sentAt = null) {
    this.id = id;
    this.time = new ServerTime();
    this.board = /** @type {NineBoard} */ (byId("board"));
    /** @type {MatchView | null} */
    this.view = null;
    /** @type {Game | null} */
    this.game = null;
    /** @type {LegalMove[]} what can be tried if the legal moves are not shown */
    this.unverifiedMoves = NO_MOVES;
    /** @type {import("../lib/types.js").Hint | null} */
    this.hint = null;
    /** @type {{at: number, cells: Record<string, string>}} who could win next, and the version for which that is known */
    this.threats = { at: -1, cells: {} };
    /** @type {Connection | null} */
    this.connection = null;
    /** @type {number | null} the version at which a move was sent that is not yet confirmed */
    this.sentAt = sentAt;
    /** When this device showed a move of its own. */
    this.movedAt = sentAt === null ? 0 : Date.now();
    this.noticedAt = 0;
    this.claimPanel = new ClaimPanel(this.board, (action, seat) => this.act(action, seat));
    this.rematchPanel = new RematchPanel(this);
    this.actionBar = new ActionBar(this);
    this.chat = new Chat((message) => this.act({ kind: "say", text: message }));
    this.reportPanel = new ReportPanel(id);
    this.ratingLine = new RatingLine(id);
    this.connectionStatus = new ConnectionStatus(() => this.connection?.retryNow(), isLocalMatch(id));
    this.entry = new MatchEntry(id, this);
    this.joinPanel = new JoinPanel(id, this.entry, () => void this.#stopSearch());
    this.#listen();
    void this.entry.open();
  }

  get mySeats() {
    return mySeats(this.id);
  }

  /** Shows a match that was loaded, and connects to it. @param {MatchView} view @param {Game | null} game */
  onMatch(view, game) {
    this.game = game;
    this.unverifiedMoves = unverifiedMoves(game?.paths ?? []);
    this.receive(view);
    this.#connect(view.size - 1);
  }

  /** @param {Game | undefined} game @param {import("../lib/types.js").Invitation} invitation */
  onInvitation(game, invitation) {
    this.joinPanel.showInvitation(game, invitation);
  }

  /** Gives up the match in which nobody has joined, and goes to the first page. */
  async #stopSearch() {
    await this.act({ kind: "leave" }).then(
      () => (forgetMatch(this.id), location.assign(FIRST_PAGE)),
      () => {},
    );
  }

  /** Shows no match any more: the page says why it cannot be entered. */
  onClosed() {
    this.connection?.stop();
    this.view = null;
    this.#area.classList.add("closed");
    for (const id of ["board-area", "connection"]) byId(id).hidden = true;
  }

  get #area() {
    return /** @type {HTMLElement} */ (this.board.closest(".match"));
  }

  /** @param {number} after the index of the last event that is known */
  #connect(after) {
    this.connection?.stop();
    const listener = {
      onMessage: (/** @type {ServerMessage} */ message) => this.#onMessage(message),
      onState: (/** @type {ConnectionState} */ state) => this.#onConnectionState(state),
    };
    const settings = { url: socketAddress(this.id, location), token: readToken(this.id), after, listener };
    const here = isLocalMatch(this.id) ? { openSocket: () => openLocalSocket(this.id) } : {};
    this.connection = new Connection(settings, here);
    this.connection.start();
  }

  /** @param {ConnectionState} state */
  #onConnectionState(state) {
    this.connectionStatus.show(state);
    if (state.name === "lost") this.time.reset();
    if (state.name === "refused") this.showError(state.problem);
  }

  /** @param {ServerMessage} message */
  #onMessage(message) {
    if ("now" in message) this.time.sync(message.now);
    if ("view" in message && message.view) this.receive(message.view);
    if (message.type === "presence") this.#showPresence(message);
    if (message.type === "moved") this.#seatMoved();
    if (message.type === "refused" && !message.request) this.showError(problemOf(message));
  }

  /** @param {PresenceMessage} message */
  #showPresence({ seats: present, watching }) {
    if (!this.view) return;
    const seats = this.view.seats.map((seat) => ({ ...seat, present: present[seat.seat] ?? seat.present }));
    this.view = { ...this.view, seats };
    byId("watching").textContent = watching ? text("match.watching", { watching }) : "";
    this.render();
  }

  /** The seat was moved to another device. A private match can then be watched here only with its secret. */
  #seatMoved() {
    for (const seat of this.mySeats) removeSeat(this.id, seat);
    const isClosed = this.view?.private && !readToken(this.id);
    if (isClosed) this.connection?.stop();
    else if (this.view?.private) this.#connect(this.view.size - 1);
    this.notify(text(isClosed ? "handover.moved" : "handover.moved_watching"));
    this.render();
  }

  /** Takes over a newer view of the match, after a moment if the computer has answered at once. @param {MatchView} view */
  receive(view) {
    const wait = prefersReducedMotion() || document.hidden ? 0 : replyDelay(this.view, view, Date.now() - this.movedAt);
    if (wait) setTimeout(() => this.#takeOver(view), wait);
    else this.#takeOver(view);
  }

  /** @param {MatchView} view */
  #takeOver(view) {
    const before = this.view;
    if (before && (view.size < before.size || (view.size === before.size && view.now < before.now))) return;
    this.time.sync(view.now);
    this.view = view;
    if (readToken(this.id) && before?.status !== view.status)
      updateMatch(this.id, { game: view.game, title: view.title, ended: view.status === "ended", missing: false });
    if (this.sentAt !== null && view.version > this.sentAt) this.#clearPending();
    if (this.game)
      for (const sentence of announcements(before, view, this.game.layout, this.mySeats)) announce(sentence);
    showAttention(before, view, this.mySeats);
    for (const sound of soundsOf(before, view, this.mySeats, document.hidden)) playSound(sound);
    if (before && isVictory(before, view, this.mySeats)) celebrate(this.board, view.result?.winner ?? "X");
    const late = before?.seats.find(({ seat, reserved }) => reserved && !this.mySeats.includes(seat));
    const { rematchOf } = loadMatch(this.id);
    if (rematchOf && opponentDeclined(view, this.mySeats))
      location.replace(matchAddress(rematchOf)); // where the other player is, and may offer another one
    else if (late && isDeclined(view))
      this.notify(text("rematch.declined_by", { player: seatName({ ...late, player: "person" }) }));
    else if (wasDeclined(before, view)) this.notify(text("offer.declined"));
    else if (before && view.version > before.version) this.#endNotice();
    this.render();
  }

  /** Hides the notice, which was about an earlier position, once it could be read. */
  #endNotice() {
    const { noticedAt } = this;
    const end = () => noticedAt === this.noticedAt && this.notify("");
    setTimeout(end, Math.max(0, noticedAt + NOTICE_FOR - Date.now()));
  }

  #clearPending() {
    this.sentAt = null;
    this.board.pending = null;
  }

  render() {
    const { view, game, mySeats } = this;
    if (!view || !game) return;
    for (const id of ["board-area", "moves", "connection"]) byId(id).hidden = false;
    byId("next").hidden = true;
    this.#area.classList.remove("closed");
    byId("title").textContent = view.title;
    this.#showBoard(view, game);
    showPlayers(view, mySeats);
    showOffer(view, mySeats, (action, seat) => void this.act(action, seat).catch(() => {}));
    this.rematchPanel.show(view, mySeats);
    this.actionBar.show(view, mySeats);
    byId("spectator").hidden = !isSpectator(view, mySeats);
    showHistory(view, game.layout);
    this.joinPanel.show(view, mySeats);
    this.claimPanel.show(view, game.layout, mySeats);
    this.chat.show(view, mySeats, Boolean(loadMatch(this.id).blocked));
    this.reportPanel.show(view);
    this.ratingLine.show(view, mySeats);
    showStatus(view, game, mySeats, this.board);
    this.#showHint();
    this.tick();
  }

  /** @param {MatchView} view @param {Game} game */
  #showBoard(view, { layout }) {
    const claim = pendingClaim(view);
    const mayMove = isTurnOf(view, this.mySeats) && !claim;
    const board = view.result ? { ...view.board, lines: view.result.lines, open: [] } : view.board;
    const moves = !mayMove ? NO_MOVES : view.show_moves ? view.moves : this.unverifiedMoves;
    this.board.dataset.turn = (view.result ? "" : view.seats[(view.asked ?? 1) - 1].side).toLowerCase();
    this.board.dataset.mine = mayMove ? "yes" : "no";
    const values = this.hint?.version === view.version ? valuesOfHint(this.hint, layout.kind) : NO_VALUES;
    const threats = this.threats.at === view.version ? this.threats.cells : {};
    void this.#loadThreats(view);
    this.board.show({ layout, board, moves, movesAreLegal: view.show_moves, claimed: claim?.cells ?? [], values, threats });
  }

  /** Asks who could win next, if that may be marked and is wanted. @param {MatchView} view */
  async #loadThreats({ version, game, position, options }) {
    const isWanted = loadSettings().threats && this.view && mayMarkThreats(this.view, this.mySeats);
    if (!isWanted) this.threats = { at: -1, cells: {} };
    if (!isWanted || this.threats.at === version) return;
    this.threats = { at: version, cells: {} };
    const body = { game, position, threats: true, claims: options.claims === "yes" };
    const found = await api.getPosition(body).catch(() => null); // then none is marked
    if (this.threats.at !== version || !found) return;
    this.threats.cells = found.threats ?? {};
    this.board.show({ threats: this.threats.cells });
  }

  /** Shows the best move on the board, until the next move. @param {import("../lib/types.js").Hint} hint */
  showBestMove(hint) {
    this.hint = hint;
    this.render();
    announce(this.#bestMove());
  }

  /** The best move in a sentence, as long as it is one; "" if it was not asked for. */
  #bestMove() {
    const { hint, view, game } = this;
    return hint && game && hint.version === view?.version ? describeHint(hint, game.layout) : "";
  }

  #showHint() {
    if (this.game) showHint(this.game, this.board, this.#bestMove());
  }

  /** Updates everything that changes with time. */
  tick() {
    const { view, mySeats } = this;
    if (!view) return;
    const now = this.time.now();
    showClocks(view, mySeats, now);
    showAbsence(view, mySeats, now, () => this.actionBar.claimAbsent());
    if (view.status === "open") this.joinPanel.show(view, mySeats); // it tells for how long an opponent is sought
    this.claimPanel.tick(view, now);
  }

  /**
   * @param {Action} action
   * @param {number} [seat]
   */
  async act(action, seat) {
    try {
      const answer = await sendAction(this, action, seat);
      if (!this.connection?.isWelcome) this.receive(await api.getMatch(this.id, readToken(this.id)));
      return answer;
    } catch (problem) {
      if (problem instanceof api.ApiProblem && problem.match) this.receive(problem.match);
      this.showError(problem);
      throw problem;
    }
  }

  /** @param {ChosenMove} move */
  async #play(move) {
    if (!this.view) return;
    this.sentAt = this.view.version;
    this.movedAt = Date.now();
    playSound("move");
    this.render();
    try {
      await this.act({ kind: "move", move: move.path, ...(move.claim ? { cells: move.claim } : {}) });
    } catch {
      this.#clearPending();
      this.board.refuse(move);
      this.render();
    }
  }

  /** Shows and announces a sentence beside the status; "" hides the last one. @param {string} sentence */
  notify(sentence) {
    showNotice(sentence);
    this.noticedAt = Date.now();
    announce(sentence);
  }

  /** @param {unknown} error */
  showError(error) {
    this.notify(api.describeError(error));
  }

  #listen() {
    this.board.addEventListener("play", (event) => void this.#play(/** @type {CustomEvent} */ (event).detail));
    this.board.addEventListener("point", () => this.#showHint());
    this.board.addEventListener("choose", () => {
      this.render();
      if (this.game) announceChoice(this.game, this.board);
    });
    lightMoves(byId("history"), this.board);
    document.addEventListener("keydown", (event) => this.#onKey(event));
    addEventListener("hashchange", () => hasSecrets() && (this.notify(""), void this.entry.open()));
    for (const event of ["online", "offline", "pageshow"]) addEventListener(event, () => this.connection?.check());
    document.addEventListener("visibilitychange", () => document.hidden || this.connection?.check());
    addEventListener("look", () => this.render());
    setInterval(() => this.tick(), TICK);
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const isTyping = event.target instanceof Element && event.target.closest("input, textarea, select, dialog");
    if (isTyping || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Escape" && this.board.movePrefix.length) this.board.cancel();
    else if (this.board.type(event.key)) event.preventDefault();
  }
}
