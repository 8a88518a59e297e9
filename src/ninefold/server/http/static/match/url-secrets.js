/** The secrets of a page's address. They stand behind the #, which no server sees, until they are used or kept. */

const NAMES = ["invite", "code", "watch", "game", "public"];

/** @returns {{invite?: string, code?: string, watch?: string, game?: string, public?: string}} */
export function secrets() {
  const given = new URLSearchParams(location.hash.slice(1));
  return Object.fromEntries([...given].filter(([name, value]) => NAMES.includes(name) && value));
}

export function clearSecrets() {
  if (Object.keys(secrets()).length) history.replaceState(null, "", location.pathname + location.search);
}
