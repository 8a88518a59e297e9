/**
 * The dialog for a new match: opponent, side, where it is kept, clock and rules.
 *
 * @typedef {import("../lib/types.js").Game} Game
 * @typedef {import("../lib/types.js").MatchRequest} MatchRequest
 */

import { NAME_LENGTH } from "../lib/api-constants.js";
import { describeError } from "../lib/api.js";
import { buttonRow, closeButton, closeDialog, dialogTitle, openDialog } from "../lib/dialog.js";
import { byId, html } from "../lib/dom.js";
import { loadKey } from "../lib/identity.js";
import { loadName, saveName } from "../lib/match-storage.js";
import { capitalize, text, wordText } from "../lib/messages.js";
import { isOffline } from "../lib/offline.js";
import { loadSettings, saveSettings } from "../lib/settings.js";
import { clockChoices, clockRequest } from "../lib/clocks.js";
import { createMatch, enterMatch } from "./enter-match.js";
import { canChoosePlace, chosenPlace } from "./match-place.js";

const OPPONENTS = /** @type {const} */ (["computer", "friend", "here"]);
const KEPT = ["opponent", "level", "side", "clock"]; // choices that are offered again the next time

/** @param {Game} game */
export function openNewMatchDialog(game) {
  const form = html(
    "form",
    { class: "new-match", method: "dialog" },
    dialogTitle(text("new.title", { game: game.title })),
    html("div", { class: "new-match-fields" }, fields(game)),
    html("p", { class: "notice", hidden: true, role: "alert" }),
    buttonRow(
      html("button", { type: "submit", class: "strong" }, text("button.start")),
      closeButton(text("button.cancel")),
    ),
  );
  restoreChoices(form);
  form.addEventListener("change", () => adaptToOpponent(form));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void start(game, form);
  });
  adaptToOpponent(form);
  openDialog(form);
}

/** @param {Game} game */
function fields(game) {
  const possible = isOffline() ? OPPONENTS.filter((opponent) => opponent !== "friend") : OPPONENTS;
  const opponents = possible.map((opponent) => [opponent, text(`new.opponent.${opponent}`)]);
  const levels = game.levels.map((level) => [level, wordText("level", level)]);
  const sides = [...["X", "O"].map((side) => [side, side]), ["any", text("new.side.any")]];
  return [
    radioButtons(text("new.opponent"), "opponent", opponents, "computer"),
    radioButtons(text("new.level"), "level", levels, game.default_level, "computer"),
    radioButtons(text("new.side"), "side", sides, "X", "computer friend"),
    firstPlayer(game),
    canChoosePlace() && placeOfMatch(),
    isOffline() ? null : onServer(selection(text("new.clock"), "clock", clockChoices(), "")),
    loadKey() !== null && !isOffline() && html("div", { "data-for": "friend" }, checkbox("rated", text("new.rated"), true)),
    html(
      "div",
      { "data-for": loadKey() === null ? "computer friend" : "" },
      html("label", { for: "new-match-name" }, text("join.name")),
      html("input", {
        type: "text",
        id: "new-match-name",
        name: "name",
        maxlength: NAME_LENGTH,
        autocomplete: "nickname",
        value: loadName(),
      }),
    ),
    isOffline() ? null : onServer(checkbox("public", text("new.public"), false)),
    moreRules(game),
  ];
}

/**
 * @param {string} name
 * @param {string} label
 * @param {boolean} checked
 */
function checkbox(name, label, checked) {
  return html("label", { class: "check" }, html("input", { type: "checkbox", name, checked }), label);
}

/**
 * @param {string} legend
 * @param {string} name
 * @param {string[][]} values with their labels
 * @param {string} chosen
 * @param {string} [opponents] for which it is asked
 */
function radioButtons(legend, name, values, chosen, opponents) {
  const buttons = values.map(([value, label]) =>
    html(
      "label",
      { class: "radio" },
      html("input", { type: "radio", name, value, checked: value === chosen }),
      html("span", {}, label),
    ),
  );
  return html(
    "fieldset",
    { "data-for": opponents ?? null },
    html("legend", {}, legend),
    html("div", { class: "radios" }, buttons),
  );
}

/**
 * @param {string} label
 * @param {string} name
 * @param {string[][]} values with their labels
 * @param {string} chosen
 */
function selection(label, name, values, chosen) {
  const options = values.map(([value, words]) => html("option", { value, selected: value === chosen }, words));
  return html(
    "div",
    {},
    html("label", { for: `new-match-${name}` }, label),
    html("select", { id: `new-match-${name}`, name }, options),
  );
}

/** Where a match against the computer is kept. */
function placeOfMatch() {
  const places = /** @type {const} */ (["browser", "server"]).map((place) => [place, text(`new.place.${place}`)]);
  const field = radioButtons(text("new.place"), "place", places, chosenPlace(), "computer");
  field.append(html("p", { class: "faint" }, text("new.place.why")));
  return field;
}

/** A field that is asked for only if a server has the match. @param {HTMLElement} field */
function onServer(field) {
  field.dataset.server = "yes";
  return field;
}

