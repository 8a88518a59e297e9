/**
 * The claim dialogue: three cells picked on the board, the checklist of eight lines, and the answer.
 *
 * @typedef {import("../lib/types.js").View} View
 * @typedef {import("../lib/types.js").Claim} Claim
 * @typedef {import("../lib/types.js").Layout} Layout
 * @typedef {import("../lib/board-element.js").NineBoard} NineBoard
 * @typedef {(action: Record<string, unknown>, seat?: number) => Promise<unknown>} Act
 */

import { face } from "./clock.js";
import { fill, make, part, say } from "../lib/dom.js";
import { namesOf } from "../lib/coordinates.js";
import { VERDICTS, answered, capital, pendingClaim } from "./announcer.js";

export class Claims {
  /**
   * @param {NineBoard} board
   * @param {Act} act
   */
  constructor(board, act) {
    this.board = board;
    this.act = act;
    this.place = part("claim");
    /** @type {number[]} */
    this.cells = [];
    this.picking = false;
    /** @type {View | null} */
    this.view = null;
    /** @type {number[]} */
    this.mine = [];
    board.addEventListener("pick", (event) => {
      this.cells = /** @type {CustomEvent<number[]>} */ (event).detail;
      this.#render();
    });
  }

  /** Begin to pick. */
  start() {
    this.picking = true;
    this.cells = [];
    this.board.pick(3);
    this.#render();
    this.board.focus();
    say("Pick the three cells of your line on the board, then claim.");
  }

  stop() {
    this.picking = false;
    this.board.pick(0);
    this.#render();
  }

  /**
   * @param {View} view
   * @param {Layout} layout
   * @param {number[]} mine
   */
  show(view, layout, mine) {
    this.view = view;
    this.layout = layout;
    this.mine = mine;
    if (this.picking && (view.result || pendingClaim(view))) this.stop();
    else this.#render();
  }

