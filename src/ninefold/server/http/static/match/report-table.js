/**
 * The referee's report as a table: a row for each statistic, a column for each player. No DOM.
 *
 * @typedef {import("../lib/types.js").Report} Report
 * @typedef {import("../lib/types.js").SeatReport} SeatReport
 */

import { text } from "../lib/messages.js";

/** @type {[string, (seat: SeatReport) => string | number][]} */
const ROWS = [
  [text("report.points"), ({ points }) => points],
  [text("report.illegal_moves"), ({ illegal_moves }) => illegal_moves],
  [text("report.unreadable"), ({ unreadable }) => unreadable],
  [text("report.refused_claims"), ({ refused_claims }) => refused_claims],
  [text("report.false_claims"), ({ false_claims }) => false_claims],
  [text("report.missed_wins"), ({ missed_wins }) => missed_wins],
  [text("report.wrong_confirmations"), ({ wrong_confirmations }) => wrong_confirmations],
  [text("report.wrong_disputes"), ({ wrong_disputes }) => wrong_disputes],
  [
    text("report.mistakes"),
    ({ mistakes, judged }) => (judged ? text("report.mistakes_of", { mistakes, judged }) : text("report.unknown")),
  ],
  [text("report.time"), ({ milliseconds }) => formatDuration(milliseconds)],
];

/** @param {Report} report */
export function reportTable({ agents }) {
  return {
    columns: agents.map(({ agent, side }) => (side ? text("report.player", { player: agent, side }) : agent)),
    rows: ROWS.map(([name, valueOf]) => ({ name, values: agents.map((seat) => String(valueOf(seat))) })),
  };
}

/** @param {Report} report */
export function reportNotes({ judged_by, refusals_forgotten }) {
  const notes = [];
  if (judged_by.length) notes.push(text("report.judged_by", { sources: judged_by.join(text("report.and")) }));
  if (refusals_forgotten) notes.push(text("report.forgotten", { count: refusals_forgotten }));
  return notes;
}

/** @param {number} milliseconds */
export function formatDuration(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return text("time.short_seconds", { seconds: (milliseconds / 1000).toFixed(1) });
  return text("time.short_minutes", { minutes: Math.floor(seconds / 60), seconds: seconds % 60 });
}
