/**
 * What can be chosen beside the board of the first page: the computer's level, a friend, a stranger, the same screen.
 *
 * @typedef {import("../lib/types.js").Game} Game
 * @typedef {import("../lib/types.js").MatchRequest} MatchRequest
 */

import { describeError } from "../lib/api.js";
import { announce, button, byId, html, showNotice } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import { loadName } from "../lib/match-storage.js";
import { capitalize, text, wordText } from "../lib/messages.js";
import { isOffline } from "../lib/offline.js";
import { showRules } from "../lib/rules-dialog.js";
import { loadSettings, saveSettings } from "../lib/settings.js";
import { clockChoices, clockRequest } from "../lib/clocks.js";
import { createMatch, enterMatch } from "./enter-match.js";
import { findOpponent } from "./find-opponent.js";
import { chosenLevel } from "./first-game.js";
import { openNewMatchDialog } from "./new-match-dialog.js";

/** @param {Game} game */
export function showHomeActions(game) {
  const panel = byId("home-actions");
  const rules = button(text("button.rules"), { class: "text-button", onclick: () => showRules(game) });
  panel.replaceChildren(
    html("p", { class: "about-game" }, html("strong", {}, `${game.title}. `), `${game.summary} `, rules),
    html(
      "div",
      { class: "pickers" },
      picker("level", text("lobby.computer"), game.levels.map(levelChoice), chosenLevel(game), (level) =>
        saveSettings({ levels: { ...loadSettings().levels, [game.id]: level } }),
      ),
      !isOffline() &&
        picker("clock", text("lobby.clock"), clockChoices(), loadSettings().clock, (clock) => saveSettings({ clock })),
    ),
    html(
      "div",
      { class: "opponents" },
      !isOffline() && action("friend", text("lobby.friend"), () => playFriend(game)),
      !isOffline() &&
        action("find", text("lobby.find"), async () => enterMatch(await findOpponent(game, loadSettings().clock))),
      action("here", text("lobby.here"), () => playHere(game)),
      action("options", text("lobby.options"), async () => openNewMatchDialog(game)),
    ),
  );
  panel.hidden = false;
}

/** @param {string} level @returns {string[]} with its label */
const levelChoice = (level) => [level, capitalize(wordText("level", level))];

/**
 * @param {string} name
 * @param {string} label
 * @param {string[][]} values with their labels
 * @param {string} chosen
 * @param {(value: string) => void} save
 */
function picker(name, label, values, chosen, save) {
  const options = values.map(([value, words]) => html("option", { value, selected: value === chosen }, words));
  const select = html("select", { id: `pick-${name}` }, options);
  select.addEventListener("change", () => save(select.value));
  return html("div", {}, html("label", { for: `pick-${name}` }, label), select);
}

/**
 * @param {Parameters<typeof icon>[0]} name
 * @param {string} label
 * @param {() => Promise<unknown>} run
 */
function action(name, label, run) {
  const element = html("button", { type: "button", class: "quiet", "data-key": name }, icon(name), label);
  element.addEventListener("click", async () => {
    element.disabled = true;
    try {
      await run();
    } catch (problem) {
      showNotice(describeError(problem));
      announce(describeError(problem));
    } finally {
      element.disabled = false;
    }
  });
  return element;
}

/** The link to send is the first thing on the page of the match; on a phone it is offered to other apps at once. */
async function playFriend(/** @type {Game} */ game) {
  const { match, links } = await createMatch(game, request(game, "open"));
  await enterMatch(match);
  const canShare = "share" in navigator && matchMedia("(pointer: coarse)").matches;
  const url = new URL(`${Object.values(links.invite)[0]}&game=${game.id}`, location.origin).href;
  if (canShare) await navigator.share({ title: text("invite.share", { game: game.title }), url }).catch(() => {});
}

async function playHere(/** @type {Game} */ game) {
  await enterMatch((await createMatch(game, request(game, "human"))).match);
}

/** @param {Game} game @param {"open" | "human"} opponent @returns {MatchRequest} */
function request(game, opponent) {
  const name = opponent === "open" ? loadName() : "";
  const seats = [{ player: "human", ...(name ? { name } : {}) }, { player: opponent }];
  return { game: game.id, seats, private: true, ...(isOffline() ? {} : clockRequest(loadSettings().clock)) };
}
