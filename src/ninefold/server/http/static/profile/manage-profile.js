/**
 * What the owner of a profile can do with it: name, sharing, other devices, blocked players, data, deletion.
 *
 * @typedef {import("../lib/types.js").Profile} Profile
 *
 * @typedef {object} Management
 * @property {(work: () => Promise<unknown>) => Promise<void>} attempt runs something that the server may refuse
 * @property {() => Promise<void>} onChange
 * @property {() => Promise<void>} onGone this device has no profile any more
 */

import { NAME_LENGTH } from "../lib/api-constants.js";
import { confirmDialog } from "../lib/dialog.js";
import { announce, button, byId, html, update } from "../lib/dom.js";
import { identityPath, saveKey } from "../lib/identity.js";
import { text } from "../lib/messages.js";
import * as api from "../lib/profile-api.js";
import { ShareLink } from "../match/share-link.js";

const FILE = "ninefold-profile.jsonl";

/** @param {string} key @param {Profile} profile @param {Management} page */
export function showManagement(key, profile, page) {
  const name = /** @type {HTMLInputElement} */ (byId("name"));
  const shared = /** @type {HTMLInputElement} */ (byId("shared"));
  name.value = profile.name;
  name.maxLength = NAME_LENGTH;
  shared.checked = profile.shared;
  const save = () =>
    page.attempt(async () => {
      const saved = await api.saveProfile(key, { name: name.value, shared: shared.checked });
      saveKey(key, saved.name);
      announce(text("profile.saved"));
      await page.onChange();
    });
  byId("name-form").onsubmit = (event) => (event.preventDefault(), void save());
  shared.onchange = () => void save();
  update(byId("shared-link"), profile.shared && new ShareLink(`/p/${profile.id}`, text("profile.shared.link")));
  showDevices(key, page);
  byId("export").onclick = () => void page.attempt(() => download(key));
  byId("delete").onclick = () => askToDelete(key, page);
  void page.attempt(async () => showBlocks(key, await api.listBlocks(key), page));
}

/** The link to this identity is shown only when it is wanted: whoever sees it can use it. @param {string} key @param {Management} page */
function showDevices(key, page) {
  byId("key-link").replaceChildren();
  byId("show-key").onclick = () =>
    byId("key-link").replaceChildren(
      html("p", { class: "notice" }, text("profile.device.secret")),
      new ShareLink(identityPath(key), text("profile.device.link")),
    );
  byId("sign-out").onclick = () =>
    confirmDialog(
      text("profile.sign_out.title"),
      text("profile.sign_out.consequence"),
      text("profile.sign_out"),
      () => void page.attempt(page.onGone),
    );
}

/** @param {string} key @param {import("../lib/types.js").Blocks} blocks @param {Management} page */
function showBlocks(key, { blocks }, page) {
  byId("blocks-none").hidden = blocks.length > 0;
  const rows = blocks.map(({ profile, name }) => {
    const end = () => page.attempt(async () => showBlocks(key, await api.unblock(key, profile), page));
    const label = text("profile.unblock", { name });
    return html(
      "li",
      {},
      html("span", { class: "name-and-note" }, html("span", { class: "name" }, name)),
      button(text("profile.unblock.short"), { class: "quiet small", "aria-label": label, onclick: () => void end() }),
    );
  });
  byId("blocks").replaceChildren(...rows);
}

/** @param {string} key */
async function download(key) {
  const address = URL.createObjectURL(await api.exportProfile(key));
  html("a", { href: address, download: FILE }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** @param {string} key @param {Management} page */
function askToDelete(key, page) {
  const remove = () =>
    page.attempt(async () => {
      await api.deleteProfile(key);
      announce(text("profile.deleted"));
      await page.onGone();
    });
  confirmDialog(text("profile.delete.title"), text("profile.delete.consequence"), text("profile.delete"), () => void remove());
}
