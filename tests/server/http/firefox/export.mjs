/** All data of a profile is downloaded as one file. */

import assert from "node:assert/strict";

import { journey } from "../../../support/firefox.mjs";
import { createMatch, keyOf, makeProfile } from "../../../support/firefox_profiles.mjs";

await journey(async (ann) => {
  const link = await makeProfile(ann, "Ann");
  const created = await createMatch(ann.api, link);
  await ann.api(`/matches/${created.match}/join`, { invitation: created.invitations[2] });
  await ann.api(`/matches/${created.match}/actions`, { request: "end", action: { kind: "resign" } }, keyOf(link));
  await ann.press("Export my data");
  const file = await ann.downloaded("ninefold-profile.jsonl");
  const [head, played, ...more] = file.trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual([head.profile.name, played.match.match, more], ["Ann", created.match, []]);
});
