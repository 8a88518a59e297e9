/**
 * What this device may play: seat tokens, invitations and watch secrets, kept per match. No DOM.
 *
 * @typedef {object} Kept
 * @property {Record<string, string>} seats token by seat
 * @property {Record<string, string>} invite path of the link that invites, by seat
 * @property {string | null} watch secret of a private match
 * @property {string} [invitation] secret that gives a seat to whoever joins with it
 * @property {string} game
 * @property {string} title
 * @property {number} at when it was kept
 */

const PREFIX = "ninefold:match:";
const MOST = 60;

/** @returns {Storage | Map<string, string>} */
function shelf() {
  try {
    return globalThis.localStorage ?? memory;
  } catch {
    return memory; // storage is forbidden here: a seat then lives as long as its page
  }
}

/** @type {Map<string, string>} */
const memory = new Map();

/** @param {string} key */
function read(key) {
  const place = shelf();
  return place instanceof Map ? (place.get(key) ?? null) : place.getItem(key);
}

/**
 * @param {string} key
 * @param {string} value
 */
function write(key, value) {
  const place = shelf();
  try {
    if (place instanceof Map) place.set(key, value);
    else place.setItem(key, value);
  } catch {
    memory.set(key, value); // full
  }
}

/** @param {string} key */
function remove(key) {
  const place = shelf();
  if (place instanceof Map) place.delete(key);
  else place.removeItem(key);
}

/**
 * @param {string} match
 * @returns {Kept}
 */
export function kept(match) {
  const empty = { seats: {}, invite: {}, watch: null, game: "", title: "", at: 0 };
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
 */
export function keep(match, more) {
  const known = kept(match);
  const seats = { ...known.seats, ...more.seats };
  const invite = { ...known.invite, ...more.invite };
  write(PREFIX + match, JSON.stringify({ ...known, at: Date.now(), ...more, seats, invite }));
  for (const { match: old } of mine().slice(MOST)) forget(old);
}

/**
 * A seat that is played elsewhere now.
 *
 * @param {string} match
 * @param {number} seat
 */
export function giveUp(match, seat) {
  const { [seat]: gone, ...seats } = kept(match).seats;
  write(PREFIX + match, JSON.stringify({ ...kept(match), seats }));
}

/** @param {string} match */
export function forget(match) {
  remove(PREFIX + match);
}

/**
 * Every match kept on this device in which it has a seat, newest first.
 *
 * @returns {({match: string} & Kept)[]}
 */
export function mine() {
  const place = shelf();
  const keys =
    place instanceof Map ? [...place.keys()] : Array.from({ length: place.length }, (_, n) => place.key(n) ?? "");
  return keys
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => ({ match: key.slice(PREFIX.length), ...kept(key.slice(PREFIX.length)) }))
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
