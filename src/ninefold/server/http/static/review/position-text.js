/**
 * The text of a position, as the server reads it. No DOM.
 *
 * Every move places one mark. So an even number of marks means that the side to move has started.
 *
 * @param {"grid" | "boards"} kind
 * @param {string[]} cells X, O or empty
 * @param {"X" | "O"} turn
 * @param {string} sent the board to play in, or * for any
 */
export function positionText(kind, cells, turn, sent) {
  const marks = cells.map((mark) => mark || ".").join("");
  const placed = cells.filter(Boolean).length;
  const first = placed % 2 ? (turn === "X" ? "O" : "X") : turn;
  return [marks, turn, ...(kind === "boards" ? [sent] : []), `first=${first}`].join(" ");
}
