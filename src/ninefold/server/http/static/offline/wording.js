/**
 * Messages as the server has them: a code with parameters, and their English. No DOM.
 *
 * @typedef {{code: string, params: Params}} Message
 * @typedef {{[name: string]: unknown}} Params values, or messages that are part of the sentence
 * @typedef {string | [string, string]} Template of a refusal: what is wrong, and what is possible instead
 */

const FIELD = /\{\{|\}\}|\{(\w+)(:,)?\}/g;
const LONGEST_QUOTE = 20;
const UNPRINTABLE = /^[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Zs}]$/u;
const SPACE = /^[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]$/u;

/** Something was asked that cannot be done; nothing has changed. */
export class Refusal extends Error {
  /** @param {string} code @param {Params} [params] */
  constructor(code, params = {}) {
    super(code);
    this.code = code;
    this.params = params;
  }

  /** The stable part of the code, for programs. */
  get reason() {
    return this.code.split(".")[0];
  }
}

export class Wording {
  /** @param {Record<string, Template>} templates */
  constructor(templates) {
    this.templates = templates;
  }

  /** @param {string} code */
  has(code) {
    return code in this.templates;
  }

  /** A message in words. @param {Message} message @returns {string} */
  sentence({ code, params }) {
    const [refused, form] = code.split(":"); // a whole refusal, as in core/messages.py
    if (form) {
      const both = this.refusal({ code: refused, params }).join(" ").trim();
      return form === "clause" ? both.replace(/\.$/, "") : both;
    }
    const template = this.#template(code, params);
    return this.#fill(typeof template === "string" ? template : template[0], params);
  }

  /** What is wrong, and what is possible instead. @param {Message} message @returns {[string, string]} */
  refusal({ code, params }) {
    const template = this.#template(code, params);
    const [sentence, instead] = typeof template === "string" ? [template, ""] : template;
    return [this.#fill(sentence, params), this.#fill(instead, params)];
  }

  /** Parameters in words. @param {Params} params @returns {Record<string, string>} */
  params(params) {
    return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, this.#word(value)]));
  }

  /**
   * The parameters that are texts themselves, by name: with their own parts behind a dot.
   *
   * @param {Params} params
   * @returns {Record<string, {code: string, params: Record<string, string>}>}
   */
  parts(params) {
    const messages = Object.entries(params).flatMap(([name, value]) => (isMessage(value) ? [{ name, value }] : []));
    const entries = messages.flatMap(({ name, value }) => [
      [name, { code: value.code, params: this.params(value.params) }],
      ...Object.entries(this.parts(value.params)).map(([path, part]) => [`${name}.${path}`, part]),
    ]);
    return Object.fromEntries(entries);
  }

  /** @param {string} code @param {Params} params */
  #template(code, params) {
    const template = (params.count === 1 && this.templates[`${code}.one`]) || this.templates[code];
    if (template === undefined) throw new Error(`no text for the message ${code}`);
    return template;
  }

  /** @param {string} template @param {Params} params */
  #fill(template, params) {
    return template.replace(FIELD, (field, name, grouped) => {
      if (!name) return field[0];
      return grouped ? Number(params[name]).toLocaleString("en-US") : this.#word(params[name]);
    });
  }

  /** @param {unknown} value @returns {string} */
  #word(value) {
    return isMessage(value) ? this.sentence(value) : String(value);
  }
}

/** @param {unknown} value @returns {value is Message} */
function isMessage(value) {
  return typeof value === "object" && value !== null && "code" in value;
}

/** Text from outside without control characters and bidirectional overrides. @param {string} text */
export function clean(text) {
  const shown = [...text].map((char) => (isPrintable(char) ? char : SPACE.test(char) ? " " : ""));
  return shown.join("").replace(/^[ \p{Zs}]+|[ \p{Zs}]+$/gu, "");
}

/** @param {string} char */
function isPrintable(char) {
  return char === " " || !UNPRINTABLE.test(char);
}

/** @param {string} text @param {number} length in characters */
export function cut(text, length) {
  return [...text].slice(0, length).join("");
}

/** Somebody's input, short and printable, as the server repeats it in a sentence. @param {string} given */
export function quoted(given) {
  const chars = [...given];
  const shown = chars.length <= LONGEST_QUOTE ? chars : [...chars.slice(0, LONGEST_QUOTE), ..."..."];
  const quote = shown.includes("'") && !shown.includes('"') ? '"' : "'";
  return quote + shown.map((char) => escaped(char, quote)).join("") + quote;
}

/** @type {Record<string, string>} */
const ESCAPES = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** @param {string} char @param {string} quote */
function escaped(char, quote) {
  if (char === quote) return `\\${char}`;
  if (ESCAPES[char]) return ESCAPES[char];
  if (isPrintable(char)) return char;
  const code = char.codePointAt(0) ?? 0;
  const digits = code.toString(16);
  if (code < 0x100) return `\\x${digits.padStart(2, "0")}`;
  return code < 0x10000 ? `\\u${digits.padStart(4, "0")}` : `\\U${digits.padStart(8, "0")}`;
}
