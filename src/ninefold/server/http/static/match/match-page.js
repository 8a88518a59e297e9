/**
 * The page of a match: what the server says is shown, what is pressed is sent.
 *
 * @typedef {import("../lib/types.js").View} View
 * @typedef {import("../lib/types.js").Game} Game
 * @typedef {import("../lib/types.js").Move} Move
 */

import { clearSecrets, secrets } from "./url-secrets.js";
import * as api from "../lib/api.js";
import { Problem } from "../lib/api.js";
import { NineBoard } from "../lib/board-element.js";
import { Claims } from "./claim-panel.js";
import { ServerTime } from "./clock.js";
import { Deeds } from "./action-bar.js";
import { part, say } from "../lib/dom.js";
import { Gate } from "./join-panel.js";
import { isTaken, take } from "./join.js";
import { LinkState } from "./connection-status.js";
import { untold } from "../lib/move-paths.js";
import { showClocks, showPlayers } from "./players-panel.js";
import { sayChoice, showHint, showStatus } from "./status-line.js";
import { RefereeReport } from "./report-panel.js";
import { giveUp, keep, kept, note } from "../lib/match-storage.js";
import { Connection, socketAddress } from "./connection.js";
import { showAbsence, showHistory, showOffer } from "./match-panels.js";
import { declined, pendingClaim, tell } from "./announcer.js";
import { Talk } from "./chat.js";
import { write } from "./send-action.js";

const NOTICE = 4000; // milliseconds that a notice is left to be read
const MISSING = "It has ended long ago, or it is private and needs its link.";
const MISSED = "It has ended long ago, or your seat is played on another device now.";
const TAKEN = "The seat is taken already. Here you are watching.";
const MOVED = "Your seat is played on another device now.";
/** @type {Move[]} */
const NONE = [];

class MatchPage {
  /** @param {string} id */
  constructor(id) {
    this.id = id;
    this.time = new ServerTime();
    this.board = /** @type {NineBoard} */ (part("board"));
    /** @type {View | null} */
    this.view = null;
    /** @type {Game[] | null} */
    this.games = null;
    /** @type {Game | null} */
    this.game = null;
    /** @type {Move[]} what can be tried when the legal moves are not told */
    this.untold = NONE;
    /** @type {Connection | null} */
    this.connection = null;
    /** @type {number | null} version in which the move under way was made */
    this.sentAt = null;
    this.noticedAt = 0;
    this.claims = new Claims(this.board, (action, seat) => this.act(action, seat));
    this.deeds = new Deeds(this);
    this.talk = new Talk((text) => this.act({ kind: "say", text }));
    this.report = new RefereeReport(id, () => this.token);
    this.link = new LinkState(() => this.connection?.retryNow());
    this.gate = new Gate(
      id,
      (wish) => this.#take(wish),
      () => void this.#enter(),
    );
    this.#listen();
  }

  get mine() {
    return Object.keys(kept(this.id).seats).map(Number).sort();
  }

  /** What opens the match for reading. */
  get token() {
    const { seats, watch } = kept(this.id);
    return Object.values(seats)[0] ?? watch;
  }

  /** Take what the address gives, and whatever seat was asked for before; then show the match. */
  async open() {
    const { invite, watch, code, game = "" } = secrets();
    if (watch && keep(this.id, { watch }) && !code) clearSecrets();
    if (invite && this.mine.length) clearSecrets();
    else if (invite) keep(this.id, { invitation: invite, game });
    const wish = code ? { code } : this.mine.length ? null : kept(this.id).joining;
    if (wish) await this.#take(wish);
    await this.#enter();
  }

