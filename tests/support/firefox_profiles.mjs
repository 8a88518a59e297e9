/** What journeys with profiles have in common. */

/** Make a profile on its page; returns the link that carries the identity. */
export async function makeProfile(person, name) {
  await person.open("/profile");
  await person.fill("#begin-name", name);
  await person.press("Make a profile");
  await person.see("#title", name);
  await person.press("Show the link to my identity");
  await person.see("#key-link .notice", /^Whoever has this link is you\./);
  return person.valueOf("#key-link input");
}

/** The key in a link of identity. It is behind the #, which browsers send to no server. */
export function keyOf(link) {
  return new URL(link).hash.replace("#key=", "");
}

/** A match of its maker against whoever has the invitation. */
export function createMatch(api, link, more = {}) {
  const seats = [{ player: "human" }, { player: "open" }];
  return api("/matches", { game: "classic", seats, private: true, ...more }, keyOf(link));
}
