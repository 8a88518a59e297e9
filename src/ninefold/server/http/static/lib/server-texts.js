/**
 * The server's sentences in the language of the page. The server sends them in English, with a code and parameters; here
 * they are replaced as soon as a document arrives, so that the pages read the same fields in every language. No DOM.
 *
 * @typedef {import("./api-types.d.ts").TextDoc} TextDoc
 * @typedef {import("./api-types.d.ts").PartDoc} PartDoc
 * @typedef {import("./types.js").Game} Game
 * @typedef {import("./types.js").Lesson} Lesson
 * @typedef {import("./types.js").ProblemDocument} ProblemDocument
 * @typedef {Record<string, string | number>} Params
 * @typedef {Record<string, any>} Document
 */

import { catalogue, formatNumber, isEnglish, templateOf } from "./language.js";

const DRAWING = "   "; // in what is drawn with signs, for terminals
// What is typed in terminals: names of cells and of options, and how a move is written.
const NAMES = / \([\d ]+\)| \[\d,\d\]| \([^()]*\w_\w[^()]*\)| [^.]*\b2x5\b.*/g;
// Behind the code of a refusal that is a part of another message, as in core/messages.py.
const WHOLE = /:(?:whole|clause)$/;
const PLACEHOLDER = /\{(\w+)(?::([^}]*))?\}/g;

/**
 * Replaces the sentences in a document of the server, and returns it.
 *
 * @template T
 * @param {T} document
 * @returns {T}
 */
export function localize(document) {
  return isEnglish ? document : localizeWith(catalogue.server, document);
}

/**
 * @template T
 * @param {Record<string, string | string[]>} templates by code
 * @param {T} document
 * @returns {T}
 */
export function localizeWith(templates, document) {
  if (document === null || typeof document !== "object") return document;
  for (const value of Object.values(document)) localizeWith(templates, value);
  const found = /** @type {Document} */ (document);
  if ("code" in found && "text" in found) found.text = textOf(templates, found, found.text)[0];
  if ("code" in found && "detail" in found) localizeProblem(templates, found);
  if ("code" in found && "sentence" in found) found.sentence = textOf(templates, found, found.sentence)[0];
  if ("score" in found && "sentence" in found) found.sentence = resultOf(templates, found);
  if ("game" in found && "title" in found) found.title = plain(templates, `game.${found.game}.title`, found.title);
  if ("press_steps" in found) localizeGame(templates, found);
  if ("advice" in found && "game" in found) localizeLesson(templates, found);
  return document;
}

/**
 * @param {Record<string, string | string[]>} templates
 * @param {string} code
 * @param {string} otherwise
 */
function plain(templates, code, otherwise) {
  const found = templates[code];
  return typeof found === "string" ? found : otherwise;
}

/**
 * What is wrong, and what is possible instead.
 *
 * @param {Record<string, string | string[]>} templates
 * @param {Document} message its code and parameters, which are replaced too if they are texts themselves
 * @param {string} otherwise
 * @param {string} [otherwiseInstead]
 */
function textOf(templates, { code, params, parts = {} }, otherwise, otherwiseInstead = "") {
  for (const name of Object.keys(parts))
    if (!name.includes(".")) params[name] = textOf(templates, partOf(parts, name), String(params[name]))[0];
  const found = templateOf(templates, code.replace(WHOLE, ""), params.count);
  if (found === undefined) return [otherwise, otherwiseInstead];
  const [sentence, instead = otherwiseInstead] = typeof found === "string" ? [found] : found;
  const texts = [fillIn(sentence, params), fillIn(instead, params)];
  if (!WHOLE.test(code)) return texts;
  const both = texts.join(" ").trim();
  return [code.endsWith(":clause") ? both.replace(/\.$/, "") : both];
}

/** One of the parts of a message, with its own parts. @param {Record<string, PartDoc>} parts @param {string} name */
function partOf(parts, name) {
  const inner = Object.entries(parts).filter(([path]) => path.startsWith(`${name}.`));
  return { ...parts[name], parts: Object.fromEntries(inner.map(([path, part]) => [path.slice(name.length + 1), part])) };
}

/**
 * Puts parameters into a template of the server: {name}, or a number as in {nodes:,} and {seconds:.1f}.
 *
 * @param {string} template
 * @param {Params} params
 */
function fillIn(template, params) {
  return template.replace(PLACEHOLDER, (_, name, spec) =>
    spec ? formatNumber(Number(params[name]), Number(/\.(\d)/.exec(spec)?.[1] ?? 0)) : String(params[name] ?? ""),
  );
}

/** @param {Record<string, string | string[]>} templates @param {Document} problem */
function localizeProblem(templates, problem) {
  const { instead: other, ...parts } = problem.parts ?? {};
  const isOwn = other && !("instead" in problem.params);
  const message = isOwn ? { ...problem, parts } : problem;
  const [detail, instead] = textOf(templates, message, problem.detail, problem.instead);
  problem.title = problem.detail = detail;
  problem.instead = isOwn ? textOf(templates, other, problem.instead)[0] : instead;
}

/** The sentence of a result whose reason is in the language already. @param {Record<string, string | string[]>} templates @param {Document} result */
function resultOf(templates, { winner, score, why, sentence }) {
  const code = score === "*" ? "result.unfinished" : winner ? "outcome.win" : "outcome.draw";
  return textOf(templates, { code, params: { side: winner ?? "", why: why.text } }, sentence)[0];
}

/** @param {Record<string, string | string[]>} templates @param {Document} game */
function localizeGame(templates, game) {
  const own = (/** @type {string} */ name, /** @type {string} */ otherwise) =>
    plain(templates, `game.${game.id}.${name}`, otherwise);
  game.title = own("title", game.title);
  game.summary = own("summary", game.summary);
  game.press_steps = game.press_steps.map((/** @type {string} */ step, /** @type {number} */ index) =>
    own(`press.${index + 1}`, step),
  );
  for (const option of game.options) option.help = plain(templates, `option.${option.name}`, option.help);
}

/**
 * The rules and the advice of a lesson: those of the game, without what is drawn and typed in terminals.
 *
 * @param {Record<string, string | string[]>} templates
 * @param {Document} lesson
 */
function localizeLesson(templates, lesson) {
  const own = (/** @type {string} */ name) => plain(templates, `game.${lesson.game}.${name}`, "");
  const rules = own("rules").split("\n\n").filter((paragraph) => paragraph && !paragraph.includes(DRAWING));
  if (rules.length) lesson.rules = rules.map(withoutNames);
  lesson.advice = lesson.advice.map((/** @type {string} */ tip, /** @type {number} */ index) =>
    withoutNames(own(`advice.${index + 1}`) || tip),
  );
}

/** @param {string} paragraph */
function withoutNames(paragraph) {
  return paragraph.trim().replace(/\s+/g, " ").replace(NAMES, "");
}
