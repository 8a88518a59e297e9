/**
 * The texts of positions: marks, whose turn, then options as name=value. No DOM.
 *
 * @typedef {import("../lib/types.js").Game} GameDocument
 * @typedef {import("../lib/types.js").Side} Side
 * @typedef {import("./game.js").Facts} Facts
 * @typedef {import("./game.js").Options} Options
 *
 * @typedef {object} Parts
 * @property {string} marks without slashes
 * @property {Side} turn
 * @property {string[]} words what a game adds of its own
 * @property {Options} options
 */

import { Refusal, quoted } from "./wording.js";

const LONGEST = 1000;

/**
 * Takes a position's text apart.
 *
 * @param {string} text
 * @param {{boards: number, moreWords: number, values: Record<string, string[] | null>, defaults: Options}} format of
 *   which options it may name; null for one whose values are told by the board
 * @returns {Parts}
 */
export function splitPosition(text, { boards, moreWords, values, defaults }) {
  if ([...text].length > LONGEST) throw new Refusal("not_a_position.too_long", { most: LONGEST });
  const words = text.split(/\s+/).filter(Boolean);
  if (!words.length) throw new Refusal("not_a_position.too_short");
  const marks = words[0].replaceAll("/", "");
  if (marks.length !== 9 * boards || /[^XO.]/.test(marks))
    throw new Refusal("not_a_position.marks", { expected: 9 * boards, found: [...marks].length });
  if (words[1] !== "X" && words[1] !== "O") throw new Refusal("not_a_position.turn");
  const named = words.slice(2).flatMap((word) => (word.includes("=") ? [word.split("=")[0]] : []));
  if (new Set(named).size !== named.length) throw new Refusal("not_a_position.option_twice");
  const options = Object.fromEntries(Object.keys(values).map((name) => [name, defaults[name] ?? ""]));
  const plain = words.slice(2).filter((word) => !readOption(word, values, options));
  if (plain.length !== moreWords)
    throw new Refusal("not_a_position.words", { expected: 2 + moreWords, found: 2 + plain.length });
  return { marks, turn: words[1], words: plain, options };
}

/** @param {string} word @param {Record<string, string[] | null>} values @param {Options} options @returns {boolean} false if it is none */
function readOption(word, values, options) {
  const at = word.indexOf("=");
  if (at < 0) return false;
  const [name, value] = [word.slice(0, at), word.slice(at + 1)];
  if (!(name in values) || values[name]?.includes(value) === false) {
    const few = (/** @type {[string, string[] | null]} */ [one, all]) => `${one}=${all ? all.join("|") : one.toUpperCase()}`;
    throw new Refusal("not_a_position.option", { word: quoted(word), options: Object.entries(values).map(few).join(" ") });
  }
  options[name] = value;
  return true;
}

/**
 * A position of a small game from its text. What only the table knows, which line was first, may be left out where it is
 * the only possibility.
 *
 * @param {string} text
 * @param {GameDocument} document
 * @param {Facts} facts
 * @param {Options} defaults
 * @param {(options: Options) => import("./table-rules.js").Table} tableOf
 */
export function parseGrid(text, document, facts, defaults, tableOf) {
  const ofPosition = document.options.filter(({ name }) => !facts.of_match.includes(name));
  const values = Object.fromEntries(ofPosition.map(({ name, values: all }) => [name, all]));
  const hasLine = "line_ends" in values;
  const parts = splitPosition(text, { boards: 1, moreWords: 0, values: { ...values, ...(hasLine && { line: null }) }, defaults });
  const { first, line, ...others } = parts.options;
  const table = tableOf(parts.options);
  const detail = Object.entries(others).map(([name, value]) => `${name}=${value}`).join(" ");
  const isOpen = others.line_ends === "no";
  const details = !isOpen ? [detail] : line ? [`${detail} line=${line}`] : table.about.details;
  const found = details.flatMap((one) => tryFind(() => table.find(parts.marks, parts.turn, /** @type {Side} */ (first), one)));
  if (found.length > 1) throw new Refusal("not_a_position.several_lines");
  if (!found.length) throw new Refusal("unreachable");
  return found[0];
}

/** @template T @param {() => T} find @returns {T[]} */
function tryFind(find) {
  try {
    return [find()];
  } catch (refusal) {
    if (refusal instanceof Refusal) return [];
    throw refusal;
  }
}
