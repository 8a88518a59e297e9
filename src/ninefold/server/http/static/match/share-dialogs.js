/** The dialogs with a link: to move a seat to another device, and to let others watch. */

import * as api from "../lib/api.js";
import { buttonRow, closeButton, dialogTitle, openDialog } from "../lib/dialog.js";
import { html } from "../lib/dom.js";
import { loadMatch } from "../lib/match-storage.js";
import { formatTime } from "../lib/language.js";
import { text } from "../lib/messages.js";
import { ShareLink } from "./share-link.js";

/**
 * @param {string} match
 * @param {string} token
 */
export async function showHandover(match, token) {
  const { code, expires_at } = await api.requestHandover(match, token);
  const time = formatTime(expires_at);
  const { watch } = loadMatch(match);
  openDialog(
    dialogTitle(text("handover.title")),
    html("p", {}, text("handover.how")),
    html("p", { class: "faint" }, text("handover.until", { time })),
    new ShareLink(`/m/${match}#code=${code}${watch ? `&watch=${watch}` : ""}`, text("handover.link")),
    buttonRow(closeButton()),
  );
}

/** @param {string} match */
export function showWatchLink(match) {
  const { watch } = loadMatch(match);
  openDialog(
    dialogTitle(text("watch.title")),
    html("p", {}, text("watch.how")),
    new ShareLink(`/m/${match}${watch ? `#watch=${watch}` : ""}`, text("watch.link")),
    buttonRow(closeButton()),
  );
}
