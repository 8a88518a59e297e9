/**
 * The part of the server's HTTP API that is about profiles, and about players who are not to meet. No DOM.
 *
 * @typedef {import("./types.js").Blocks} Blocks
 * @typedef {import("./types.js").PlayedList} PlayedList
 * @typedef {import("./types.js").PlayedMatch} PlayedMatch
 * @typedef {import("./types.js").Profile} Profile
 * @typedef {import("./types.js").ProfileRequest} ProfileRequest
 * @typedef {import("./types.js").PlayerReport} PlayerReport
 */

import { matchPath, request, send } from "./api.js";

/** @param {string} key @returns {Promise<Profile>} */
export const getProfile = (key) => request("GET", "/profile", { token: key });

/** Makes the profile of a key, or changes it. @param {string} key @param {ProfileRequest} body @returns {Promise<Profile>} */
export const saveProfile = (key, body) => request("PUT", "/profile", { token: key, body });

/** @param {string} key @returns {Promise<unknown>} */
export const deleteProfile = (key) => request("DELETE", "/profile", { token: key });

/** A profile that its owner shares. @param {string} id @returns {Promise<Profile>} */
export const getSharedProfile = (id) => request("GET", `/profiles/${encodeURIComponent(id)}`, {});

/**
 * @param {string} key
 * @param {{limit: number, before?: string | null, running?: boolean}} page
 * @returns {Promise<PlayedList>}
 */
export const listPlayed = (key, page) => request("GET", `/profile/matches?${query(page)}`, { token: key });

/**
 * @param {string} id
 * @param {{limit: number, before?: string | null}} page
 * @returns {Promise<PlayedList>}
 */
export const listSharedPlayed = (id, page) => request("GET", `/profiles/${encodeURIComponent(id)}/matches?${query(page)}`, {});

/** @param {{limit: number, before?: string | null, running?: boolean}} page */
function query({ limit, before, running }) {
  const given = { limit: String(limit), ...(before ? { before } : {}), ...(running ? { running: "true" } : {}) };
  return new URLSearchParams(given);
}

/** One's own match, with the rating before and after it. @param {string} key @param {string} match @returns {Promise<PlayedMatch>} */
export const getPlayed = (key, match) => request("GET", `/profile${matchPath(match)}`, { token: key });

/** All that the server has stored about a profile, as one file. @param {string} key */
export const exportProfile = async (key) => (await send("GET", "/profile/export", { token: key })).blob();

/** @param {string} key @returns {Promise<Blocks>} */
export const listBlocks = (key) => request("GET", "/profile/blocks", { token: key });

/** Blocks the opponent of a match. @param {string} key @param {string} match @returns {Promise<Blocks>} */
export const blockOpponent = (key, match) => request("POST", "/profile/blocks", { token: key, body: { match } });

/** @param {string} key @param {string} id @returns {Promise<Blocks>} */
export const unblock = (key, id) => request("DELETE", `/profile/blocks/${encodeURIComponent(id)}`, { token: key });

/**
 * Tells the operator of the server about the opponent of a match.
 *
 * @param {string} match
 * @param {string} token
 * @param {PlayerReport} body
 * @returns {Promise<unknown>}
 */
export const reportPlayer = (match, token, body) => request("POST", `${matchPath(match)}/reports`, { token, body });
