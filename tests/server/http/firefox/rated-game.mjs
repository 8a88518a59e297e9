/** A rated game of two people with profiles and a clock changes the ratings of both. */

import { journey } from "../../../support/firefox.mjs";
import { createMatch, makeProfile } from "../../../support/firefox_profiles.mjs";

await journey(async (ann) => {
  const ben = await ann.newPerson();
  const link = await makeProfile(ann, "Ann");
  await makeProfile(ben, "Ben");
  const { links } = await createMatch(ann.api, link, { clock: { initial_seconds: 300 } });
  await ben.open(links.invite[2]);
  await ben.see("#join", /You join as Ben\./);
  await ben.press("Join the game");
  await ben.see("#rating", "Rated game");
  await ann.open("/profile");
  await ann.see("#played-list a", "Continue");
  await ann.page.$eval("#played-list a", (link) => link.click());
  await ann.see("#rating", "Rated game");
  for (const [ply, cell] of [0, 1, 3, 4, 6].entries()) {
    const [mover, other] = ply % 2 ? [ben, ann] : [ann, ben];
    await mover.cell(cell);
    await other.see(`#history li:nth-child(${ply + 1})`);
  }
  await ann.see("#rating", /Your rating: 1500 → 1662/);
  await ben.see("#rating", /Your rating: 1500 → 1338/);
  await ben.open("/profile");
  await ben.see(".standings tbody", /1338\? ± 290/);
  await ben.see("#played-list li", /Lost/);
});
