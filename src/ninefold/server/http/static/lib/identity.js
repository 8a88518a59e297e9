/**
 * The identity of this device: the key of a profile, kept in the browser's storage. Whoever has the key is its owner. No
 * DOM.
 */

import { forgetToken, read, saveName, write } from "./match-storage.js";

const KEY = "ninefold:key";
const PATTERN = /^[A-Za-z0-9_-]{32,64}$/;
const BYTES = 32;

/** True if this can be a key: a link may have been cut. @param {string} text */
export const isKey = (text) => PATTERN.test(text);

/** The key of this device; null if it has none. */
export function loadKey() {
  const key = read(KEY) ?? "";
  return isKey(key) ? key : null;
}

/**
 * Makes this device that of a profile.
 *
 * @param {string} key
 * @param {string} name of the profile
 * @returns {boolean} true if it outlives the page
 */
export function saveKey(key, name) {
  saveName(name);
  return write(KEY, key);
}

/** Makes this device nobody's. Seats that were opened by the key are forgotten with it. */
export function forgetKey() {
  const key = loadKey();
  if (key) forgetToken(key);
  write(KEY, "");
}

/** Makes a new key, which nobody can guess. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** The path of the link that carries an identity to another device. Browsers do not send what is behind the #. @param {string} key */
export const identityPath = (key) => `/profile#key=${key}`;

/** The key in a link, or in its fragment; null if there is none. @param {string} link */
export function keyInLink(link) {
  const key = new URLSearchParams(link.split("#").pop() ?? "").get("key") ?? link.trim();
  return isKey(key) ? key : null;
}
