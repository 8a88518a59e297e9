/**
 * What this device may play: seat tokens, invitations and watch secrets, kept per match. No DOM.
 *
 * @typedef {object} Joining a join that was begun: until it is answered, it is repeated under the same request
 * @property {string} request
 * @property {string} [invitation]
 * @property {string} [code]
 * @property {string} [name]
 *
 * @typedef {object} Kept
 * @property {Record<string, string>} seats token by seat
 * @property {Record<string, string>} invite path of the link that invites, by seat
 * @property {string | null} watch secret of a private match
 * @property {string | null} invitation secret that gives a seat to whoever joins with it
 * @property {Joining | null} joining
 * @property {string} game
 * @property {string} title
 * @property {boolean} ended
 * @property {boolean} moved whether a seat of it was carried to another device
 * @property {boolean} missing whether the server did not know it when it was asked last
 * @property {number} at when it was kept
 */

const PREFIX = "ninefold:match:";
const MOST = 60;

/** @type {Map<string, string>} what the browser would not store: it lives as long as its page */
const memory = new Map();

/** @returns {Storage | null} */
function storage() {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null; // forbidden here
  }
}

/** @param {string} key */
function read(key) {
  return memory.get(key) ?? storage()?.getItem(key) ?? null;
}

/**
 * @param {string} key
 * @param {string} value
 * @returns {boolean} whether it outlives the page
 */
function write(key, value) {
  memory.set(key, value);
  try {
    storage()?.setItem(key, value);
  } catch {
    return false; // full
  }
  return storage() !== null && memory.delete(key);
}

/**
 * @param {string} match
 * @returns {Kept}
 */
export function kept(match) {
  const unknown = { watch: null, invitation: null, joining: null, game: "", title: "" };
  const empty = { seats: {}, invite: {}, ...unknown, ended: false, moved: false, missing: false, at: 0 };
  try {
    return { ...empty, ...JSON.parse(read(PREFIX + match) ?? "{}") };
  } catch {
    return empty;
  }
}

/**
 * Keep more about a match; what is known already stays.
 *
 * @param {string} match
 * @param {Partial<Kept>} more
 * @returns {boolean} whether it outlives the page
 */
export function keep(match, more) {
  const lasts = note(match, { at: Date.now(), ...more });
  for (const old of everything().slice(MOST)) if (old.match !== match) forget(old.match);
  return lasts;
}

/**
 * Write down what became of a match. It is no newer for that.
 *
 * @param {string} match
 * @param {Partial<Kept>} more
 */
export function note(match, more) {
  const known = kept(match);
  const seats = { ...known.seats, ...more.seats };
  const invite = { ...known.invite, ...more.invite };
  return write(PREFIX + match, JSON.stringify({ ...known, ...more, seats, invite }));
}

/**
 * What opens a match opens its rematch.
 *
 * @param {string} match
 * @param {string} rematch
 */
export function keepRematch(match, rematch) {
  const { seats, watch, game, title } = kept(match);
  if (watch || Object.keys(seats).length) keep(rematch, { seats, watch, game, title });
}

/**
 * A seat that is played elsewhere now.
 *
 * @param {string} match
 * @param {number} seat
 */
export function giveUp(match, seat) {
  const { [seat]: gone, ...seats } = kept(match).seats;
  write(PREFIX + match, JSON.stringify({ ...kept(match), seats, moved: true }));
}

/** Only for want of room. @param {string} match */
function forget(match) {
  memory.delete(PREFIX + match);
  storage()?.removeItem(PREFIX + match);
}

/** How dear a match is: one that is played, one that is over or lost, one that is only watched. @param {Kept} match */
function worth({ seats, invitation, joining, ended, missing }) {
  if (!Object.keys(seats).length && !invitation && !joining) return 0;
  return ended || missing ? 1 : 2;
}

/** Every match kept on this device, the dearest and then the newest first. */
function everything() {
  const place = storage();
  const stored = Array.from({ length: place?.length ?? 0 }, (_, n) => place?.key(n) ?? "");
  return [...new Set([...stored, ...memory.keys()])]
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => ({ match: key.slice(PREFIX.length), ...kept(key.slice(PREFIX.length)) }))
    .sort((one, other) => worth(other) - worth(one) || other.at - one.at);
}

/**
 * The matches in which this device has a seat, newest first.
 *
 * @returns {({match: string} & Kept)[]}
 */
export function mine() {
  return everything()
    .filter(({ seats }) => Object.keys(seats).length)
    .sort((one, other) => other.at - one.at);
}

/** The name this device's player gave last. */
export function lastName() {
  return read("ninefold:name") ?? "";
}

/** @param {string} name */
export function rememberName(name) {
  write("ninefold:name", name);
}
