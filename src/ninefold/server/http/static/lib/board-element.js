/**
 * <nine-board>: draws any game from its layout, the board and the legal moves with their effects, and turns presses,
 * arrows and digits into a chosen move. It knows no rule. Events: "play" (a move was chosen), "walk" (a choice on the
 * way to one), "point" (a cell is pointed at, or null), "pick" (cells were picked for a claim).
 *
 * @typedef {import("./types.js").Move} Move
 * @typedef {import("./types.js").Layout} Layout
 * @typedef {import("./types.js").Board} Board
 * @typedef {import("../review/move-values.js").Shown} Shown
 * @typedef {import("./painter.js").Foreseen} Foreseen
 */

import { dress, still } from "./dom.js";
import { paint } from "./painter.js";
import { choices, foresee, movesByCell, press, typed } from "./move-paths.js";
import { beside, cellAt } from "./coordinates.js";
import { squares } from "./board-dom.js";

const ARROWS = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End"];
/** @type {Foreseen} */
const NOTHING = { cells: {}, boards: {}, opens: [], options: [] };

export class NineBoard extends HTMLElement {
  /** @type {Layout | null} */ layout = null;
  /** @type {Board} */ board = { cells: [] };
  /** @type {Move[]} legal moves of whoever plays here now; none: nothing can be pressed */ moves = [];
  /** Whether those moves are known to be legal; if not, any can be tried, and none is lit. */ told = true;
  /** @type {Move | null} sent and not yet confirmed */ pending = null;
  /** @type {number[]} cells of a claim */ claimed = [];
  /** @type {Map<number, Shown>} what moves are worth, by the cell they begin on */ values = new Map();
  /** @type {number[]} */ #way = [];
  /** @type {number[] | null} */ #picked = null;
  #digits = "";
  /** @type {number | null} pointed at */ #at = null;
  #focus = 0;
  /** @type {import("./board-dom.js").Squares | null} */ #squares = null;
  /** @type {Map<number, Move[]>} */ #byCell = new Map();

