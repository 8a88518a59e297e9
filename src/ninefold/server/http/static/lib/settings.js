/**
 * The settings of this device, and what was chosen last. They are kept in the browser's storage.
 *
 * @typedef {object} Settings
 * @property {"auto" | "light" | "dark" | "contrast"} theme
 * @property {"tiles" | "lines"} board how boards are drawn
 * @property {string} language "de"; "" for that of the browser
 * @property {boolean} labels true if the edges of boards are labelled, and cells are named by these labels
 * @property {boolean} threats true if cells where a side could win next are marked
 * @property {boolean} sound
 * @property {boolean} notify true if a notification says that it is your turn
 * @property {string} game the game that was opened last
 * @property {string} clock of the last match against a person: "180+2", "" for none
 * @property {"browser" | "server" | ""} place where matches against the computer are kept; "" if that was never chosen
 * @property {Record<string, string>} levels the level of the computer that was chosen last, by game
 * @property {Record<string, string>} choices what was chosen last in the dialog for a new match
 */

import { read, write } from "./match-storage.js";

const KEY = "ninefold:settings";
/** @type {Settings} */
const DEFAULTS = {
  theme: "auto",
  board: "tiles",
  language: "",
  labels: false,
  threats: false,
  sound: true,
  notify: false,
  game: "",
  clock: "",
  place: "",
  levels: {},
  choices: {},
};

/** @type {Settings | null} as they were read last */
let loaded = null;
// Another window may have changed them, or the page on which this one was left.
for (const event of ["storage", "pageshow"]) globalThis.addEventListener?.(event, () => reload());

function reload() {
  const before = JSON.stringify(loaded);
  loaded = readSettings();
  if (JSON.stringify(loaded) !== before) dispatchEvent(new CustomEvent("look", { detail: loaded }));
}

/** @returns {Settings} */
export function loadSettings() {
  return (loaded ??= readSettings());
}

/** @returns {Settings} */
function readSettings() {
  try {
    return { ...DEFAULTS, ...JSON.parse(read(KEY) ?? "{}") };
  } catch {
    return DEFAULTS;
  }
}

/** Stores changes and shows them at once. @param {Partial<Settings>} changes */
export function saveSettings(changes) {
  const settings = { ...loadSettings(), ...changes };
  loaded = settings;
  write(KEY, JSON.stringify(settings));
  dispatchEvent(new CustomEvent("look", { detail: settings }));
}
