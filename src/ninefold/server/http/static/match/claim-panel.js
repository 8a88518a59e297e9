/**
 * The claim panel: a player picks the cells of a line; the opponent sees a checklist of the lines and answers.
 *
 * @typedef {import("../lib/board-element.js").NineBoard} NineBoard
 * @typedef {import("../lib/types.js").Action} Action
 * @typedef {import("../lib/types.js").Claim} Claim
 * @typedef {import("../lib/types.js").Layout} Layout
 * @typedef {import("../lib/types.js").LegalMove} LegalMove
 * @typedef {import("../lib/types.js").MatchView} MatchView
 */

import { MESSAGE_LENGTH } from "../lib/api-constants.js";
import { announce, button, byId, html, update } from "../lib/dom.js";
import { pendingClaim } from "../lib/match-view.js";
import { sentenceCase, text } from "../lib/messages.js";
import { linePlace, shortPlaces } from "../lib/places.js";
import { formatCountdown } from "./clock.js";
import { claimAnswer, verdictWords } from "./match-status.js";

export class ClaimPanel {
  /**
   * @param {NineBoard} board
   * @param {(action: Action, seat?: number) => Promise<unknown>} act
   */
  constructor(board, act) {
    this.board = board;
    this.act = act;
    this.panel = byId("claim");
    /** @type {number[]} */
    this.cells = [];
    this.isPicking = false;
    /** @type {MatchView | null} */
    this.view = null;
    /** @type {Layout | null} */
    this.layout = null;
    /** @type {number[]} */
    this.mySeats = [];
    board.addEventListener("pick", (event) => {
      this.cells = /** @type {CustomEvent<number[]>} */ (event).detail;
      this.#render();
    });
  }

  /** Begins to pick the cells of a claim. */
  start() {
    this.isPicking = true;
    this.cells = [];
    this.board.startPicking();
    this.#render();
    this.board.focus();
    announce(text("claim.announce_pick"));
  }

  stop() {
    this.isPicking = false;
    this.board.stopPicking();
    this.#render();
  }

  /**
   * @param {MatchView} view
   * @param {Layout} layout
   * @param {number[]} mySeats
   */
  show(view, layout, mySeats) {
    this.view = view;
    this.layout = layout;
    this.mySeats = mySeats;
    if (this.isPicking && (view.result || pendingClaim(view))) this.stop();
    else this.#render();
  }

  /** Shows how long the claim waits for its answer. @param {MatchView} view @param {number} now */
  tick(view, now) {
    const due = document.getElementById("claim-due");
    if (!due) return;
    due.textContent = view.claim_due ? text("claim.due", { time: formatCountdown(view.claim_due - now) }) : "";
  }

