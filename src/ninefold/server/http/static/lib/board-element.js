/**
 * <nine-board>: shows the board of any game and turns presses, arrow keys and digits into a chosen move.
 *
 * It knows no rule: layout, board and legal moves come from the server.
 *
 * Events: "play" (a move was chosen), "choose" (a choice on the way to a move), "point" (the pointer or the focus is on
 * a cell, or null), "pick" (cells were picked for a claim).
 *
 * @typedef {import("./types.js").LegalMove} LegalMove
 * @typedef {import("./types.js").Layout} Layout
 * @typedef {import("./types.js").Board} Board
 * @typedef {import("./painter.js").CellValue} CellValue
 * @typedef {import("./move-paths.js").Preview} Preview
 *
 * @typedef {LegalMove & {claim?: number[]}} ChosenMove a move, and the cells of a claim that is sent with it
 */

import { createBoardElements } from "./board-dom.js";
import { cellAfterKey, cellAt } from "./coordinates.js";
import { prefersReducedMotion, setAttributes } from "./dom.js";
import { choices, chosenMark, movesByCell, pressCell, previewPress, typeDigits } from "./move-paths.js";
import { paint } from "./painter.js";

const CLAIM_CELLS = 3;
const FOCUS_KEYS = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End"];
/** @type {Preview} */
const NO_PREVIEW = { cells: {}, boards: {}, opens: [], options: [] };

export class NineBoard extends HTMLElement {
  /** @type {Layout | null} */ layout = null;
  /** @type {Board} */ board = { cells: [], last: [], lines: [] };
  /** @type {LegalMove[]} the moves that can be made here now; if empty, nothing can be pressed */ moves = [];
  /** False if the moves can only be tried: then none is highlighted. */ movesAreLegal = true;
  /** @type {ChosenMove | null} sent and not yet confirmed */ pending = null;
  /** @type {number[]} the cells of a claim */ claimed = [];
  /** @type {Map<number, CellValue>} by the cell that a move begins on */ values = new Map();
  /** @type {number[]} the cells of the move that is pointed at in a list */ lit = [];
  /** @type {Record<string, string>} who could win next, by cell */ threats = {};
  /** @type {number[]} */ #prefix = [];
  /** @type {number[] | null} */ #picked = null;
  #digits = "";
  /** @type {number | null} */ #pointed = null;
  #focus = 0;
  /** @type {import("./board-dom.js").BoardElements | null} */ #elements = null;
  /** @type {Map<number, LegalMove[]>} */ #movesByCell = new Map();

