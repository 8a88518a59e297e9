/** An identity without a password is carried to a second device by its link, and goes on playing there. */

import assert from "node:assert/strict";

import { journey } from "../../../support/firefox.mjs";
import { createMatch, keyOf, makeProfile } from "../../../support/firefox_profiles.mjs";

await journey(async (ann) => {
  const link = await makeProfile(ann, "Ann");
  await ann.see('#key-link svg[aria-label="QR code: Link to my identity"]', /^/);
  const { match, invitations } = await createMatch(ann.api, link);
  await ann.api(`/matches/${match}/join`, { invitation: invitations[2] });

  const phone = await ann.newPerson();
  const asked = phone.requests();
  await phone.open(link);
  await phone.see("dialog[open]", /You will play as Ann here\./);
  assert.equal(await phone.page.evaluate((key) => Object.values(localStorage).join().includes(key), keyOf(link)), false);
  await phone.press("Use on this device", "dialog[open]");
  await phone.see("#title", "Ann");
  assert.ok(!phone.page.url().includes("#"), "the key does not stay in the address");
  assert.ok(!asked.some((url) => url.replace(/#.*/, "").includes(keyOf(link))), "no address that is sent has the key");

  await phone.see("#played-list a", "Continue");
  await phone.page.$eval("#played-list a", (link) => link.click());
  await phone.cell(4);
  await phone.see("#history li:nth-child(1)");

  await phone.open("/profile");
  await phone.press("Forget on this device");
  await phone.press("Forget on this device", "dialog[open]");
  await phone.see("#begin-title", "Make a profile");
  await ann.page.reload();
  await ann.see("#title", "Ann"); // the first device still has it
  await ann.see("#played-list a", "Continue");
  await ann.page.$eval("#played-list a", (link) => link.click());
  await ann.see("#history li:nth-child(1)"); // and the move that was made on the phone
});
