/**
 * The language of the page: its catalogue is loaded before the first text is made. English is in messages.js, so that
 * nothing is loaded for it, nor in Node.
 *
 * look.js has chosen the language, and has written it into the page.
 *
 * @typedef {object} Catalogue
 * @property {Record<string, string>} browser the texts of the pages, by the codes of messages.js
 * @property {Record<string, string | string[]>} server the texts that the server sends, by their codes
 */

export const ENGLISH_CODE = "en";
/** Every language in its own words: whoever looks for one may read no other. */
export const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français", es: "Español" };

/** @type {Catalogue} */
const NONE = { browser: {}, server: {} };

/** @returns {Promise<Catalogue>} empty for English, and if the catalogue cannot be loaded */
async function load() {
  const page = globalThis.document?.documentElement;
  const named = globalThis.document?.querySelector("meta[name=languages]")?.getAttribute("content"); // one of them
  if (!page || !named || page.lang === ENGLISH_CODE) return NONE;
  try {
    const response = await fetch(named.replace(/\w+\.json$/, `${page.lang}.json`));
    if (!response.ok) throw new Error(`The catalogue was answered with ${response.status}.`);
    return await response.json();
  } catch (problem) {
    console.warn(problem);
    page.lang = ENGLISH_CODE; // screen readers must not read English as another language
    return NONE;
  }
}

export const catalogue = await load();

export const language = globalThis.document?.documentElement.lang || ENGLISH_CODE;

export const isEnglish = catalogue === NONE;

const plurals = new Intl.PluralRules(language);

/**
 * The template of a code in one part of a catalogue, in the form for a count; undefined if there is none.
 *
 * @template {string | string[]} Template
 * @param {Record<string, Template>} templates
 * @param {string} code
 * @param {unknown} count
 * @returns {Template | undefined}
 */
export function templateOf(templates, code, count) {
  const form = count === undefined ? "" : plurals.select(Number(count));
  return templates[`${code}.${form}`] ?? templates[code];
}

/**
 * A number as the language writes it.
 *
 * @param {number} number
 * @param {number} [decimals]
 */
export function formatNumber(number, decimals = 0) {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return new Intl.NumberFormat(language, digits).format(number);
}

/** The day, as the language writes it. @param {number} time in milliseconds since 1970 */
export function formatDay(time) {
  return new Date(time).toLocaleDateString(isEnglish ? [] : language);
}

/** The time of day, as the language writes it. @param {number} time in milliseconds since 1970 */
export function formatTime(time) {
  return new Date(time).toLocaleTimeString(isEnglish ? [] : language, { hour: "2-digit", minute: "2-digit" });
}
