/**
 * The secrets in the page's address: in the fragment (after #), which browsers do not send to the server.
 */

const NAMES = ["invite", "code", "watch", "game"];

/** @returns {{invite?: string, code?: string, watch?: string, game?: string}} */
export function readSecrets() {
  const given = new URLSearchParams(location.hash.slice(1));
  return Object.fromEntries([...given].filter(([name, value]) => NAMES.includes(name) && value));
}

export const hasSecrets = () => Object.keys(readSecrets()).length > 0;

export function clearSecrets() {
  if (hasSecrets()) history.replaceState(null, "", location.pathname + location.search);
}
