/**
 * Says that it is your turn to somebody who looks elsewhere: a badge on the page's icon, and a notification if wanted.
 *
 * @typedef {import("../lib/types.js").MatchView} MatchView
 */

import { isTurnOf } from "../lib/match-view.js";
import { text } from "../lib/messages.js";
import { loadSettings } from "../lib/settings.js";

/**
 * @param {MatchView | null} before
 * @param {MatchView} after
 * @param {number[]} mySeats
 */
export function showAttention(before, after, mySeats) {
  const isMine = mySeats.length === 1 && isTurnOf(after, mySeats);
  const link = document.querySelector('link[rel="icon"]');
  const plain = link?.getAttribute("href")?.replace("favicon-turn", "favicon") ?? "";
  link?.setAttribute("href", isMine ? plain.replace("favicon", "favicon-turn") : plain);
  const wasMine = before && isTurnOf(before, mySeats);
  if (isMine && !wasMine && document.hidden) notify(after);
}

/** @param {MatchView} view */
function notify({ id, title }) {
  if (!loadSettings().notify || !("Notification" in globalThis) || Notification.permission !== "granted") return;
  const notification = new Notification(text("status.your_turn"), { body: title, tag: id });
  notification.onclick = () => {
    focus();
    notification.close();
  };
}
