/**
 * The texts of positions, as the server reads and writes them: marks, turn, the board to play in, options. No DOM.
 */

/** Options that follow from the marks and the turn, or name marks. */
const OF_MARKS = ["first", "line"];

/**
 * The text of a position. Every move places one mark: an even number of marks means that the side to move has started.
 *
 * @param {"grid" | "boards"} kind
 * @param {string[]} cells X, O or empty
 * @param {"X" | "O"} turn
 * @param {string} sent the board to play in, or * for any
 * @param {string[]} [options] as rulesOf finds them; the game's own for the rest
 */
export function positionText(kind, cells, turn, sent, options = []) {
  const marks = cells.map((mark) => mark || ".").join("");
  const placed = cells.filter(Boolean).length;
  const first = placed % 2 ? (turn === "X" ? "O" : "X") : turn;
  return [marks, turn, ...(kind === "boards" ? [sent] : []), `first=${first}`, ...options].join(" ");
}

/**
 * What the text of a position says beside marks and turn: the board to play in (* for any), and options of the match.
 *
 * @param {"grid" | "boards"} kind
 * @param {string} position
 */
export function rulesOf(kind, position) {
  const words = position.split(" ").slice(2);
  const options = words.filter((word) => word.includes("=") && !OF_MARKS.includes(word.split("=")[0]));
  return { sent: kind === "boards" ? words[0] : "*", options };
}