  #render() {
    const { view, layout } = this;
    if (!view || !layout) return;
    const contents = this.isPicking
      ? this.#picker(view, layout)
      : view.claim
        ? this.#claim(view, view.claim, layout)
        : null;
    this.panel.hidden = !contents;
    byId("actions").hidden = this.isPicking;
    update(this.panel, contents ?? []);
    const pending = pendingClaim(view);
    const shown = pending?.lines.length ? pending : null; // a match may hide them
    byId("claim-lines").hidden = !shown;
    update(byId("claim-lines"), shown && createChecklist(shown, layout));
  }

  /** @param {MatchView} view @param {Layout} layout */
  #picker(view, layout) {
    const picked = this.cells.length ? shortPlaces(layout, this.cells) : text("claim.picked_none");
    const isReady = this.cells.length === 3;
    return [
      html("h2", {}, text("claim.title")),
      html("p", {}, text(this.board.moves.length ? "claim.pick_or_place" : "claim.pick")),
      html("p", { class: "picked-cells" }, text("claim.picked", { cells: picked })),
      html(
        "div",
        { class: "buttons" },
        isReady && this.#placeButtons(layout),
        this.#claimButtons(view, isReady),
        button(text("claim.not_now"), { class: "quiet", "data-key": "stop", onclick: () => this.stop() }),
      ),
    ];
  }

  /** @param {MatchView} view @param {boolean} isReady */
  #claimButtons({ seats, barred }, isReady) {
    const mayClaim = this.mySeats.filter((seat) => !barred.includes(seats[seat - 1].side));
    return mayClaim.map((seat) => {
      const { side } = seats[seat - 1];
      const label = mayClaim.length > 1 ? text("claim.claim_for", { side }) : text("claim.title");
      const claim = () => isReady && this.#send({ kind: "claim", cells: this.cells }, seat);
      return button(label, { class: "strong", "data-key": `claim-${seat}`, disabled: !isReady, onclick: claim });
    });
  }

  /** Buttons that play a free cell of the line and send the claim with that move. @param {Layout} layout */
  #placeButtons(layout) {
    const { board, cells } = this;
    const free = cells.filter((cell) => !board.board.cells[cell]);
    const moves = board.moves.filter(({ path }) => path.length === 1 && free.includes(path[0]));
    return moves.map((move) =>
      button(text("claim.place", { cell: shortPlaces(layout, move.path) }), {
        class: "strong",
        "data-key": `place-${move.path[0]}`,
        onclick: () => this.#place(move),
      }),
    );
  }

  /** @param {LegalMove} move */
  #place(move) {
    const claim = this.cells;
    this.stop();
    this.board.play({ ...move, claim });
  }

  /** @param {Action} action @param {number} [seat] */
  #send(action, seat) {
    if (this.isPicking) this.stop();
    this.act(action, seat).catch(() => {});
  }

  /** @param {MatchView} view @param {Claim} claim @param {Layout} layout */
  #claim(view, claim, layout) {
    const params = { side: claim.side, cells: linePlace(layout, claim.cells) };
    if (pendingClaim(view))
      return [html("h2", {}, text("claim.heading", params)), this.#answer(view, claim)];
    const answer = claimAnswer(view);
    const why = verdictWords(claim, layout);
    const summary = text(claim.verdict === "true" ? "claim.was_true" : "claim.was_false", { ...params, why });
    return [
      answer ? html("p", {}, answer) : null,
      claim.lines.length
        ? html("details", {}, html("summary", {}, summary), createChecklist(claim, layout))
        : html("p", {}, summary),
    ];
  }

  /** @param {MatchView} view @param {Claim} claim */
  #answer(view, claim) {
    const claimant = view.seats.find(({ side }) => side === claim.side)?.seat ?? 0;
    const withdraw = () => this.#send({ kind: "withdraw" }, claimant);
    return html(
      "div",
      { class: "answer" },
      html("p", { class: "due", id: "claim-due" }),
      this.mySeats.includes(3 - claimant) && this.#answerForm(3 - claimant),
      this.mySeats.includes(claimant) &&
        button(text("claim.withdraw"), { class: "quiet", "data-key": "withdraw", onclick: withdraw }),
    );
  }

  /** @param {number} seat */
  #answerForm(seat) {
    const reason = html("input", {
      type: "text",
      id: "dispute-reason",
      maxlength: MESSAGE_LENGTH,
      required: true,
      autocomplete: "off",
      "data-key": "reason",
    });
    const dispute = (/** @type {Event} */ event) => {
      event.preventDefault();
      this.#send({ kind: "dispute", text: reason.value }, seat);
    };
    const confirm = () => this.#send({ kind: "confirm" }, seat);
    return html(
      "form",
      { onsubmit: dispute },
      button(text("claim.confirm"), { class: "strong", "data-key": "confirm", onclick: confirm }),
      html("label", { for: "dispute-reason" }, text("claim.reason")),
      html(
        "div",
        { class: "link-row" },
        reason,
        html("button", { type: "submit", class: "quiet", "data-key": "dispute" }, text("claim.dispute")),
      ),
    );
  }
}

/** The eight lines, with the marks on them. @param {Claim} claim @param {Layout} layout */
function createChecklist(claim, layout) {
  const rows = claim.lines.map(({ cells, marks, finding }) => {
    const isClaimed = cells.join() === claim.cells.join();
    const findings = [finding.text, isClaimed && text("checklist.claimed")];
    return html(
      "tr",
      { class: isClaimed ? "claimed" : null },
      html("th", { scope: "row" }, sentenceCase(linePlace(layout, cells))),
      html("td", { class: "marks" }, marks.map((mark) => mark.trim() || "·").join(" ")),
      html("td", {}, findings.filter(Boolean).join(", ")),
    );
  });
  const titles = [text("checklist.line"), text("checklist.marks"), text("checklist.finding")];
  return html(
    "table",
    { class: "checklist" },
    html("caption", {}, text("checklist.caption")),
    html(
      "thead",
      {},
      html(
        "tr",
        {},
        titles.map((title) => html("th", { scope: "col" }, title)),
      ),
    ),
    html("tbody", {}, rows),
  );
}
