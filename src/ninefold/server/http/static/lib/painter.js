/**
 * Paints a scene onto the elements of a board. It decides nothing: what is legal, chosen or foreseen is in the scene.
 *
 * @typedef {import("./types.js").Move} Move
 * @typedef {import("./types.js").Layout} Layout
 * @typedef {import("./types.js").Board} Board
 * @typedef {import("../review/move-values.js").Shown} Shown
 * @typedef {import("./board-dom.js").Squares} Squares
 *
 * @typedef {object} Foreseen what pressing the cell pointed at would do
 * @property {Record<number, string>} cells
 * @property {Record<number, string>} boards
 * @property {number[]} opens
 * @property {number[]} options
 *
 * @typedef {object} Scene
 * @property {Layout} layout
 * @property {Board} board as it is shown, a move that was sent included
 * @property {number[]} changed cells of the move that was sent
 * @property {Map<number, Move[]>} moves that can be begun now, by cell
 * @property {boolean} told whether those are legal
 * @property {number[]} way the choices made so far
 * @property {number[]} options cells that can be chosen next
 * @property {Foreseen} foreseen
 * @property {number[] | null} picked for a claim, null when none is being made
 * @property {number[]} claimed
 * @property {Map<number, Shown>} values
 * @property {number} focus the cell that can be tabbed to
 */

import { dress, make } from "./dom.js";
import { boardLabel, cellLabel } from "./labels.js";
import { lineShapes, markShape, ownerShape, sideClass } from "./shapes.js";
import { cellAt } from "./coordinates.js";

/** @param {Squares} squares @param {Scene} scene */
export function paint(squares, scene) {
  squares.cells.forEach((button, cell) => paintCell(button, cell, scene));
  squares.boards.forEach((element, number) => paintBoard(element, squares.grids[number], number, scene));
  squares.lines.replaceChildren(...lineShapes(scene.board.lines ?? []));
}

/** @param {HTMLButtonElement} button @param {number} cell @param {Scene} scene */
function paintCell(button, cell, scene) {
  const { board, layout, told, way, options, foreseen, picked } = scene;
  const mark = board.cells[cell];
  const ghost = foreseen.cells[cell] ?? "";
  const moves = scene.moves.get(cell) ?? [];
  const option = options.includes(cell);
  const chosen = way.length > 0 && cellAt(layout.kind, way) === cell;
  paintMark(button, ghost || mark, scene.values.get(cell));
  button.className = classes("cell", {
    [sideClass(ghost || mark)]: true,
    playable: told && moves.length > 0 && !way.length,
    ghost: ghost !== "" && ghost !== mark,
    last: board.last?.includes(cell),
    pending: scene.changed.includes(cell),
    chosen,
    option,
    takeable: !way.length && foreseen.options.includes(cell),
    claimed: scene.claimed.includes(cell),
    picked: picked?.includes(cell),
    refused: button.classList.contains("refused"),
  });
  dress(button, {
    tabindex: cell === scene.focus ? 0 : -1,
    "aria-label": label(scene, cell, told && !way.length ? moves : [], chosen, option),
    "aria-disabled": moves.length || option || picked ? null : "true",
    "aria-pressed": picked ? String(picked.includes(cell)) : null,
  });
}

/** @param {Scene} scene @param {number} cell @param {Move[]} moves @param {boolean} chosen @param {boolean} option */
function label({ layout, board, values }, cell, moves, chosen, option) {
  const choice = chosen ? "chosen" : option && (board.cells[cell] ? "can be taken" : "can be chosen");
  return [cellLabel(layout, board, cell, moves), choice, values.get(cell)?.words].filter(Boolean).join(", ");
}

/** @param {HTMLElement} button @param {string} mark @param {Shown | undefined} value */
function paintMark(button, mark, value) {
  const key = `${mark} ${value?.sign ?? ""} ${value?.kind ?? ""}`;
  if (button.dataset.drawn === key) return;
  button.dataset.drawn = key;
  const shape = markShape(mark);
  button.replaceChildren(
    ...(shape ? [shape] : []),
    ...(value ? [make("span", { class: `value ${value.kind}` }, value.sign)] : []),
  );
}

/** @param {HTMLElement} element @param {HTMLElement} grid @param {number} number @param {Scene} scene */
function paintBoard(element, grid, number, { layout, board, foreseen, way }) {
  const boards = layout.kind === "boards";
  const owner = (boards && board.owners?.[number]) || "";
  const ghost = foreseen.boards[number] ?? "";
  element.className = classes("nine", {
    open: boards && board.open?.includes(number),
    dead: owner !== "",
    [owner && `owned-${sideClass(owner)}`]: true,
    target: boards && foreseen.opens.includes(number),
    deciding: ghost !== "",
    chosen: boards && way.length === 1 && way[0] === number,
  });
  grid.setAttribute("aria-label", boards ? boardLabel(layout, board, number) : "board");
  if (element.dataset.owner === owner + ghost) return;
  element.dataset.owner = owner + ghost;
  element.querySelector(".owner")?.remove();
  const shape = ownerShape(owner || ghost);
  if (shape) element.append(shape);
}

/** @param {string} first @param {Record<string, unknown>} others */
function classes(first, others) {
  return [first, ...Object.keys(others).filter((name) => name && others[name])].join(" ");
}
