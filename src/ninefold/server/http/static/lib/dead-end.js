/** A page of a puzzle or a lesson that has nothing to show: it says why, and what to do next. */

import { ApiProblem, describeError } from "./api.js";
import { byId, html, showNotice } from "./dom.js";
import { text } from "./messages.js";

/**
 * @param {unknown} problem
 * @param {string} title what is missing
 * @param {HTMLAnchorElement} instead leads to something that is there
 */
export function showDeadEnd(problem, title, instead) {
  const isTransient = problem instanceof ApiProblem && problem.isTransient;
  const heading = isTransient ? text("page.cannot_open") : title;
  document.querySelector(".match")?.classList.add("closed");
  for (const area of document.querySelectorAll(".board-area"))
    if (area instanceof HTMLElement) area.hidden = true;
  byId("title").textContent = byId("status").textContent = heading;
  document.title = text("page.title", { title: heading });
  showNotice("");
  byId("feedback").className = "faint";
  byId("feedback").textContent = describeError(problem);
  byId("feedback").hidden = false;
  const again = html("a", { class: "strong", href: location.href }, text("match.try_again"));
  byId("actions").replaceChildren(
    isTransient ? again : instead,
    html("a", { class: "quiet", href: "/" }, text("match.all_games")),
  );
}
