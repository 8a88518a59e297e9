/**
 * The log of a match as JSON lines: a line for its set-up, then a line for each event, as match/log.py has them. No DOM.
 *
 * @typedef {import("./match.js").Match} Match
 * @typedef {import("./match.js").MatchEvent} MatchEvent
 * @typedef {import("./rulebook.js").Rulebook} Rulebook
 *
 * @typedef {object} Head the first line
 * @property {number} ninefold
 * @property {string} game
 * @property {Record<string, string>} options
 * @property {import("./match.js").SeatSetup[]} seats
 * @property {number} at
 * @property {number | null} seed
 * @property {boolean} toss
 *
 * @typedef {{event: string, seat: number, at: number, move?: number, cells?: number[], text?: string, number?: number}} LoggedEvent
 */

import { begin } from "./match.js";
import { Refusal } from "./wording.js";

const FORMAT = 1;
const FIELDS = ["event", "seat", "at", "move", "cells", "text", "number"];
const HEAD = ["at", "game", "ninefold", "options", "seats", "seed", "toss"];

/** @param {Match} match @returns {Head} */
export function headOf({ setup: { game, options, seats, at, seed, toss } }) {
  return { ninefold: FORMAT, game: game.id, options, seats, at, seed, toss };
}

/** @param {Rulebook} book @param {MatchEvent} event @returns {LoggedEvent} */
export function loggedEvent({ actions }, { at, seat, action: { kind, ...fields } }) {
  return { event: actions.events[kind], seat, at, ...fields };
}

/** @param {Match} match */
export function writeLog(match) {
  const lines = [headOf(match), ...match.events.map((event) => loggedEvent(match.book, event))];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/**
 * The match of a set-up and its events. Every event is decided again by the rules, so that nothing false gets in; the
 * first wrong one is refused by its line.
 *
 * @param {Rulebook} book
 * @param {Head} head
 * @param {LoggedEvent[]} events
 */
export async function replay(book, head, events) {
  let match = begin(book, await book.game(head.game), head.options, head.seats, head);
  for (let place = 0; place < events.length; ) {
    const decided = again(book, match, events[place], place + 2);
    const added = decided.events.slice(match.events.length);
    added.forEach((event, offset) => check(book, event, events[place + offset], place + offset + 2));
    match = decided;
    place += added.length;
  }
  return match;
}

/** @param {Rulebook} book @param {Match} match @param {LoggedEvent} logged @param {number} line */
function again(book, match, { event, seat, at, ...fields }, line) {
  const kind = Object.entries(book.actions.events).find(([, past]) => past === event)?.[0];
  if (!kind) throw brokenLine(line, "log.event", { events: Object.values(book.actions.events).join(" ") });
  try {
    return match.act(seat, { kind, ...fields }, at);
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    throw brokenLine(line, "broken_log.refused", { refusal: { code: `${refusal.code}:clause`, params: refusal.params } });
  }
}

/** @param {Rulebook} book @param {MatchEvent} decided @param {LoggedEvent | undefined} found @param {number} line */
function check(book, decided, found, line) {
  const { kind } = decided.action;
  if (!found) throw brokenLine(line - 1, "broken_log.missing", { expected: `'${kind}'` });
  const expected = loggedEvent(book, decided);
  const isTalk = kind === "say" || kind === "dispute";
  const differs = FIELDS.some((name) => !(isTalk && name === "text") && !(name === "at") && !isSame(expected, found, name));
  if (differs) throw brokenLine(line, "broken_log.fields", { kind: `'${kind}'` });
}

/** @param {object} one @param {object} other @param {string} name */
function isSame(one, other, name) {
  const value = (/** @type {any} */ event) => JSON.stringify(event[name] ?? null);
  return value(one) === value(other);
}

/** The match in the text of a log. @param {Rulebook} book @param {string} text */
export function readLog(book, text) {
  const lines = text.split(/\r?\n/).filter(Boolean);
  const objects = lines.map((line, index) => parseLine(line, index + 1));
  const last = objects.at(-1);
  if (last && Object.keys(last).join() === "checksum") objects.pop(); // it protects files on disk
  const [head, ...events] = objects;
  if (!head) throw brokenLine(1, "log.empty");
  if (head.ninefold !== FORMAT || Object.keys(head).sort().join() !== HEAD.join())
    throw brokenLine(1, "log.head", { fields: HEAD.join(" "), format: FORMAT });
  return replay(book, /** @type {Head} */ (head), /** @type {LoggedEvent[]} */ (events));
}

/** @param {string} line @param {number} number @returns {any} */
function parseLine(line, number) {
  try {
    const found = JSON.parse(line);
    if (typeof found === "object" && found !== null && !Array.isArray(found)) return found;
  } catch {
    // refused below
  }
  throw brokenLine(number, "log.not_an_object");
}

/** @param {number} line @param {string} code @param {import("./wording.js").Params} [params] */
function brokenLine(line, code, params = {}) {
  return new Refusal("broken_file.line", { line, why: { code, params } });
}
