/**
 * Takes a seat in a match so that a lost answer does not lose the seat. No DOM.
 *
 * The request is stored before it is sent. It is repeated with the same request id, also after a reload, until the
 * server accepts or refuses it.
 *
 * @typedef {import("../lib/match-storage.js").JoinRequest} JoinRequest
 * @typedef {Omit<JoinRequest, "request">} SeatKey what gives a seat: an invitation, a code, or nothing if it is open
 */

import { ApiProblem, joinMatch, newRequestId, retry } from "../lib/api.js";
import { loadMatch, saveMatch } from "../lib/match-storage.js";
import { text } from "../lib/messages.js";

/** True if this can be a secret: a link may have been cut. @param {string} [secret] */
export const isSecret = (secret = "") => SECRET.test(secret);

const SECRET = /^[A-Za-z0-9_-]{16,64}$/;

/**
 * @param {string} match
 * @param {SeatKey} key
 * @param {(problem: ApiProblem) => void} onRetry called each time before it is sent again
 * @returns {Promise<boolean>} true if the seat outlives the page; rejected with the ApiProblem that refuses it
 */
export async function takeSeat(match, key, onRetry) {
  if (![key.invitation, key.code].every((secret) => secret === undefined || isSecret(secret))) throw damaged(match);
  const joining = { ...key, request: earlierRequestId(match, key) ?? newRequestId() };
  saveMatch(match, { joining });
  try {
    const { seat, token } = await retry(() => joinMatch(match, joining), { onRetry, tries: Infinity });
    const done = { joining: null, invitation: null, moved: false, missing: false };
    return saveMatch(match, { seats: { [seat]: token }, ...done });
  } catch (problem) {
    if (problem instanceof ApiProblem && problem.isRefusal) saveMatch(match, { joining: null, invitation: null });
    throw key.invitation || key.code ? linkProblem(problem) : problem;
  }
}

/**
 * A refusal of the secret in a link, told as what is wrong with the link: of a private match the server does not even
 * say that it exists.
 *
 * @param {unknown} problem
 */
export function linkProblem(problem) {
  if (!(problem instanceof ApiProblem)) return problem;
  const { status, reason } = problem;
  if (reason === "bad_invitation") return badLink(status, reason, text("join.opens_no_seat"));
  if (reason === "invitation_used")
    return new ApiProblem({ status, reason, detail: text("join.used"), instead: text("join.used.instead") });
  return status === 404 ? badLink(status, "opens_nothing", text("join.opens_nothing")) : problem;
}

/** @param {number} status @param {string} reason @param {string} detail */
function badLink(status, reason, detail) {
  return new ApiProblem({ status, reason, detail, instead: text("join.damaged.instead") });
}

/** The link was not copied as a whole: the server could only say that the secret has the wrong form. @param {string} match */
function damaged(match) {
  saveMatch(match, { joining: null, invitation: null });
  return badLink(403, "bad_invitation", text("join.damaged"));
}

/**
 * The request id under which the same seat was asked for before, and perhaps given.
 *
 * @param {string} match
 * @param {SeatKey} key
 */
function earlierRequestId(match, { invitation, code }) {
  const { joining } = loadMatch(match);
  return joining?.invitation === invitation && joining?.code === code ? joining?.request : undefined;
}
