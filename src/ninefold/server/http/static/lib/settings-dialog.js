/**
 * The settings of this device behind the gear of every page, and the key that mutes the sounds.
 *
 * @typedef {import("./settings.js").Settings} Settings
 */

import { buttonRow, closeButton, dialogTitle, openDialog } from "./dialog.js";
import { announce, byId, html } from "./dom.js";
import { icon } from "./icons.js";
import { LANGUAGES, language } from "./language.js";
import { text } from "./messages.js";
import { loadSettings, saveSettings } from "./settings.js";
import { HAS_SERVER } from "./site.js";
import { playSound } from "./sounds.js";

const MUTE_KEY = "m";
const YEAR = 31_536_000; // seconds
const TOAST_FOR = 2500; // milliseconds
const THEMES = /** @type {const} */ (["auto", "light", "dark", "contrast"]);
const BOARDS = /** @type {const} */ (["tiles", "lines"]);

/** Makes the gear of the page and the key work. */
export function installSettings() {
  showGear();
  addEventListener("look", showGear);
  byId("settings").addEventListener("click", openSettings);
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof Element && event.target.closest("input, textarea, select, dialog");
    if (isTyping || event.key !== MUTE_KEY || event.ctrlKey || event.altKey || event.metaKey) return;
    const sound = !loadSettings().sound;
    saveSettings({ sound });
    announce(text(sound ? "settings.sound_on" : "settings.sound_off"));
    showToast(sound ? "sound" : "muted", text(sound ? "settings.sound_on" : "settings.sound_off"));
    if (sound) playSound("turn");
  });
}

/** The gear of the page; beside it a sign as long as the sounds are off. */
function showGear() {
  const isMuted = !loadSettings().sound;
  byId("settings").replaceChildren(icon("gear"), ...(isMuted ? [icon("muted")] : []));
  byId("settings").classList.toggle("is-muted", isMuted);
}

/**
 * Shows for a moment what a key has done; screen readers are told elsewhere.
 *
 * @param {"sound" | "muted"} sign
 * @param {string} words
 */
function showToast(sign, words) {
  document.querySelector(".toast")?.remove();
  const toast = html("p", { class: "toast", "aria-hidden": "true" }, icon(sign), words);
  document.body.append(toast);
  setTimeout(() => toast.remove(), TOAST_FOR);
}

function openSettings() {
  openDialog(
    dialogTitle(text("settings.title")),
    html(
      "div",
      { class: "settings" },
      languageMenu(),
      radios("theme", text("settings.theme"), THEMES.map((theme) => [theme, text(`settings.theme.${theme}`)])),
      radios("board", text("settings.board"), BOARDS.map((board) => [board, text(`settings.board.${board}`)])),
      check("labels", text("settings.labels")),
      check("threats", text("settings.threats")),
      check("sound", text("settings.sound")),
      "Notification" in globalThis && check("notify", text("settings.notify")),
    ),
    buttonRow(closeButton(), HAS_SERVER && html("a", { class: "quiet", href: "/profile" }, text("profile.page"))),
  );
}

/** The languages, each in its own words. The page is made again in the one that is chosen. */
function languageMenu() {
  const options = Object.entries(LANGUAGES).map(([value, name]) =>
    html("option", { value, lang: value, selected: value === language }, name),
  );
  const menu = html("select", { id: "settings-language" }, options);
  menu.addEventListener("change", () => {
    saveSettings({ language: menu.value });
    document.cookie = `language=${menu.value}; path=/; max-age=${YEAR}; SameSite=Lax`; // for pages that the server makes
    location.reload();
  });
  return html("div", { class: "language" }, html("label", { for: menu.id }, text("settings.language")), menu);
}

/** @param {"theme" | "board"} name @param {string} legend @param {string[][]} values with their labels */
function radios(name, legend, values) {
  const current = loadSettings()[name];
  const choices = values.map(([value, label]) => {
    const save = () => saveSettings({ [name]: value });
    return html(
      "label",
      { class: "radio" },
      html("input", { type: "radio", name, value, checked: value === current, onchange: save }),
      html("span", {}, label),
    );
  });
  return html("fieldset", {}, html("legend", {}, legend), html("div", { class: "radios" }, choices));
}

/** @param {"labels" | "threats" | "sound" | "notify"} name @param {string} label */
function check(name, label) {
  const box = html("input", { type: "checkbox", name, checked: loadSettings()[name] });
  box.addEventListener("change", async () => {
    const isAllowed = name !== "notify" || !box.checked || (await Notification.requestPermission()) === "granted";
    box.checked = box.checked && isAllowed;
    saveSettings({ [name]: box.checked });
    if (name === "sound") playSound("turn");
    sign.replaceChildren(...signOf(name));
  });
  const sign = html("span", { class: "sign" }, ...signOf(name));
  return html("label", { class: "check" }, box, label, sign);
}

/** The icon of a setting as it is now; only the sounds have one. @param {string} name */
function signOf(name) {
  return name === "sound" ? [icon(loadSettings().sound ? "sound" : "muted")] : [];
}
