/** A page of a puzzle, a lesson or a review that has nothing to show: it says why, and what to do next. */

import { ApiProblem, describeError } from "./api.js";
import { byId, html, showNotice } from "./dom.js";
import { text } from "./messages.js";
import { FIRST_PAGE } from "./site.js";

/**
 * @param {unknown} problem
 * @param {string} title what is missing
 * @param {HTMLAnchorElement} instead leads to something that is there
 */
export function showDeadEnd(problem, title, instead) {
  const heading = isTransient(problem) ? text("page.cannot_open") : title;
  document.querySelector(".match")?.classList.add("closed");
  for (const area of document.querySelectorAll(".board-area"))
    if (area instanceof HTMLElement) area.hidden = true;
  byId("status").textContent = heading;
  showTitle(heading);
  showNotice("");
  byId("feedback").className = "faint";
  byId("feedback").textContent = describeError(problem);
  byId("feedback").hidden = false;
  byId("actions").replaceChildren(...whatNext(problem, instead));
}

/**
 * The same on the page of reviews, which can open something else all the same.
 *
 * @param {unknown} problem
 * @param {string} title what is missing
 * @param {HTMLAnchorElement} instead leads to something that is there
 */
export function showNoReview(problem, title, instead) {
  const heading = isTransient(problem) ? text("page.cannot_open") : title;
  showTitle(heading);
  showNotice("");
  byId("dead-end-title").textContent = heading;
  byId("dead-end-why").textContent = describeError(problem);
  byId("dead-end-next").replaceChildren(...whatNext(problem, instead));
  byId("dead-end").hidden = false;
}

/** @param {unknown} problem */
const isTransient = (problem) => problem instanceof ApiProblem && problem.isTransient;

/** @param {string} title */
function showTitle(title) {
  byId("title").textContent = title;
  document.title = text("page.title", { title });
}

/** @param {unknown} problem @param {HTMLAnchorElement} instead */
function whatNext(problem, instead) {
  const again = html("a", { class: "strong", href: location.href }, text("match.try_again"));
  return [isTransient(problem) ? again : instead, html("a", { class: "quiet", href: FIRST_PAGE }, text("match.all_games"))];
}
