/** The puzzles that were solved in this browser. */

const KEY = "ninefold.puzzles.solved";

/** @returns {Set<string>} their ids */
export function solvedPuzzles() {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return new Set(Array.isArray(stored) ? stored.filter((id) => typeof id === "string") : []);
  } catch {
    return new Set();
  }
}

/** @param {string} id */
export function saveSolved(id) {
  try {
    localStorage.setItem(KEY, JSON.stringify([...solvedPuzzles().add(id)].sort()));
  } catch {
    // Without storage a puzzle is solved all the same.
  }
}
