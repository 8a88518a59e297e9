/**
 * Paints a scene onto the elements of a board. It decides nothing: what is legal, chosen or previewed is in the scene.
 *
 * @typedef {import("./types.js").LegalMove} LegalMove
 * @typedef {import("./types.js").Layout} Layout
 * @typedef {import("./types.js").Board} Board
 * @typedef {import("./board-dom.js").BoardElements} BoardElements
 * @typedef {import("./move-paths.js").Preview} Preview
 *
 * @typedef {object} CellValue the value of the best move on a cell
 * @property {string} sign "+3", "=", "−12"
 * @property {string} words "win in 3"
 * @property {string} classes win, draw or loss, and best
 *
 * @typedef {object} Scene
 * @property {Layout} layout
 * @property {Board} board as it is shown, including a move that was sent and not confirmed
 * @property {number[]} pending the cells of that move
 * @property {Map<number, LegalMove[]>} moves that can begin now, by cell
 * @property {boolean} movesAreLegal false if the moves can only be tried
 * @property {number[]} prefix the choices made so far
 * @property {number[]} options the cells that can be chosen next
 * @property {Preview} preview of pressing the cell under the pointer
 * @property {number[] | null} picked the cells picked for a claim; null if none is being made
 * @property {number[]} claimed
 * @property {Map<number, CellValue>} values
 * @property {number[]} lit the cells of the move that is pointed at in a list
 * @property {Record<string, string>} threats who could win next, by cell: "X", "O" or "XO"
 * @property {number} focus the cell that can be reached with the Tab key
 */

import { cellAt } from "./coordinates.js";
import { html, setAttributes } from "./dom.js";
import { boardLabel, cellLabel } from "./labels.js";
import { text } from "./messages.js";
import { lineShapes, markShape, ownerShape, sideClass, threatShapes } from "./shapes.js";

/** @param {BoardElements} elements @param {Scene} scene */
export function paint(elements, scene) {
  elements.cells.forEach((button, cell) => paintCell(button, cell, scene));
  elements.boards.forEach((element, number) => paintBoard(element, elements.grids[number], number, scene));
  elements.lines.replaceChildren(...lineShapes(scene.board.lines ?? []));
}

/** @param {HTMLButtonElement} button @param {number} cell @param {Scene} scene */
function paintCell(button, cell, scene) {
  const { board, layout, movesAreLegal, prefix, options, preview, picked } = scene;
  const mark = board.cells[cell];
  const ghost = preview.cells[cell] ?? "";
  const moves = scene.moves.get(cell) ?? [];
  const isOption = options.includes(cell);
  const isChosen = prefix.length > 0 && cellAt(layout.kind, prefix) === cell;
  paintMark(button, ghost || mark, scene.values.get(cell), scene.threats[cell] ?? "", ghost !== "" && ghost !== mark);
  button.className = classNames("cell", {
    [sideClass(ghost || mark)]: true,
    playable: movesAreLegal && moves.length > 0 && !prefix.length,
    ghost: ghost !== "" && ghost !== mark,
    last: board.last?.includes(cell),
    pending: scene.pending.includes(cell),
    chosen: isChosen,
    option: isOption,
    takeable: !prefix.length && preview.options.includes(cell),
    claimed: scene.claimed.includes(cell),
    picked: picked?.includes(cell),
    lit: scene.lit.includes(cell),
    refused: button.classList.contains("refused"),
  });
  const choice = isChosen
    ? text("cell.chosen")
    : isOption
      ? text(mark ? "cell.can_be_taken" : "cell.can_be_chosen")
      : "";
  const sides = scene.threats[cell];
  const threat = sides && (sides.length > 1 ? text("cell.threat_both") : text("cell.threat", { side: sides }));
  const label = cellLabel(layout, board, cell, movesAreLegal && !prefix.length ? moves : []);
  setAttributes(button, {
    tabindex: cell === scene.focus ? 0 : -1,
    "aria-label": [label, choice, threat, scene.values.get(cell)?.words].filter(Boolean).join(", "),
    "aria-disabled": moves.length || isOption || picked ? null : "true",
    "aria-pressed": picked ? String(picked.includes(cell)) : null,
  });
}

/**
 * A mark that is new is drawn stroke by stroke, one that has changed its side is flipped.
 *
 * @param {HTMLElement} button
 * @param {string} mark
 * @param {CellValue | undefined} value
 * @param {string} threat the sides that could win there next
 * @param {boolean} isGhost true if it only shows what pressing the cell would do
 */
function paintMark(button, mark, value, threat, isGhost) {
  const key = `${mark} ${isGhost} ${threat} ${value?.sign ?? ""} ${value?.classes ?? ""}`;
  const { drawn, mark: before } = button.dataset;
  if (drawn === key) return;
  button.dataset.drawn = key;
  if (!isGhost) button.dataset.mark = mark;
  const shape = markShape(mark);
  if (shape && !isGhost && before !== undefined && before !== mark)
    shape.classList.add(before === "" ? "drawn" : "flipped");
  button.replaceChildren(
    ...(shape ? [shape] : []),
    ...(shape ? [] : threatShapes(threat)),
    ...(value ? [html("span", { class: `value ${value.classes}` }, value.sign)] : []),
  );
}

/** @param {HTMLElement} element @param {HTMLElement} grid @param {number} number @param {Scene} scene */
function paintBoard(element, grid, number, { layout, board, preview, prefix }) {
  const hasBoards = layout.kind === "boards";
  const owner = (hasBoards && board.owners?.[number]) || "";
  const ghost = preview.boards[number] ?? "";
  element.className = classNames("nine", {
    open: hasBoards && board.open?.includes(number),
    decided: owner !== "",
    [owner && `owned-${sideClass(owner)}`]: true,
    target: hasBoards && preview.opens.includes(number),
    deciding: ghost !== "",
    chosen: hasBoards && prefix.length === 1 && prefix[0] === number,
  });
  grid.setAttribute("aria-label", hasBoards ? boardLabel(board, number) : text("board"));
  const before = element.dataset.owner;
  const now = `${owner} ${ghost}`;
  if (before === now) return;
  element.dataset.owner = now;
  element.querySelector(".owner")?.remove();
  const shape = ownerShape(owner || ghost);
  if (shape && owner && before?.startsWith(" ")) shape.classList.add("won");
  if (shape) element.append(shape);
}

/** @param {string} first @param {Record<string, unknown>} others those with a true value are used */
function classNames(first, others) {
  return [first, ...Object.keys(others).filter((name) => name && others[name])].join(" ");
}