  constructor() {
    super();
    this.addEventListener("click", (event) => this.#onCell(event, (cell) => this.#press(cell)));
    this.addEventListener("pointerover", (event) => this.#onCell(event, (cell) => this.#point(cell)));
    this.addEventListener("pointerdown", (event) => this.#onCell(event, (cell) => this.#point(cell)));
    this.addEventListener("pointerleave", () => this.#point(null));
    this.addEventListener("pointercancel", () => this.#point(null));
    this.addEventListener("focusin", (event) => this.#onCell(event, (cell) => this.#visit(cell)));
    this.addEventListener("focusout", () => this.#point(null));
    this.addEventListener("keydown", (event) => this.#key(event));
  }

  /** @param {Partial<Pick<NineBoard, "layout" | "board" | "moves" | "told" | "pending" | "claimed" | "values">>} news */
  show(news) {
    if (news.moves && news.moves !== this.moves) this.#way = [];
    const kind = this.layout?.kind;
    Object.assign(this, news);
    if (!this.layout) return;
    this.#byCell = movesByCell(this.moves, this.layout.kind);
    if (!this.#squares || kind !== this.layout.kind) this.#build(this.layout);
    this.#settleFocus();
    this.#paint();
  }

  /** The choices made on the way to a move. */
  get way() {
    return this.#way;
  }

  /** The cell that is pointed at, or null. */
  get at() {
    return this.#at;
  }

  /** Play what has been chosen so far, declining what could follow. */
  decline() {
    const { move } = choices(this.moves, this.#way);
    if (move) this.play(move);
  }

  cancel() {
    this.#digits = "";
    this.#walk([]);
  }

  /** The server said no: take the move back, visibly. @param {Move} move */
  refuse(move) {
    this.pending = null;
    this.#paint();
    const begun = this.layout ? movesByCell([move], this.layout.kind).keys() : [];
    for (const cell of new Set([...Object.keys(move.cells).map(Number), ...begun])) this.#flash(cell);
  }

  /** Pick cells instead of playing, or (0) play again. @param {number} many */
  pick(many) {
    this.#picked = many ? [] : null;
    this.#way = [];
    this.#paint();
  }

  /** A key typed anywhere on the page; true when it meant something here. @param {string} key */
  type(key) {
    if (!this.layout || this.#picked || this.pending || !/^[0-9]$/.test(key) || !this.moves.length) return false;
    const { step, digits } = typed(this.moves, this.layout, this.#way, this.#digits + key);
    this.#digits = digits;
    if (step) this.#take(step);
    return true;
  }

  /** Move the keyboard to the board. */
  focus() {
    this.#squares?.cells[this.#focus].focus();
  }

  /** @param {Layout} layout */
  #build(layout) {
    this.#squares = squares(layout.kind);
    this.replaceChildren(this.#squares.plane);
  }

  /** @param {Event} event @param {(cell: number) => void} what */
  #onCell(event, what) {
    const button = event.target instanceof Element ? event.target.closest("button.cell") : null;
    if (button instanceof HTMLElement) what(Number(button.dataset.cell));
    else if (event.type === "pointerover") this.#point(null);
  }

  /** @param {number | null} cell */
  #point(cell) {
    if (cell === this.#at) return;
    this.#at = cell;
    this.#paint();
    this.dispatchEvent(new CustomEvent("point", { detail: cell }));
  }

  /** @param {number} cell */
  #visit(cell) {
    this.#focus = cell;
    this.#at = null;
    this.#point(cell);
  }

  /** @param {number} cell */
  #press(cell) {
    if (!this.layout || this.pending) return;
    if (this.#picked) return this.#pickCell(cell, this.#picked);
    const step = press(this.moves, this.layout.kind, this.#way, cell);
    if (step) this.#take(step);
    else if (this.moves.length) this.#flash(cell);
  }

  /** @param {import("./move-paths.js").Step} step */
  #take(step) {
    if ("play" in step) this.play(step.play);
    else this.#walk(step.prefix);
  }

  /** @param {number} cell @param {number[]} picked */
  #pickCell(cell, picked) {
    this.#picked = picked.includes(cell) ? picked.filter((other) => other !== cell) : [...picked, cell].slice(-3);
    this.#paint();
    this.dispatchEvent(new CustomEvent("pick", { detail: [...this.#picked].sort((one, other) => one - other) }));
  }

  /** Show a move as made, and say so. @param {Move} move */
  play(move) {
    this.#way = [];
    this.pending = move;
    this.#paint();
    this.dispatchEvent(new CustomEvent("play", { detail: move }));
  }

  /** @param {number[]} way */
  #walk(way) {
    this.#way = way;
    if (way.length && this.layout?.kind === "boards" && this.contains(document.activeElement)) this.#lead(way);
    this.#paint();
    this.dispatchEvent(new CustomEvent("walk", { detail: choices(this.moves, way) }));
  }

  /** Bring the keyboard to the first choice in the board that was chosen. @param {number[]} way */
  #lead(way) {
    const there = cellAt("boards", [...way, choices(this.moves, way).next[0]]);
    if (there !== null) this.#squares?.cells[there].focus();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (!this.layout || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Escape" && this.#way.length) this.cancel();
    else if (ARROWS.includes(event.key)) this.#squares?.cells[beside(this.layout.kind, this.#focus, event.key)].focus();
    else if (!this.type(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** One cell can be tabbed to: where the keyboard was, or else the first that can be played. */
  #settleFocus() {
    if (this.contains(document.activeElement) || this.#byCell.has(this.#focus)) return;
    this.#focus = [...this.#byCell.keys()].sort((one, other) => one - other)[0] ?? this.#focus;
  }

  /** @param {number} cell that cannot be, or was not, played */
  #flash(cell) {
    const button = this.#squares?.cells[cell];
    button?.classList.add("refused");
    setTimeout(() => button?.classList.remove("refused"), still() ? 1200 : 500);
  }

  /** The board as it is shown: a move that was sent is on it already. */
  #shown() {
    const { pending, board } = this;
    if (!pending) return { board, changed: [] };
    const cells = [...board.cells];
    const owners = [...(board.owners ?? [])];
    for (const [cell, mark] of Object.entries(pending.cells)) cells[Number(cell)] = mark;
    for (const [number, owner] of Object.entries(pending.boards)) owners[Number(number)] = owner;
    const changed = Object.keys(pending.cells).map(Number);
    return { board: { ...board, cells, owners, open: [], last: changed, lines: [] }, changed };
  }

  #paint() {
    const { layout, moves, told } = this;
    if (!layout || !this.#squares) return;
    const playable = !this.pending && !this.#picked && moves.length > 0;
    const foreseen = playable && told && this.#at !== null ? foresee(moves, layout.kind, this.#way, this.#at) : null;
    const next = this.#way.length && told ? choices(moves, this.#way).next : [];
    paint(this.#squares, {
      layout,
      ...this.#shown(),
      moves: playable ? this.#byCell : new Map(),
      told,
      way: this.#way,
      options: next.map((cell) => cellAt(layout.kind, [...this.#way, cell]) ?? cell),
      foreseen: foreseen ?? NOTHING,
      picked: this.#picked,
      claimed: this.claimed,
      values: this.values,
      focus: this.#focus,
    });
    this.classList.toggle("active", playable || this.#picked !== null);
    this.classList.toggle("untold", playable && !told);
  }
}

customElements.define("nine-board", NineBoard);

/**
 * A small board to look at only.
 *
 * @param {string} look its class
 */
export function pictureBoard(look) {
  const board = new NineBoard();
  dress(board, { class: look, inert: true, "aria-hidden": "true" });
  return board;
}
