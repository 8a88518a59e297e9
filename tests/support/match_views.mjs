/** Views of a match, for the tests of the modules that read them. */

export const READING = { kind: "grid", naming: { cells: [..."123456789"] } };
export const NUMPAD = { kind: "boards", naming: { cells: [..."789456123"] } };
export const GAME = { id: "classic", layout: READING, press_steps: ["choose a cell"] };

/** A view of a match between Ann (X, seat 1) and the computer (O, seat 2). */
export function view(changes = {}) {
  return {
    id: "m1",
    status: "live",
    version: 0,
    options: {},
    seats: [
      { seat: 1, side: "X", name: "Ann", player: "person", level: null, present: true },
      { seat: 2, side: "O", name: "", player: "computer", level: "hard", present: true },
    ],
    asked: 1,
    board: { cells: new Array(9).fill("") },
    moves: [{ path: [4] }],
    history: [],
    result: null,
    claim: null,
    barred: [],
    offer: null,
    ...changes,
  };
}
export const played = (...texts) => texts.map((text, ply) => ({ side: ply % 2 ? "O" : "X", text, path: [] }));
export const claim = (verdict, answer = null) => ({
  side: "O",
  cells: [0, 1, 2],
  answer,
  verdict,
  why: verdict && { code: `verdict.${verdict}`, params: { cells: "1 2 3" }, text: "There is a gap in the middle of 1 2 3." },
  lines: [],
});
