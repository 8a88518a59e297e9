/* Filters the lists of matches by the name of an agent. Without it the page lists all of them. */
"use strict";

for (const filter of document.querySelectorAll(".filter")) {
  const rows = [...filter.parentElement.querySelectorAll(".matches tbody tr")];
  filter.hidden = false;
  filter.querySelector("input").addEventListener("input", (event) => {
    const wanted = event.target.value.trim().toLowerCase();
    for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
  });
}
