/**
 * The dialogue before a match: against whom, on which side, with which clock and rules.
 *
 * @typedef {import("../lib/types.js").Game} Game
 */

import * as api from "../lib/api.js";
import { make, part } from "../lib/dom.js";
import { keep, lastName, rememberName } from "../lib/match-storage.js";

const OPPONENTS = [
  ["computer", "Computer"],
  ["friend", "Friend, by link"],
  ["here", "Same screen"],
];
const SIDES = [
  ["X", "X"],
  ["O", "O"],
  ["any", "Either"],
];
const CLOCKS = [
  ["", "No clock"],
  ["60+0", "1 minute"],
  ["180+2", "3 minutes, 2 seconds a move"],
  ["300+3", "5 minutes, 3 seconds a move"],
  ["900+10", "15 minutes, 10 seconds a move"],
];

/** @param {Game} game */
export function askSetup(game) {
  const dialog = /** @type {HTMLDialogElement} */ (part("dialog"));
  const form = make(
    "form",
    { class: "setup", method: "dialog" },
    make("h2", { id: "dialog-title" }, `Play ${game.title}`),
    make("div", { class: "asked" }, questions(game)),
    make("p", { class: "notice", hidden: true, role: "alert" }),
    make(
      "div",
      { class: "buttons" },
      make("button", { type: "submit", class: "strong" }, "Start"),
      make("button", { type: "button", class: "quiet", onclick: () => dialog.close() }, "Cancel"),
    ),
  );
  form.addEventListener("change", (event) => adapt(form, event.target));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void begin(game, form);
  });
  dialog.replaceChildren(form);
  adapt(form, null);
  dialog.showModal();
}

/** @param {Game} game */
function questions(game) {
  const levels = game.levels.map((level) => [level, level]);
  return [
    radios("Against", "opponent", OPPONENTS, "computer"),
    radios("Level", "level", levels, game.levels[1] ?? game.levels[0], "computer"),
    radios("Your side", "side", SIDES, "X", "computer friend"),
    starts(game),
    choice("Clock", "clock", CLOCKS, ""),
    make(
      "div",
      { "data-for": "computer friend" },
      make("label", { for: "setup-name" }, "Your name (if you like)"),
      nameField(),
    ),
    make(
      "label",
      { class: "check" },
      make("input", { type: "checkbox", name: "public", checked: true }),
      "Others may find and watch it",
    ),
    rules(game),
  ];
}

function nameField() {
  return make("input", {
    type: "text",
    id: "setup-name",
    name: "name",
    maxlength: 40,
    autocomplete: "nickname",
    value: lastName(),
  });
}

/**
 * @param {string} legend
 * @param {string} name
 * @param {string[][]} values with their labels
 * @param {string} chosen
 * @param {string} [forWhom] the opponents it is asked for
 */
function radios(legend, name, values, chosen, forWhom) {
  const boxes = values.map(([value, label]) =>
    make(
      "label",
      { class: "radio" },
      make("input", { type: "radio", name, value, checked: value === chosen }),
      make("span", {}, label),
    ),
  );
  return make(
    "fieldset",
    { "data-for": forWhom ?? null },
    make("legend", {}, legend),
    make("div", { class: "radios" }, boxes),
  );
}

/**
 * @param {string} label
 * @param {string} name
 * @param {string[][]} values
 * @param {string} chosen
 */
function choice(label, name, values, chosen) {
  const options = values.map(([value, text]) => make("option", { value, selected: value === chosen }, text));
  return make(
    "div",
    {},
    make("label", { for: `setup-${name}` }, label),
    make("select", { id: `setup-${name}`, name }, options),
  );
}

/** Who starts, where the players agree on it or toss. @param {Game} game */
function starts(game) {
  const first = game.options.find(({ name }) => name === "first");
  if (!game.ask_first || !first) return null;
  return radios("Who starts", "first", [...first.values.map((side) => [side, side]), ["toss", "Toss"]], first.default);
}

/** The other options of the rules, and whether the legal moves are shown. @param {Game} game */
function rules(game) {
  const options = game.options.filter(({ name }) => name !== "first" || !game.ask_first);
  const fields = options.map(({ name, values, default: usual, help }) =>
    choice(
      help.charAt(0).toUpperCase() + help.slice(1),
      `option-${name}`,
      values.map((value) => [value, value === usual ? `${value} (usual)` : value]),
      usual,
    ),
  );
  const shown = make(
    "label",
    { class: "check" },
    make("input", { type: "checkbox", name: "show-moves", checked: true }),
    "Show which moves are legal",
  );
  return make("details", {}, make("summary", {}, "More rules"), make("div", { class: "fields" }, fields, shown));
}

/** Show what is asked for this opponent. @param {HTMLFormElement} form @param {EventTarget | null} changed */
function adapt(form, changed) {
  const opponent = String(new FormData(form).get("opponent"));
  for (const element of form.querySelectorAll("[data-for]")) {
    const wanted = element.getAttribute("data-for")?.split(" ").includes(opponent) ?? true;
    if (element instanceof HTMLElement) element.hidden = !wanted;
  }
  const byOpponent = changed === null || (changed instanceof HTMLInputElement && changed.name === "opponent");
  if (byOpponent) form.public.checked = opponent === "computer";
}

/** @param {Game} game @param {HTMLFormElement} form */
async function begin(game, form) {
  const notice = /** @type {HTMLElement} */ (form.querySelector(".notice"));
  const button = /** @type {HTMLButtonElement} */ (form.querySelector("[type=submit]"));
  button.disabled = true;
  try {
    const created = await api.create(wish(game, new FormData(form)));
    const { seats, watch, links } = created;
    keep(created.match, { seats, watch, invite: links.invite, game: game.id, title: game.title });
    location.assign(links.play);
  } catch (problem) {
    button.disabled = false;
    notice.hidden = false;
    notice.textContent = problem instanceof api.Problem ? problem.sentence : String(problem);
  }
}

/**
 * @param {Game} game
 * @param {FormData} given
 * @returns {Record<string, unknown>}
 */
export function wish(game, given) {
  const value = (/** @type {string} */ name) => String(given.get(name) ?? "");
  const opponent = value("opponent");
  const name = opponent === "here" ? "" : value("name").trim();
  rememberName(name || lastName());
  const player = { computer: value("level"), friend: "open", here: "human" }[opponent];
  const side = opponent === "here" ? "X" : value("side") === "any" ? (Math.random() < 0.5 ? "X" : "O") : value("side");
  const [initial, increment] = value("clock").split("+").map(Number);
  const options = game.options.map((option) => [option.name, given.get(`option-${option.name}`), option.default]);
  const changed = options
    .filter(([, chosen, usual]) => chosen && chosen !== usual)
    .map(([key, chosen]) => [key, chosen]);
  return {
    game: game.id,
    options: Object.fromEntries(changed),
    seats: [{ player: "human", ...(name ? { name } : {}) }, { player }],
    sides: side === "O" ? "OX" : "XO",
    private: given.get("public") === null,
    show_moves: given.get("show-moves") !== null,
    ...(given.get("first") ? { first: value("first") } : {}),
    ...(initial ? { clock: { initial_seconds: initial, increment_seconds: increment } } : {}),
  };
}
