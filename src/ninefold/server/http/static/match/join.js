/**
 * Taking a seat, so that no lost answer loses it: the wish is kept before it is sent, and sent again under the same
 * request, also after a reload, until the server has said yes or no. No DOM.
 *
 * @typedef {import("../lib/match-storage.js").Joining} Joining
 */

import { Problem, insist, join, newRequest, view } from "../lib/api.js";
import { keep, kept } from "../lib/match-storage.js";

/**
 * @param {string} match
 * @param {Omit<Joining, "request">} wish
 * @param {(problem: Problem) => void} troubled what to do each time before it is sent again
 * @returns {Promise<boolean>} whether the seat outlives the page; rejected with the Problem that says no
 */
export async function take(match, wish, troubled) {
  const joining = { ...wish, request: begun(match, wish) ?? newRequest() };
  keep(match, { joining });
  try {
    const { seat, token } = await insist(() => join(match, joining), { troubled, tries: Infinity });
    return keep(match, { seats: { [seat]: token }, joining: null, invitation: null, moved: false, missing: false });
  } catch (problem) {
    if (problem instanceof Problem && problem.definite) keep(match, { joining: null, invitation: null });
    throw problem;
  }
}

/**
 * Whether an invitation comes too late; then it is forgotten.
 *
 * @param {string} match that is public: a private one tells nobody
 */
export async function isTaken(match) {
  const { seats } = await view(match, null);
  const taken = seats.every(({ player }) => player !== "open");
  if (taken) keep(match, { joining: null, invitation: null });
  return taken;
}

/**
 * The request under which the same was asked before, and perhaps granted.
 *
 * @param {string} match
 * @param {Omit<Joining, "request">} wish
 */
function begun(match, { invitation, code }) {
  const { joining } = kept(match);
  return joining?.invitation === invitation && joining?.code === code ? joining?.request : undefined;
}
