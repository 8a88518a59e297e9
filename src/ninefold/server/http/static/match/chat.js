/**
 * The chat of a match. Messages are shown as text, never as markup.
 *
 * @typedef {import("../lib/types.js").MatchView} MatchView
 */

import { MESSAGE_LENGTH } from "../lib/api-constants.js";
import { byId, html } from "../lib/dom.js";
import { seatName } from "../lib/match-view.js";
import { text } from "../lib/messages.js";

export class Chat {
  /** @param {(message: string) => Promise<unknown>} send */
  constructor(send) {
    this.list = byId("chat-messages");
    this.form = /** @type {HTMLFormElement} */ (byId("chat-form"));
    this.field = /** @type {HTMLInputElement} */ (byId("chat-text"));
    this.field.maxLength = MESSAGE_LENGTH;
    this.lastIndex = -1; // of the messages that are shown
    this.isBlocked = false;
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      const message = this.field.value.trim();
      if (!message) return;
      this.field.value = "";
      send(message).catch(() => (this.field.value ||= message));
    });
  }

  /**
   * Adds the new messages only, so that only they are read aloud.
   *
   * @param {MatchView} view
   * @param {number[]} mySeats
   * @param {boolean} [isBlocked] true if the other player was blocked: then only one's own messages are shown
   */
  show({ said, seats }, mySeats, isBlocked = false) {
    const messages = isBlocked ? said.filter(({ seat }) => mySeats.includes(seat)) : said;
    if (isBlocked && !this.isBlocked) {
      this.isBlocked = true;
      this.lastIndex = -1;
      this.list.replaceChildren();
    }
    const mayTalk = mySeats.length === 1 && seats.every(({ player }) => player !== "computer");
    byId("chat").hidden = !mayTalk && !messages.length;
    this.form.hidden = !mayTalk;
    for (const message of messages.filter(({ index }) => index > this.lastIndex)) {
      const seat = seats[message.seat - 1];
      const author = text("chat.author", { player: seatName(seat), side: seat.side });
      this.list.append(html("li", {}, html("b", {}, `${author}: `), html("span", {}, message.text)));
      this.list.scrollTop = this.list.scrollHeight;
      this.lastIndex = message.index;
    }
  }
}
