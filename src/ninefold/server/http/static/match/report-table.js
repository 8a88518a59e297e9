/**
 * The referee's report in words: a line for each figure, with what it is for X and for O. No DOM.
 *
 * @typedef {import("../lib/types.js").Report} Report
 * @typedef {import("../lib/types.js").Agent} Agent
 */

/** @type {[string, (agent: Agent) => string | number][]} */
const LINES = [
  ["Points", ({ points }) => points],
  ["Illegal moves tried", ({ illegal_moves }) => illegal_moves],
  ["Unreadable answers", ({ unreadable }) => unreadable],
  ["Refused claims", ({ refused_claims }) => refused_claims],
  ["False claims", ({ false_claims }) => false_claims],
  ["Missed wins", ({ missed_wins }) => missed_wins],
  ["Wrong confirmations", ({ wrong_confirmations }) => wrong_confirmations],
  ["Wrong disputes", ({ wrong_disputes }) => wrong_disputes],
  ["Mistakes", ({ mistakes, judged }) => (judged ? `${mistakes} of ${judged}` : "not known")],
  ["Time used", ({ milliseconds }) => duration(milliseconds)],
];

/** @param {Report} report */
export function figuresOf({ agents }) {
  return {
    heads: agents.map(({ agent, side }) => (side ? `${agent} (${side})` : agent)),
    lines: LINES.map(([name, of]) => ({ name, values: agents.map((agent) => String(of(agent))) })),
  };
}

/** @param {Report} report */
export function notesOf({ judged_by, refusals_forgotten }) {
  const notes = [];
  if (judged_by.length) notes.push(`Mistakes gave away a win or a draw, by ${judged_by.join(" and ")}.`);
  if (refusals_forgotten) notes.push(`${refusals_forgotten} older refusals are no longer known.`);
  return notes;
}

/** @param {number} milliseconds */
export function duration(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `${(milliseconds / 1000).toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
