/** What every page does first: its texts, its settings, the note that there is no connection, and its service worker. */

import { announce, fillTexts, html } from "./dom.js";
import { text } from "./messages.js";
import { isOffline, noteConnection } from "./offline.js";
import { installSettings } from "./settings-dialog.js";
import { HAS_SERVER, metaAddress } from "./site.js";

/** @type {HTMLElement | null} */
let note = null;

export function startPage() {
  fillTexts();
  installSettings();
  addEventListener("connectivity", showConnectivity);
  addEventListener("offline", () => noteConnection(true));
  if (!navigator.onLine) noteConnection(true);
  showConnectivity();
  if (document.readyState === "complete") register();
  else addEventListener("load", register);
}

/** Says plainly when there is no connection, and what works all the same. */
function showConnectivity() {
  const isShown = HAS_SERVER && isOffline();
  if (isShown && !note) {
    note = html("aside", { class: "offline-note" }, html("p", {}, text("offline.note")));
    document.querySelector("header")?.after(note);
    announce(text("offline.note"));
  } else if (!isShown && note) {
    note.remove();
    note = null;
    announce(text("offline.back"));
  }
}

/** The service worker keeps the pages, so that they open without a server. It is not needed to play. */
function register() {
  const address = metaAddress("service-worker");
  if (!address || !("serviceWorker" in navigator)) return;
  navigator.serviceWorker.register(address, { updateViaCache: "none" }).catch(() => {}); // forbidden, or no secure address
}
