/**
 * The games as tabs above the board of the first page.
 *
 * @typedef {import("../lib/types.js").Game} Game
 */

import { button, byId } from "../lib/dom.js";
import { shortTitle } from "../lib/short-title.js";

const STEPS = { ArrowRight: 1, ArrowLeft: -1 };

/**
 * @param {Game[]} games
 * @param {Game} chosen
 * @param {(game: Game) => void} choose
 */
export function showTabs(games, chosen, choose) {
  const tabs = games.map((game) =>
    button(shortTitle(game.title), {
      role: "tab",
      "aria-label": game.title,
      "aria-controls": "board-area",
      "data-game": game.id,
      onclick: () => select(game),
    }),
  );
  /** @param {Game} game */
  function select(game) {
    markSelected(tabs, game);
    choose(game);
  }
  const list = byId("tabs");
  list.replaceChildren(...tabs);
  list.hidden = false;
  list.onkeydown = (event) => {
    const step = STEPS[/** @type {keyof typeof STEPS} */ (event.key)];
    if (!step) return;
    const at = tabs.findIndex((tab) => tab === document.activeElement);
    const next = (at + step + tabs.length) % tabs.length;
    tabs[next].focus();
    select(games[next]);
    event.preventDefault();
  };
  select(chosen);
}

/** @param {HTMLButtonElement[]} tabs @param {Game} game */
function markSelected(tabs, game) {
  for (const tab of tabs) {
    const isSelected = tab.dataset.game === game.id;
    tab.setAttribute("aria-selected", String(isSelected));
    tab.tabIndex = isSelected ? 0 : -1;
  }
}
