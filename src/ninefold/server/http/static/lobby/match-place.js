/**
 * Where a match against the computer is kept: in this browser, where the engine in the page plays it, or on the server.
 *
 * @typedef {"browser" | "server"} Place
 */

import { loadKey } from "../lib/identity.js";
import { isOffline } from "../lib/offline.js";
import { loadSettings } from "../lib/settings.js";
import { pageEngine } from "../offline/page-engine.js";

/** True if there is a choice: a server, and an engine in the page. */
export const canChoosePlace = () => !isOffline() && pageEngine() !== null;

/**
 * The place that was chosen last. Before that it is this browser, which costs the server nothing; but who has a profile
 * expects their games in its history.
 *
 * @returns {Place}
 */
export function chosenPlace() {
  if (!canChoosePlace()) return "server";
  return loadSettings().place || (loadKey() === null ? "browser" : "server");
}
