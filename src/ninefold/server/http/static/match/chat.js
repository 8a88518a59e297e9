/**
 * What was said. Words of others are shown as text, never as markup.
 *
 * @typedef {import("../lib/types.js").View} View
 */

import { make, part } from "../lib/dom.js";
import { nameOfSeat } from "./announcer.js";

export class Talk {
  /** @param {(text: string) => Promise<unknown>} send */
  constructor(send) {
    this.list = part("said");
    this.form = /** @type {HTMLFormElement} */ (part("say"));
    this.field = /** @type {HTMLInputElement} */ (part("say-text"));
    this.shown = "";
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      const text = this.field.value.trim();
      if (!text) return;
      this.field.value = "";
      send(text).catch(() => (this.field.value ||= text));
    });
  }

  /**
   * Only what is new is added, so that it alone is read out.
   *
   * @param {View} view
   * @param {number[]} mine
   */
  show(view, mine) {
    part("talk").hidden = (!mine.length || mine.length > 1) && !view.said.length;
    this.form.hidden = mine.length !== 1;
    const last = view.said.findLastIndex((said) => keyOf(said) === this.shown);
    for (const said of view.said.slice(last + 1)) {
      const seat = view.seats[said.seat - 1];
      const line = make("li", {}, make("b", {}, `${nameOfSeat(seat)} (${seat.side}): `), make("span", {}, said.text));
      this.list.append(line);
      this.list.scrollTop = this.list.scrollHeight;
    }
    const newest = view.said.at(-1);
    if (newest) this.shown = keyOf(newest);
  }
}

/** @param {{seat: number, text: string, at: number}} said */
function keyOf({ seat, text, at }) {
  return `${at} ${seat} ${text}`;
}
