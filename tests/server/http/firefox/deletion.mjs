/** A deleted profile leaves nothing in the browser and nothing on the server but "deleted" in the games of others. */

import assert from "node:assert/strict";

import { journey } from "../../../support/firefox.mjs";
import { createMatch, keyOf, makeProfile } from "../../../support/firefox_profiles.mjs";

await journey(async (ann) => {
  const ben = await ann.newPerson();
  const link = await makeProfile(ann, "Ann");
  const created = await createMatch(ann.api, link, { private: false });
  await ben.open(created.links.invite[2]);
  await ben.press("Join the game");
  await ben.see("#far", /Ann/);
  await ann.api(`/matches/${created.match}/actions`, { request: "end", action: { kind: "resign" } }, keyOf(link));

  await ann.page.$eval("#shared", (box) => box.click());
  await ann.see("#shared-link", /./);
  const shared = await ann.valueOf("#shared-link input");
  await ben.open(shared);
  await ben.see("#title", "Ann");

  await ann.press("Delete my profile");
  await ann.press("Delete my profile", "dialog[open]");
  await ann.see("#begin-title", "Make a profile");
  const isKept = await ann.page.evaluate((key) => Object.values(localStorage).join().includes(key), keyOf(link));
  assert.equal(isKept, false, "the key is gone");
  await assert.rejects(ann.api(`/profiles/${shared.split("/").pop()}`), /: 404 /);
  await assert.rejects(ann.api("/profile", undefined, keyOf(link)), /: 40[134] /);
  await ben.open(`/m/${created.match}`);
  await ben.see("#far", /deleted/);
});
