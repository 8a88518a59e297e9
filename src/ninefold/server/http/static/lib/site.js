/**
 * Where the pages of this site are: on a server, or in folders of static files under any path. No DOM is needed: without
 * a page it is a server's.
 */

/** @param {string} name of a meta element */
export function metaContent(name) {
  const found = globalThis.document?.querySelector(`meta[name="${name}"]`);
  return found?.getAttribute("content") ?? null;
}

/** The address in a meta element of the page; null if it has none. @param {string} name */
export function metaAddress(name) {
  const content = metaContent(name);
  return content === null ? null : new URL(content, document.baseURI).href;
}

/** The path of the first page. It is found once: the address of a page changes when a match is entered. */
export const FIRST_PAGE = metaContent("site") === null ? "/" : new URL(metaContent("site") ?? "/", document.baseURI).pathname;

/** False on a site of static files: matches are played in the browser. */
export const HAS_SERVER = metaContent("server") !== "none";

/** The address of a page. @param {"puzzle" | "learn" | "review"} name @param {string} [query] */
export function pageAddress(name, query = "") {
  return `${FIRST_PAGE}${name}${HAS_SERVER ? "" : "/"}${query}`;
}

/** The address of a match. @param {string} match */
export function matchAddress(match) {
  const id = encodeURIComponent(match);
  return HAS_SERVER ? `${FIRST_PAGE}m/${id}` : `${FIRST_PAGE}m/?${id}`;
}

/** The match that an address names. @param {{pathname: string, search: string}} address */
export function matchAt({ pathname, search }) {
  return decodeURIComponent(HAS_SERVER ? (pathname.split("/")[2] ?? "") : search.slice(1));
}
