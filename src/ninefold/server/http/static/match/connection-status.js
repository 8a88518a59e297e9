/** Shows the state of the connection: a label in the page's header, and a bar while the connection is lost. */

import { announce, button, byId, html } from "../lib/dom.js";
import { text } from "../lib/messages.js";

const CAUGHT_UP_FOR = 4000; // milliseconds that it is shown

export class ConnectionStatus {
  /** @param {() => void} retryNow @param {boolean} [isLocal] true if the match is in this browser */
  constructor(retryNow, isLocal = false) {
    this.isLocal = isLocal;
    this.label = byId("connection");
    this.bar = byId("connection-lost");
    this.sentence = html("span", {});
    this.bar.append(this.sentence, button(text("connection.try_now"), { class: "quiet small", onclick: retryNow }));
    this.wasLost = false;
  }

  /** @param {import("./connection.js").ConnectionState} state */
  show(state) {
    clearTimeout(this.timer);
    clearInterval(this.countdown);
    this.label.dataset.state = state.name;
    this.label.textContent = text(this.isLocal ? "connection.local" : `connection.${state.name}`);
    this.bar.hidden = state.name !== "lost";
    if (state.name === "lost") this.#showLost(state.retryIn ?? 0);
    if (state.name === "caught-up") this.#showCaughtUp(state.missed ?? 0);
  }

  /** @param {number} retryIn */
  #showLost(retryIn) {
    if (!this.wasLost) announce(text("connection.announce_lost"));
    this.wasLost = true;
    const until = Date.now() + retryIn;
    const count = () => {
      const seconds = Math.ceil((until - Date.now()) / 1000);
      this.sentence.textContent =
        seconds > 0 ? text("connection.lost_retry_in", { seconds }) : text("connection.lost_retrying");
    };
    count();
    this.countdown = setInterval(count, 500);
  }

  /** @param {number} missed */
  #showCaughtUp(missed) {
    this.wasLost = false;
    const caughtUp = missed
      ? text("connection.caught_up_events", { count: missed })
      : text("connection.missed_nothing");
    this.label.textContent = caughtUp;
    announce(text("connection.announce_back", { caught_up: caughtUp }));
    this.timer = setTimeout(() => this.show({ name: "open" }), CAUGHT_UP_FOR);
  }
}
