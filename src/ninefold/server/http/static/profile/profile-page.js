/**
 * The page of a profile: one's own by the key of this device, at /profile, or that of somebody who shares it, at /p/ID.
 *
 * @typedef {import("../lib/types.js").Profile} Profile
 */

import { NAME_LENGTH } from "../lib/api-constants.js";
import { ApiProblem, describeError } from "../lib/api.js";
import { confirmDialog } from "../lib/dialog.js";
import { announce, byId, showNotice } from "../lib/dom.js";
import { forgetKey, keyInLink, loadKey, newKey, saveKey } from "../lib/identity.js";
import { loadName } from "../lib/match-storage.js";
import { text } from "../lib/messages.js";
import * as api from "../lib/profile-api.js";
import { startPage } from "../lib/start-page.js";
import { showManagement } from "./manage-profile.js";
import { PlayedMatches } from "./played-matches.js";
import { showStandings } from "./standings-table.js";

const SHARED = /^\/p\/([^/]+)/;

/** Runs something that the server may refuse, and says so. @param {() => Promise<unknown>} work */
async function attempt(work) {
  try {
    showNotice("");
    await work();
  } catch (problem) {
    showNotice(describeError(problem));
    announce(describeError(problem));
  }
}

/** @param {Profile} profile @param {PlayedMatches} played */
function show(profile, played) {
  byId("title").textContent = profile.name;
  document.title = text("page.title", { title: profile.name });
  byId("begin").hidden = true;
  showStandings(profile.standings);
  return played.load();
}

/** Shows the profile of this device, or how to get one. */
async function showMine() {
  const key = loadKey();
  if (!key) return showBeginning();
  const profile = await api.getProfile(key).catch((problem) => {
    if (problem.reason === "bad_key") showBeginning(); // it was deleted at another device
    throw problem;
  });
  showSections(true);
  showManagement(key, profile, { attempt, onChange: showMine, onGone: leave });
  await show(profile, new PlayedMatches((page) => api.listPlayed(key, page), true));
}

/** @param {boolean} hasProfile */
function showSections(hasProfile) {
  for (const id of ["standings", "played", "manage"]) byId(id).hidden = !hasProfile;
  byId("begin").hidden = hasProfile;
}

function showBeginning() {
  showSections(false);
  byId("title").textContent = text("profile.page");
  const field = /** @type {HTMLInputElement} */ (byId("begin-name"));
  field.maxLength = NAME_LENGTH;
  field.value = loadName();
}

/** This device is nobody's any more. */
async function leave() {
  forgetKey();
  await showMine();
}

async function begin() {
  const key = newKey();
  const { name } = await api.saveProfile(key, { name: /** @type {HTMLInputElement} */ (byId("begin-name")).value });
  await useKey(key, name);
}

/**
 * Asks whether this device is to be that of another profile: the link may have come from anybody. What the page has shown
 * stays, also if the link is damaged or opens nothing.
 *
 * @param {string} link
 */
async function offerKey(link) {
  if (byId("begin").hidden && byId("manage").hidden) await attempt(showMine);
  const key = keyInLink(link);
  if (!key) throw new ApiProblem({ detail: text("profile.import.damaged") });
  if (key !== loadKey()) await askToUse(key);
  history.replaceState(null, "", location.pathname); // not before: a link that could not be checked can be opened again
}

/** @param {string} key */
async function askToUse(key) {
  const { name } = await api.getProfile(key);
  const consequence = text(loadKey() ? "profile.import.replaces" : "profile.import.consequence", { name });
  confirmDialog(text("profile.import.title", { name }), consequence, text("profile.use"), () => attempt(() => useKey(key, name)));
}

/** @param {string} key @param {string} name */
async function useKey(key, name) {
  forgetKey();
  const lasts = saveKey(key, name);
  await showMine();
  if (!lasts) showNotice(text("profile.not_stored"));
}

/** @param {string} id @param {() => Promise<unknown>} work */
function onSubmit(id, work) {
  byId(id).addEventListener("submit", (event) => {
    event.preventDefault();
    void attempt(work);
  });
}

function open() {
  const shared = SHARED.exec(location.pathname);
  if (shared)
    return attempt(async () =>
      show(await api.getSharedProfile(shared[1]), new PlayedMatches((page) => api.listSharedPlayed(shared[1], page), false)),
    );
  onSubmit("begin-form", begin);
  onSubmit("import-form", () => offerKey(/** @type {HTMLInputElement} */ (byId("import-link")).value));
  addEventListener("hashchange", () => location.hash && void attempt(() => offerKey(location.hash)));
  return attempt(async () => {
    if (location.hash) await offerKey(location.hash);
    else await showMine();
  });
}

startPage();
void open();
