/** The static site, on a plain web server under a path: play, analysis, lesson and puzzle, and nothing asked of anybody else. */

import assert from "node:assert/strict";

import { journey } from "../../../support/firefox.mjs";

await journey(async ({ open, press, cell, see, requests, makeSite, stopServer }) => {
  const site = await makeSite();
  await stopServer(); // nobody needs it
  const asked = requests();
  await open(site);
  await press("Tic-Tac-Toe Squared");
  await cell(40);
  await see("#history li:nth-child(2)");
  await press("Resign");
  await press("Resign", "dialog[open]");
  await press("Review");
  await see("#move-values li");
  await open(site);
  await see("#saved-list li");
  await press("Learn");
  await see("#step", /1/);
  await open(`${site}puzzle/?id=classic-1`);
  await see("#about", /You play X\./);
  assert.deepEqual(asked.filter((url) => url.startsWith("http") && !url.startsWith(site)), []);
});
