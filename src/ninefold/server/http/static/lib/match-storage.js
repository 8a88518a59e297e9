/**
 * What this device knows about its matches, in the browser's storage: seat tokens, invitations, watch secrets. No DOM.
 *
 * @typedef {object} JoinRequest a join that was begun; until it is answered, it is repeated with the same request id
 * @property {string} request
 * @property {string} [invitation]
 * @property {string} [code]
 * @property {string} [name]
 *
 * @typedef {object} StoredMatch
 * @property {Record<string, string>} seats token by seat
 * @property {Record<string, string>} invite path of the invitation link, by seat
 * @property {string | null} watch secret that opens a private match to spectators
 * @property {string | null} invitation secret with which a seat can be taken
 * @property {JoinRequest | null} joining
 * @property {string} game
 * @property {string} title
 * @property {boolean} ended
 * @property {boolean} moved true if a seat was moved to another device
 * @property {boolean} missing true if the server did not know the match when it was last asked
 * @property {boolean} [blocked] true if the other player was blocked here
 * @property {string} [rematchOf] the match before it
 * @property {number} [soughtAt] when an opponent was asked for who is found by the server
 * @property {number} at when it was stored
 */

const PREFIX = "ninefold:match:";
const NAME = "ninefold:name";
const MOST_MATCHES = 60;

/** @type {Map<string, string>} what the browser would not store: it lasts as long as the page */
const memory = new Map();

/** @returns {Storage | null} */
function storage() {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null; // forbidden here
  }
}

/** Reads an entry of the browser's storage; null if there is none. @param {string} key */
export function read(key) {
  return memory.get(key) ?? storage()?.getItem(key) ?? null;
}

/**
 * @param {string} key
 * @param {string} value
 * @returns {boolean} true if it outlives the page
 */
export function write(key, value) {
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
 * @returns {StoredMatch}
 */
export function loadMatch(match) {
  const unknown = { watch: null, invitation: null, joining: null, game: "", title: "" };
  const empty = { seats: {}, invite: {}, ...unknown, ended: false, moved: false, missing: false, at: 0 };
  try {
    return { ...empty, ...JSON.parse(read(PREFIX + match) ?? "{}") };
  } catch {
    return empty;
  }
}

/**
 * Stores changes of a match as the newest one, and removes the least important match if there are too many.
 *
 * @param {string} match
 * @param {Partial<StoredMatch>} changes
 * @returns {boolean} true if it outlives the page
 */
export function saveMatch(match, changes) {
  const lasts = updateMatch(match, { at: Date.now(), ...changes });
  for (const old of allMatches().slice(MOST_MATCHES)) if (old.match !== match) forgetMatch(old.match);
  return lasts;
}

/**
 * Stores changes of a match without making it newer. Seats and invitations are added to those that are there.
 *
 * @param {string} match
 * @param {Partial<StoredMatch>} changes
 */
export function updateMatch(match, changes) {
  const known = loadMatch(match);
  const seats = { ...known.seats, ...changes.seats };
  const invite = { ...known.invite, ...changes.invite };
  return write(PREFIX + match, JSON.stringify({ ...known, ...changes, seats, invite }));
}

/**
 * Stores the secrets of a match for its rematch: they open both.
 *
 * @param {string} match
 * @param {string} rematch
 */
export function saveRematch(match, rematch) {
  const { seats, watch, game, title } = loadMatch(match);
  if (watch || Object.keys(seats).length) saveMatch(rematch, { seats, watch, game, title, rematchOf: match });
}

/**
 * Removes a seat that was moved to another device.
 *
 * @param {string} match
 * @param {number} seat
 */
export function removeSeat(match, seat) {
  const { [seat]: _, ...seats } = loadMatch(match).seats;
  write(PREFIX + match, JSON.stringify({ ...loadMatch(match), seats, moved: true }));
}

/** Removes the seats that a secret opens, from all matches. @param {string} token */
export function forgetToken(token) {
  for (const { match, seats } of allMatches()) {
    const others = Object.entries(seats).filter(([, one]) => one !== token);
    if (others.length === Object.keys(seats).length) continue;
    write(PREFIX + match, JSON.stringify({ ...loadMatch(match), seats: Object.fromEntries(others) }));
  }
}

/** Removes all that is known about a match. @param {string} match */
export function forgetMatch(match) {
  memory.delete(PREFIX + match);
  storage()?.removeItem(PREFIX + match);
}

/** 2 if this device plays, 1 if the match is over or missing, 0 if it is only watched. @param {StoredMatch} match */
function importance({ seats, invitation, joining, ended, missing }) {
  if (!Object.keys(seats).length && !invitation && !joining) return 0;
  return ended || missing ? 1 : 2;
}

/** All stored matches, the most important and then the newest first. */
function allMatches() {
  const place = storage();
  const stored = Array.from({ length: place?.length ?? 0 }, (_, index) => place?.key(index) ?? "");
  return [...new Set([...stored, ...memory.keys()])]
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => ({ match: key.slice(PREFIX.length), ...loadMatch(key.slice(PREFIX.length)) }))
    .sort((one, other) => importance(other) - importance(one) || other.at - one.at);
}

/**
 * The matches in which this device has a seat, the newest first.
 *
 * @returns {({match: string} & StoredMatch)[]}
 */
export function playedMatches() {
  return allMatches()
    .filter(({ seats }) => Object.keys(seats).length)
    .sort((one, other) => other.at - one.at);
}

/** The seats of a match that this device plays. @param {string} match */
export function mySeats(match) {
  return Object.keys(loadMatch(match).seats).map(Number).sort();
}

/** The token that opens a match for reading; null if none is known. @param {string} match */
export function readToken(match) {
  const { seats, watch } = loadMatch(match);
  return Object.values(seats)[0] ?? watch;
}

/** The name that was entered last on this device. */
export function loadName() {
  return read(NAME) ?? "";
}

/** @param {string} name */
export function saveName(name) {
  write(NAME, name);
}
