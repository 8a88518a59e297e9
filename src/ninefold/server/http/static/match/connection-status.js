/** The state of the connection, always in sight: a pill in the head of the page, and a bar while it is lost. */

import { make, part, say } from "../lib/dom.js";

const WORDS = {
  connecting: "Connecting …",
  open: "Connected",
  lost: "Reconnecting …",
  "caught-up": "Caught up",
  refused: "Not connected",
  closed: "Not connected",
};

export class LinkState {
  /** @param {() => void} retry */
  constructor(retry) {
    this.pill = part("connection");
    this.bar = part("lost");
    this.words = make("span", {});
    this.bar.append(this.words, make("button", { type: "button", class: "quiet small", onclick: retry }, "Try now"));
    this.wasLost = false;
  }

  /** @param {import("./connection.js").State} state */
  show(state) {
    clearTimeout(this.timer);
    clearInterval(this.counter);
    this.pill.dataset.state = state.name;
    this.pill.textContent = WORDS[state.name];
    this.bar.hidden = state.name !== "lost";
    if (state.name === "lost") this.#lost(state.retryIn ?? 0);
    if (state.name === "caught-up") this.#caughtUp(state.missed ?? 0);
  }

  /** @param {number} retryIn */
  #lost(retryIn) {
    if (!this.wasLost) say("Connection lost. Reconnecting.");
    this.wasLost = true;
    const until = Date.now() + retryIn;
    const count = () => {
      const seconds = Math.ceil((until - Date.now()) / 1000);
      const again = seconds > 0 ? `Trying again in ${seconds} s.` : "Trying again now …";
      this.words.textContent = `Connection lost. What you do is kept and sent when it is back. ${again}`;
    };
    count();
    this.counter = setInterval(count, 500);
  }

  /** @param {number} missed */
  #caughtUp(missed) {
    this.wasLost = false;
    const news = missed
      ? `Caught up: ${missed} new ${missed === 1 ? "event" : "events"}`
      : "Caught up: nothing was missed";
    this.pill.textContent = news;
    say(`Connected again. ${news}.`);
    this.timer = setTimeout(() => this.show({ name: "open" }), 4000);
  }
}