  constructor() {
    super();
    this.addEventListener("click", (event) => this.#onCell(event, (cell) => this.#press(cell)));
    this.addEventListener("pointerover", (event) => this.#onCell(event, (cell) => this.#point(cell)));
    this.addEventListener("pointerdown", (event) => this.#onCell(event, (cell) => this.#point(cell)));
    this.addEventListener("pointerleave", () => this.#point(null));
    this.addEventListener("pointercancel", () => this.#point(null));
    this.addEventListener("focusin", (event) => this.#onCell(event, (cell) => this.#focusOn(cell)));
    this.addEventListener("focusout", () => this.#point(null));
    this.addEventListener("keydown", (event) => this.#onKey(event));
  }

  connectedCallback() {
    addEventListener("look", this.#repaint);
  }

  disconnectedCallback() {
    removeEventListener("look", this.#repaint);
  }

  /** Cells may have other names now. */
  #repaint = () => this.#paint();

  /**
   * Shows what has changed.
   *
   * @param {Partial<Pick<NineBoard, "layout" | "board" | "moves" | "movesAreLegal" | "claimed" | "values" | "lit" | "threats">>} changes
   */
  show(changes) {
    if (changes.moves && changes.moves !== this.moves) this.#prefix = [];
    const before = elementsKey(this.layout);
    Object.assign(this, changes);
    if (!this.layout) return;
    this.#movesByCell = movesByCell(this.moves, this.layout.kind);
    if (!this.#elements || before !== elementsKey(this.layout)) this.#build(this.layout);
    this.#settleFocus();
    this.#paint();
  }

  /** The choices made on the way to a move. */
  get movePrefix() {
    return this.#prefix;
  }

  /** The cell under the pointer or with the focus, or null. */
  get pointed() {
    return this.#pointed;
  }

  /** Plays what has been chosen so far and declines what could follow. */
  decline() {
    const { move } = choices(this.moves, this.#prefix);
    if (move) this.play(move);
  }

  /** Starts the move over. */
  cancel() {
    this.#digits = "";
    this.#choose([]);
  }

  /** Shows that the server refused a move. @param {LegalMove} move */
  refuse(move) {
    this.pending = null;
    this.#paint();
    const first = this.layout ? movesByCell([move], this.layout.kind).keys() : [];
    for (const cell of new Set([...Object.keys(move.cells).map(Number), ...first])) this.#flash(cell);
  }

  /** Lets cells be picked for a claim instead of played. */
  startPicking() {
    this.#setPicked([]);
  }

  stopPicking() {
    this.#setPicked(null);
  }

  /** Handles a key that was typed anywhere on the page; true if the board used it. @param {string} key */
  type(key) {
    if (!this.layout || this.#picked || this.pending || !/^[0-9]$/.test(key) || !this.moves.length) return false;
    const { step, digits } = typeDigits(this.moves, this.layout, this.#prefix, this.#digits + key);
    this.#digits = digits;
    if (step) this.#take(step);
    return true;
  }

  /** Moves the keyboard focus to the board. @override */
  focus() {
    this.#elements?.cells[this.#focus].focus();
  }

  /** Shows a move as made and reports it. @param {ChosenMove} move */
  play(move) {
    this.#prefix = [];
    this.pending = move;
    this.#paint();
    this.dispatchEvent(new CustomEvent("play", { detail: move }));
  }

  /** @param {Layout} layout */
  #build(layout) {
    this.#elements = createBoardElements(layout);
    this.replaceChildren(this.#elements.root, ...this.#elements.edges);
  }

  /** @param {Event} event @param {(cell: number) => void} handle */
  #onCell(event, handle) {
    const button = event.target instanceof Element ? event.target.closest("button.cell") : null;
    if (button instanceof HTMLElement) handle(Number(button.dataset.cell));
    else if (event.type === "pointerover") this.#point(null);
  }

  /** @param {number | null} cell */
  #point(cell) {
    if (cell === this.#pointed) return;
    this.#pointed = cell;
    this.#paint();
    this.dispatchEvent(new CustomEvent("point", { detail: cell }));
  }

  /** @param {number} cell */
  #focusOn(cell) {
    this.#focus = cell;
    this.#pointed = null;
    this.#point(cell);
  }

  /** @param {number} cell */
  #press(cell) {
    if (!this.layout || this.pending) return;
    if (this.#picked) return this.#pick(cell, this.#picked);
    const step = pressCell(this.moves, this.layout.kind, this.#prefix, cell);
    if (step) this.#take(step);
    else if (this.moves.length) this.#flash(cell);
  }

  /** @param {import("./move-paths.js").Step} step */
  #take(step) {
    if ("play" in step) this.play(step.play);
    else this.#choose(step.prefix);
  }

  /** @param {number[] | null} picked */
  #setPicked(picked) {
    this.#picked = picked;
    this.#prefix = [];
    this.#paint();
  }

  /** @param {number} cell @param {number[]} picked */
  #pick(cell, picked) {
    const isPicked = picked.includes(cell);
    this.#picked = isPicked ? picked.filter((other) => other !== cell) : [...picked, cell].slice(-CLAIM_CELLS);
    this.#paint();
    this.dispatchEvent(new CustomEvent("pick", { detail: [...this.#picked].sort((one, other) => one - other) }));
  }

  /** @param {number[]} prefix */
  #choose(prefix) {
    this.#prefix = prefix;
    if (prefix.length && this.layout?.kind === "boards" && this.contains(document.activeElement))
      this.#focusFirstChoice(prefix);
    this.#paint();
    this.dispatchEvent(new CustomEvent("choose"));
  }

  /** Moves the focus into the board that was chosen. @param {number[]} prefix */
  #focusFirstChoice(prefix) {
    const cell = cellAt("boards", [...prefix, choices(this.moves, prefix).next[0]]);
    if (cell !== null) this.#elements?.cells[cell].focus();
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    if (!this.layout || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Escape" && this.#prefix.length) this.cancel();
    else if (FOCUS_KEYS.includes(event.key))
      this.#elements?.cells[cellAfterKey(this.layout.kind, this.#focus, event.key)].focus();
    else if (!this.type(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** One cell can be reached with the Tab key: the one with the focus, or else the first that can be played. */
  #settleFocus() {
    if (this.contains(document.activeElement) || this.#movesByCell.has(this.#focus)) return;
    this.#focus = [...this.#movesByCell.keys()].sort((one, other) => one - other)[0] ?? this.#focus;
  }

  /** Marks a cell for a moment: it cannot be played, or the move was refused. @param {number} cell */
  #flash(cell) {
    const button = this.#elements?.cells[cell];
    button?.classList.add("refused");
    setTimeout(() => button?.classList.remove("refused"), prefersReducedMotion() ? 1200 : 500);
  }

  /** The board as it is shown: a move that was sent is already on it. */
  #boardWithPending() {
    const { pending, board } = this;
    if (!pending) return { board, pending: [] };
    const cells = [...board.cells];
    const owners = [...(board.owners ?? [])];
    for (const [cell, mark] of Object.entries(pending.cells)) cells[Number(cell)] = mark;
    for (const [number, owner] of Object.entries(pending.boards)) owners[Number(number)] = owner;
    const changed = Object.keys(pending.cells).map(Number);
    return { board: { ...board, cells, owners, open: [], last: changed, lines: [] }, pending: changed };
  }

  #paint() {
    const { layout, moves, movesAreLegal } = this;
    if (!layout || !this.#elements) return;
    const prefix = this.#prefix;
    const isPlayable = !this.pending && !this.#picked && moves.length > 0;
    const next = prefix.length && movesAreLegal ? choices(moves, prefix).next : [];
    paint(this.#elements, {
      layout,
      ...this.#boardWithPending(),
      moves: isPlayable ? this.#movesByCell : new Map(),
      movesAreLegal,
      prefix,
      options: next.map((cell) => cellAt(layout.kind, [...prefix, cell]) ?? cell),
      preview: isPlayable ? this.#preview(layout) : NO_PREVIEW,
      picked: this.#picked,
      claimed: this.claimed,
      values: this.values,
      lit: this.lit,
      threats: this.pending ? {} : this.threats,
      focus: this.#focus,
    });
    this.classList.toggle("active", isPlayable || this.#picked !== null);
    this.classList.toggle("unverified", isPlayable && !movesAreLegal);
  }

  /** @param {Layout} layout */
  #preview(layout) {
    if (!this.movesAreLegal) return NO_PREVIEW;
    const pressed = this.#pointed === null ? null : previewPress(this.moves, layout.kind, this.#prefix, this.#pointed);
    const { cells, ...others } = pressed ?? NO_PREVIEW;
    return { ...others, cells: { ...chosenMark(this.moves, layout.kind, this.#prefix), ...cells } };
  }
}

/** What the elements of a board depend on. @param {Layout | null} layout */
function elementsKey(layout) {
  return layout && `${layout.kind} ${layout.naming.cells[0]}`;
}

customElements.define("nine-board", NineBoard);

/**
 * Creates a small board that is only looked at.
 *
 * @param {string} className
 */
export function pictureBoard(className) {
  const board = new NineBoard();
  setAttributes(board, { class: className, inert: true, "aria-hidden": "true" });
  return board;
}
