/**
 * The referee's report as a table: a row for each statistic, a column for each player. No DOM.
 *
 * @typedef {import("../lib/types.js").Report} Report
 * @typedef {import("../lib/types.js").SeatReport} SeatReport
 */

import { formatNumber } from "../lib/language.js";
import { text } from "../lib/messages.js";

const COUNTED = /** @type {const} */ ([
  "points",
  "illegal_moves",
  "unreadable",
  "refused_claims",
  "false_claims",
  "missed_wins",
  "wrong_confirmations",
  "wrong_disputes",
]);

const ABOUT_CLAIMS = ["refused_claims", "false_claims", "wrong_confirmations", "wrong_disputes"];

/**
 * @param {boolean} hasClaims
 * @returns {{name: string, valueOf: (seat: SeatReport) => string | number}[]}
 */
function reportRows(hasClaims) {
  return [
    ...COUNTED.filter((field) => hasClaims || !ABOUT_CLAIMS.includes(field)).map((field) => ({
      name: text(`report.${field}`),
      valueOf: (/** @type {SeatReport} */ seat) => seat[field],
    })),
    { name: text("report.mistakes"), valueOf: describeMistakes },
    { name: text("report.time"), valueOf: ({ milliseconds }) => formatDuration(milliseconds) },
  ];
}

/** @param {SeatReport} seat */
function describeMistakes({ mistakes, judged }) {
  return judged ? text("report.mistakes_of", { mistakes, judged }) : text("report.unknown");
}

/**
 * @param {Report} report
 * @param {boolean} hasClaims true if victories are claimed in this game
 * @param {Partial<Record<string, string>>} [names] of the players, by side
 */
export function reportTable({ agents }, hasClaims, names = {}) {
  return {
    columns: agents.map(({ agent, side }) =>
      side ? text("report.player", { player: names[side] ?? agent, side }) : agent,
    ),
    rows: reportRows(hasClaims).map(({ name, valueOf }) => ({ name, values: agents.map((seat) => String(valueOf(seat))) })),
  };
}

/** @param {Report} report */
export function reportNotes({ judges, refusals_forgotten }) {
  const notes = [];
  const sources = judges.map(({ text }) => text).join(text("report.and"));
  if (sources) notes.push(text("report.judged_by", { sources }));
  if (refusals_forgotten) notes.push(text("report.forgotten", { count: refusals_forgotten }));
  return notes;
}

/** @param {number} milliseconds */
export function formatDuration(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return text("time.short_seconds", { seconds: formatNumber(milliseconds / 1000, 1) });
  return text("time.short_minutes", { minutes: Math.floor(seconds / 60), seconds: seconds % 60 });
}
