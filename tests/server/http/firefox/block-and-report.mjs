/** Another player is reported and blocked from the match, and unblocked in the profile. */

import assert from "node:assert/strict";

import { journey } from "../../../support/firefox.mjs";
import { createMatch, keyOf, makeProfile } from "../../../support/firefox_profiles.mjs";

await journey(async (ann) => {
  const ben = await ann.newPerson();
  const link = await makeProfile(ann, "Ann");
  const created = await createMatch(ann.api, await makeProfile(ben, "Ben"));
  const say = { request: "say", action: { kind: "say", text: "You are slow" } };
  await ann.api(`/matches/${created.match}/actions`, say, created.seats[1]);
  await ann.open(created.links.invite[2]);
  await ann.press("Join the game");
  await ann.see("#chat-messages", /You are slow/);

  await ann.press("More", "#more");
  await ann.press("Report player");
  await ann.see("dialog[open] legend", "What is wrong?");
  await ann.page.$eval('dialog[open] [value="chat"]', (choice) => choice.click());
  await ann.fill("#report-text", "rude");
  await ann.press("Send the report", "dialog[open]");
  await ann.see("#notice", "The operator of this server was told.");

  await ann.press("Block player");
  await ann.press("Block player", "dialog[open]");
  await ann.see("#notice", "Ben is blocked.");
  assert.equal(await ann.page.$("#chat-messages li"), null, "what Ben has said is hidden");
  const { blocks } = await ann.api("/profile/blocks", undefined, keyOf(link));
  assert.deepEqual(blocks.map(({ name }) => name), ["Ben"]);

  await ann.open("/profile");
  await ann.press("Unblock Ben");
  await ann.see("#blocks-none", "You block nobody.");
});