  #render() {
    const { view } = this;
    if (!view) return;
    const shown = this.picking ? this.#picker(view) : view.claim ? this.#claim(view, view.claim) : null;
    this.place.hidden = !shown;
    part("deeds").hidden = this.picking;
    fill(this.place, shown ?? []);
  }

  /** @param {View} view */
  #picker(view) {
    const ready = this.cells.length === 3;
    const named = this.layout && this.cells.length ? namesOf(this.layout, this.cells) : "none yet";
    const task = "Pick the three cells of your line on the board.";
    const sides = this.mine.filter((seat) => !view.barred.includes(view.seats[seat - 1].side));
    const buttons = sides.map((seat) => {
      const label = sides.length > 1 ? `Claim for ${view.seats[seat - 1].side}` : "Claim victory";
      const claim = () => ready && this.#send({ kind: "claim", cells: this.cells }, seat);
      return make(
        "button",
        { type: "button", class: "strong", "data-key": `claim-${seat}`, disabled: !ready, onclick: claim },
        label,
      );
    });
    return [
      make("h2", {}, "Claim victory"),
      make("p", {}, this.board.moves.length ? `${task} A free one can be your move.` : task),
      make("p", { class: "picked-cells" }, `Picked: ${named}`),
      make(
        "div",
        { class: "buttons" },
        ready && this.#placements(),
        buttons,
        make("button", { type: "button", class: "quiet", "data-key": "stop", onclick: () => this.stop() }, "Not now"),
      ),
    ];
  }

  /** A free cell of the line can be played, and the claim travels with that move. */
  #placements() {
    const { board, layout, cells } = this;
    const free = cells.filter((cell) => !board.board.cells[cell]);
    const moves = board.moves.filter(({ path }) => path.length === 1 && free.includes(path[0]));
    return moves.map((move) =>
      make(
        "button",
        { type: "button", class: "strong", "data-key": `place-${move.path[0]}`, onclick: () => this.#play(move) },
        `Place ${layout ? namesOf(layout, move.path) : ""} and claim`,
      ),
    );
  }

  /** @param {import("../lib/types.js").Move} move */
  #play(move) {
    const claim = this.cells;
    this.stop();
    this.board.play({ ...move, claim });
  }

  /** @param {Record<string, unknown>} action @param {number} [seat] */
  #send(action, seat) {
    if (this.picking) this.stop();
    this.act(action, seat).catch(() => {});
  }

  /** @param {View} view @param {Claim} claim */
  #claim(view, claim) {
    const cells = this.layout ? namesOf(this.layout, claim.cells) : "";
    if (pendingClaim(view)) {
      return [make("h2", {}, `${claim.side} claims ${cells}`), this.#checklist(claim), this.#answer(view, claim)];
    }
    const verdict = `${claim.verdict === "true" ? "true" : "false"}: ${VERDICTS[claim.verdict ?? ""] ?? claim.verdict}`;
    const answer = answered(view);
    return [
      answer ? make("p", {}, answer) : null,
      make("details", {}, make("summary", {}, `${claim.side} claimed ${cells}, ${verdict}.`), this.#checklist(claim)),
    ];
  }

  /** @param {Claim} claim */
  #checklist(claim) {
    const wanted = [...claim.cells].join();
    const rows = claim.lines.map(({ line, cells, marks }) => {
      const held = marks.every((mark) => mark && mark === marks[0]);
      const claimed = cells.join() === wanted;
      const finding = held
        ? `held by ${marks[0]}`
        : marks.includes("X") && marks.includes("O")
          ? "broken"
          : "not complete";
      return make(
        "tr",
        { class: claimed ? "claimed" : null },
        make("th", { scope: "row" }, line),
        make("td", { class: "marks" }, marks.map((mark) => mark || "·").join(" ")),
        make("td", {}, capital(finding), claimed ? ", claimed" : ""),
      );
    });
    const head = make(
      "tr",
      {},
      ["Line", "Marks", "Finding"].map((title) => make("th", { scope: "col" }, title)),
    );
    return make(
      "table",
      { class: "checklist" },
      make("caption", {}, "The eight lines"),
      make("thead", {}, head),
      make("tbody", {}, rows),
    );
  }

  /** @param {View} view @param {Claim} claim */
  #answer(view, claim) {
    const claimant = view.seats.find(({ side }) => side === claim.side)?.seat ?? 0;
    const answers = this.mine.includes(3 - claimant) ? this.#answerForm(3 - claimant) : null;
    const withdraw = () => this.#send({ kind: "withdraw" }, claimant);
    return make(
      "div",
      { class: "answer" },
      make("p", { class: "due", id: "claim-due" }),
      answers,
      this.mine.includes(claimant) &&
        make(
          "button",
          { type: "button", class: "quiet", "data-key": "withdraw", onclick: withdraw },
          "Withdraw the claim",
        ),
    );
  }

  /** @param {number} seat */
  #answerForm(seat) {
    const reason = make("input", {
      type: "text",
      id: "dispute-reason",
      maxlength: 280,
      required: true,
      autocomplete: "off",
      "data-key": "reason",
    });
    const dispute = (/** @type {Event} */ event) => {
      event.preventDefault();
      this.#send({ kind: "dispute", text: reason.value }, seat);
    };
    const confirm = () => this.#send({ kind: "confirm" }, seat);
    return make(
      "form",
      { onsubmit: dispute },
      make(
        "button",
        { type: "button", class: "strong", "data-key": "confirm", onclick: confirm },
        "Confirm: it is true",
      ),
      make("label", { for: "dispute-reason" }, "Or say why it is not:"),
      make(
        "div",
        { class: "link-row" },
        reason,
        make("button", { type: "submit", class: "quiet", "data-key": "dispute" }, "Dispute"),
      ),
    );
  }

  /** @param {View} view @param {number} now */
  tick(view, now) {
    const due = document.getElementById("claim-due");
    if (due)
      due.textContent = view.claim_due
        ? `Without an answer the referee decides in ${face(Math.max(0, view.claim_due - now)).replace(/\..$/, "")}.`
        : "";
  }
}