  /** Only what is settled leaves the address. @param {Omit<import("../lib/match-storage.js").Joining, "request">} wish */
  async #take(wish) {
    try {
      const lasts = await take(this.id, wish, ({ message }) => this.notice(`${message} Trying again …`));
      if (lasts) clearSecrets();
      this.notice("");
      say("The seat is yours.");
    } catch (problem) {
      if (problem instanceof Problem && problem.definite) clearSecrets();
      this.notice(problem);
    }
  }

  async #enter() {
    try {
      const games = (this.games ??= await api.games());
      const { invitation, game } = kept(this.id);
      const invited = invitation && !this.token && !(await this.#tooLate());
      if (invited) return this.gate.invite(games.find(({ id }) => id === game));
      const view = await api.view(this.id, this.token);
      this.game = games.find(({ id }) => id === view.game) ?? null;
      this.untold = untold(this.game?.paths ?? []);
      this.receive(view);
      this.#connect(view.size - 1);
    } catch (problem) {
      this.#cannotEnter(problem);
    }
  }

  /** Whether the seat of the invitation is known to be taken. */
  async #tooLate() {
    const taken = secrets().public && (await isTaken(this.id));
    if (taken) (clearSecrets(), this.notice(TAKEN));
    return taken;
  }

  /** @param {unknown} problem */
  #cannotEnter(problem) {
    if (!(problem instanceof Problem)) throw problem;
    if (problem.status === 401 && this.mine.length) {
      for (const seat of this.mine) giveUp(this.id, seat);
      return void this.#enter();
    }
    const isMissing = problem.status === 404;
    const isTold = !part("notice").hidden; // why a seat cannot be had says more
    const isMoved = kept(this.id).moved;
    if (isMissing && this.token) note(this.id, { missing: true });
    part("gate").hidden = true;
    part("home").hidden = false;
    part("status").textContent =
      isMissing && !isTold && !isMoved ? "There is no such match here" : "The match cannot be opened";
    if (!isMissing) this.notice(problem);
    else if (!isTold) this.notice(isMoved ? MOVED : this.mine.length ? MISSED : MISSING);
    if (problem.passing) setTimeout(() => (this.notice(""), this.#enter()), 3000);
  }

  /** @param {number} after */
  #connect(after) {
    this.connection?.stop();
    const listener = {
      heard: (/** @type {Record<string, any>} */ message) => this.#heard(message),
      changed: (/** @type {import("./connection.js").State} */ state) => this.#changed(state),
    };
    this.connection = new Connection({ url: socketAddress(this.id, location), token: this.token, after, listener });
    this.connection.start();
  }

  /** @param {import("./connection.js").State} state */
  #changed(state) {
    this.link.show(state);
    if (state.name === "lost") this.time.forget();
    if (state.name === "refused") this.notice(state.problem);
  }

  /** @param {Record<string, any>} message */
  #heard(message) {
    if (message.now) this.time.hear(message.now);
    if (message.view) this.receive(message.view);
    if (message.type === "presence" && this.view) {
      const seats = this.view.seats.map((seat) => ({ ...seat, present: message.seats[seat.seat] ?? seat.present }));
      this.view = { ...this.view, seats };
      part("watching").textContent = message.watching ? `${message.watching} watching` : "";
      this.render();
    }
    if (message.type === "moved") this.#moved();
  }

  /** The seat was carried elsewhere. A private match is then watched here only with its secret. */
  #moved() {
    for (const seat of this.mine) giveUp(this.id, seat);
    const closed = this.view?.private && !this.token;
    if (closed) this.connection?.stop();
    else if (this.view?.private) this.#connect(this.view.size - 1);
    this.notice(closed ? MOVED : `${MOVED} Here you are watching.`);
    this.render();
  }

  /** @param {View} view */
  receive(view) {
    const before = this.view;
    if (before && (view.size < before.size || (view.size === before.size && view.now < before.now))) return;
    this.time.hear(view.now);
    this.view = view;
    if (this.token && before?.status !== view.status)
      note(this.id, { game: view.game, title: view.title, ended: view.status === "ended", missing: false });
    if (this.sentAt !== null && view.version > this.sentAt) this.#settle();
    if (this.game) for (const sentence of tell(before, view, this.game.layout, this.mine)) say(sentence);
    if (declined(before, view)) this.notice("The offer was declined.");
    else if (before && view.version > before.version && Date.now() - this.noticedAt > NOTICE) this.notice("");
    this.render();
  }

  #settle() {
    this.sentAt = null;
    this.board.pending = null;
  }

  render() {
    const { view, game, mine } = this;
    if (!view || !game) return;
    for (const id of ["table", "moves", "connection"]) part(id).hidden = false;
    part("home").hidden = true;
    part("title").textContent = view.title;
    const claim = pendingClaim(view);
    const plays = view.status === "live" && !claim && view.asked !== null && mine.includes(view.asked);
    const board = view.result ? { ...view.board, lines: view.result.lines, open: [] } : view.board;
    const moves = !plays ? NONE : view.show_moves ? view.moves : this.untold;
    this.board.show({ layout: game.layout, board, moves, told: view.show_moves, claimed: claim?.cells ?? [] });
    showPlayers(view, mine);
    showOffer(view, mine, (action, seat) => void this.act(action, seat).catch(() => {}));
    this.deeds.show(view, mine);
    showHistory(view);
    this.gate.show(view, mine);
    this.claims.show(view, game.layout, mine);
    this.talk.show(view, mine);
    this.report.show(view);
    showStatus(view, game, mine, this.board);
    this.tick();
  }

  tick() {
    const { view, mine } = this;
    if (!view) return;
    const now = this.time.now();
    showClocks(view, mine, now);
    showAbsence(view, mine, now, () => this.deeds.claimOut());
    this.claims.tick(view, now);
  }

  /**
   * @param {Record<string, unknown>} action
   * @param {number} [seat]
   */
  async act(action, seat) {
    try {
      const answer = await write(this, action, seat);
      if (!this.connection?.welcomed) this.receive(await api.view(this.id, this.token));
      return answer;
    } catch (problem) {
      if (problem instanceof Problem && problem.match) this.receive(problem.match);
      this.notice(problem);
      throw problem;
    }
  }

  /** @param {Move} move */
  async #play(move) {
    const { view } = this;
    if (!view) return;
    this.sentAt = view.version;
    this.render();
    try {
      await this.act({ kind: "move", move: move.path, ...(move.claim ? { cells: move.claim } : {}) });
    } catch {
      this.#settle();
      this.board.refuse(move);
      this.render();
    }
  }

  /** Something to know, beside the status. @param {unknown} news a problem, a sentence, or "" */
  notice(news) {
    const words = news instanceof Problem ? news.sentence : String(news instanceof Error ? news.message : (news ?? ""));
    part("notice").hidden = !words;
    part("notice").textContent = words;
    this.noticedAt = Date.now();
    if (words) say(words);
  }

  #listen() {
    const detail = (/** @type {Event} */ event) => /** @type {CustomEvent} */ (event).detail;
    this.board.addEventListener("play", (event) => void this.#play(detail(event)));
    this.board.addEventListener("point", () => this.game && showHint(this.game, this.board));
    this.board.addEventListener("walk", () => {
      this.render();
      if (this.game) sayChoice(this.game, this.board);
    });
    document.addEventListener("keydown", (event) => {
      const writes = event.target instanceof Element && event.target.closest("input, textarea, select, dialog");
      if (writes || event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.key === "Escape" && this.board.way.length) this.board.cancel();
      else if (this.board.type(event.key)) event.preventDefault();
    });
    addEventListener("hashchange", () => Object.keys(secrets()).length && (this.notice(""), void this.open()));
    for (const news of ["online", "offline", "pageshow"]) addEventListener(news, () => this.connection?.check());
    document.addEventListener("visibilitychange", () => document.hidden || this.connection?.check());
    setInterval(() => this.tick(), 200);
  }
}

new MatchPage(decodeURIComponent(location.pathname.split("/")[2] ?? "")).open();
