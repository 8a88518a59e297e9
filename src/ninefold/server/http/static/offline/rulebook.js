/**
 * What scripts/offline_data.py has exported from the Python rules, and the games that are made of it. No DOM.
 *
 * @typedef {object} RulesDocument rules.json
 * @property {import("../lib/types.js").Game[]} games
 * @property {Record<string, import("./game.js").Facts>} facts
 * @property {Record<string, import("./table-rules.js").TableAbout>} tables
 * @property {number[][]} lines
 * @property {string[]} line_names
 * @property {Record<string, string[]>} verdicts
 * @property {{kinds: string[], referee: string[], seat: string[], unversioned: string[], offers: string[], events: Record<string, string>}} actions
 * @property {{message: number, name: number, player: number}} lengths
 * @property {Record<string, number>} random_share
 * @property {Record<string, import("./wording.js").Template>} messages
 *
 * @typedef {object} Files reads what was exported
 * @property {(name: string) => Promise<any>} json
 * @property {(name: string) => Promise<ArrayBuffer>} bytes
 * @property {() => Promise<import("./core.js").Core>} core the rules of the big games
 *
 * @typedef {import("./game.js").Options} Options
 * @typedef {import("../lib/types.js").Side} Side
 */

import { boardRules } from "./board-rules.js";
import { Game } from "./game.js";
import { parseGrid } from "./position-text.js";
import { Table } from "./table-rules.js";
import { Refusal, Wording, quoted } from "./wording.js";

export class Rulebook {
  /** @param {RulesDocument} document @param {Files} files */
  constructor(document, files) {
    this.document = document;
    this.files = files;
    this.wording = new Wording(document.messages);
    this.actions = document.actions;
    this.lengths = document.lengths;
    this.verdicts = document.verdicts;
    this.lines = document.lines;
    this.lineNames = document.line_names;
    /** @type {Map<string, Promise<Game>>} */
    this.games = new Map();
    /** @type {Map<string, Promise<Table>>} */
    this.tables = new Map();
  }

  /** @param {string} code @param {import("./wording.js").Params} [params] */
  sentence(code, params = {}) {
    return this.wording.sentence({ code, params });
  }

  /** @param {string} given */
  quoted(given) {
    return quoted(given);
  }

  /** A game with its rules, loaded when it is first asked for. @param {string} id @returns {Promise<Game>} */
  game(id) {
    const known = this.games.get(id) ?? this.#load(id);
    this.games.set(id, known);
    known.catch(() => this.games.delete(id)); // so that it is tried again
    return known;
  }

  /** @param {string} id */
  async #load(id) {
    const document = this.document.games.find((game) => game.id === id);
    if (!document) {
      const games = this.document.games.map((game) => game.id).join(" ");
      throw new Refusal("no_such_game", { game: quoted(id), games });
    }
    const facts = this.document.facts[id];
    const rules = facts.small ? await this.#smallRules(document, facts) : await this.#bigRules(document);
    return new Game(document, facts, rules, this.wording);
  }

  /** @param {import("../lib/types.js").Game} document @param {import("./game.js").Facts} facts @returns {Promise<import("./game.js").Rules>} */
  async #smallRules(document, facts) {
    const rules = facts.rule_set || document.id;
    const names = rules === "classic" ? { yes: "classic", no: "claims" } : { yes: rules, no: rules };
    const tables = Object.fromEntries(
      await Promise.all(Object.entries(names).map(async ([ends, name]) => [ends, await this.table(name, facts, document.paths)])),
    );
    const tableOf = (/** @type {Options} */ { line_ends: ends = "yes" }) => /** @type {Table} */ (tables[ends]);
    return {
      start: (options) => tableOf(options).start(/** @type {Side} */ (options.first)),
      parse: (text, options) => parseGrid(text, document, facts, options, tableOf),
    };
  }

  /** @param {string} name @param {import("./game.js").Facts} facts @param {number[][]} paths @returns {Promise<Table>} */
  table(name, facts, paths) {
    const load = async () => new Table(await this.files.bytes(`${name}.table`), this.document.tables[name], facts.refusals, paths);
    const known = this.tables.get(name) ?? load();
    this.tables.set(name, known);
    known.catch(() => this.tables.delete(name));
    return known;
  }

  /** @param {import("../lib/types.js").Game} document @returns {Promise<import("./game.js").Rules>} */
  async #bigRules(document) {
    return boardRules(await this.files.core(), document);
  }
}

/** @param {Files} files */
export async function loadRulebook(files) {
  return new Rulebook(await files.json("rules.json"), files);
}