/** Who starts, in games where the players agree on it. @param {Game} game */
function firstPlayer(game) {
  const first = game.options.find(({ name }) => name === "first");
  if (!game.ask_first || !first) return null;
  const sides = first.values.map((side) => [side, side]);
  return radioButtons(text("new.first"), "first", [...sides, ["toss", text("new.first.toss")]], first.default);
}

/** The other options of the game, and whether the legal moves are shown. @param {Game} game */
function moreRules(game) {
  const options = game.options.filter(({ name }) => name !== "first" || !game.ask_first);
  const selections = options.map(({ name, values, default: usual, help }) =>
    selection(
      capitalize(help),
      `option-${name}`,
      values.map((value) => [value, optionText(value, value === usual)]),
      usual,
    ),
  );
  return html(
    "details",
    {},
    html("summary", {}, text("new.more_rules")),
    html("div", { class: "fields" }, selections, checkbox("show-moves", text("new.show_moves"), true)),
  );
}

/** @param {string} value @param {boolean} isUsual */
function optionText(value, isUsual) {
  const words = wordText("choice", value);
  return isUsual ? text("new.default", { value: words }) : words;
}

/** @param {HTMLFormElement} form */
function restoreChoices(form) {
  for (const [name, value] of Object.entries(loadSettings().choices)) {
    const field = form.elements.namedItem(name);
    const hasOption = (/** @type {HTMLSelectElement} */ select) => [...select.options].some((one) => one.value === value);
    if (field instanceof RadioNodeList || (field instanceof HTMLSelectElement && hasOption(field)))
      field.value = value;
  }
}

/** Shows the fields for the chosen opponent and place. @param {HTMLFormElement} form */
function adaptToOpponent(form) {
  const chosen = new FormData(form);
  const opponent = String(chosen.get("opponent"));
  for (const element of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-server]")))
    element.hidden = placeIn(chosen) !== "server";
  for (const element of form.querySelectorAll("[data-for]")) {
    const isAsked = element.getAttribute("data-for")?.split(" ").includes(opponent) ?? true;
    if (element instanceof HTMLElement) element.hidden = !isAsked;
  }
}

/** @param {FormData} form @returns {import("./match-place.js").Place} */
const placeIn = (form) => (form.get("opponent") === "computer" && form.get("place") === "browser" ? "browser" : "server");

/** A choice that was not made is not stored: what is usual may change. @param {FormData} form */
function rememberPlace(form) {
  const place = placeIn(form);
  if (form.get("opponent") === "computer" && canChoosePlace() && place !== chosenPlace()) saveSettings({ place });
}

/** @param {Game} game @param {HTMLFormElement} form */
async function start(game, form) {
  const notice = /** @type {HTMLElement} */ (form.querySelector(".notice"));
  const submit = /** @type {HTMLButtonElement} */ (form.querySelector("[type=submit]"));
  const chosen = new FormData(form);
  saveSettings({ choices: Object.fromEntries(KEPT.map((name) => [name, String(chosen.get(name) ?? "")])) });
  rememberPlace(chosen);
  submit.disabled = true;
  try {
    const { match } = await createMatch(game, matchRequest(game, chosen), placeIn(chosen));
    await enterMatch(match);
    closeDialog();
    byId("board-area").focus();
  } catch (problem) {
    submit.disabled = false;
    notice.hidden = false;
    notice.textContent = describeError(problem);
  }
}

/**
 * @param {Game} game
 * @param {FormData} form
 * @returns {MatchRequest}
 */
function matchRequest(game, form) {
  const value = (/** @type {string} */ name) => String(form.get(name) ?? "");
  const opponent = value("opponent");
  const name = opponent === "here" ? "" : value("name").trim();
  saveName(name || loadName());
  const player = { computer: value("level"), friend: "open", here: "human" }[opponent] ?? "";
  const first = /** @type {MatchRequest["first"]} */ (value("first"));
  return {
    game: game.id,
    options: changedOptions(game, form),
    seats: [{ player: "human", ...(name ? { name } : {}) }, { player }],
    sides: mySide(opponent, value("side")) === "O" ? "OX" : "XO",
    private: form.get("public") === null,
    show_moves: form.get("show-moves") !== null,
    rated: loadKey() === null || form.get("rated") !== null,
    ...(first ? { first } : {}),
    ...(placeIn(form) === "server" ? clockRequest(value("clock")) : {}),
  };
}

/** @param {string} opponent @param {string} side X, O or any */
function mySide(opponent, side) {
  if (opponent === "here") return "X";
  return side === "any" ? (Math.random() < 0.5 ? "X" : "O") : side;
}

/** The options that differ from their defaults. @param {Game} game @param {FormData} form */
function changedOptions(game, form) {
  const chosen = game.options.map(({ name }) => [name, form.get(`option-${name}`)]);
  const usual = Object.fromEntries(game.options.map((option) => [option.name, option.default]));
  return Object.fromEntries(chosen.filter(([name, value]) => value && value !== usual[String(name)]));
}
