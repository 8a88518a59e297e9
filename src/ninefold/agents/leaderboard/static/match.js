/* Steps through a match, one step at a time. Without it the page lists all steps. */
"use strict";

const steps = [...document.querySelectorAll(".steps > li")];
const controls = document.querySelector(".controls");
const slider = controls.querySelector("input");
const place = controls.querySelector("output");
const buttons = Object.fromEntries([...controls.querySelectorAll("button")].map((button) => [button.dataset.go, button]));
const targets = { first: () => 0, previous: () => current - 1, next: () => current + 1, last: () => steps.length - 1 };
let current = 0;

function show(number) {
  current = Math.min(Math.max(number, 0), steps.length - 1);
  steps.forEach((step, index) => { step.hidden = index !== current; });
  slider.value = String(current);
  place.textContent = `${current} of ${steps.length - 1}`;
  buttons.first.disabled = buttons.previous.disabled = current === 0;
  buttons.last.disabled = buttons.next.disabled = current === steps.length - 1;
  history.replaceState(null, "", `#step-${current}`);
}

function fromAddress() {
  const found = /^#step-(\d+)$/.exec(location.hash);
  return found ? Number(found[1]) : 0;
}

controls.addEventListener("click", (event) => {
  const go = event.target instanceof HTMLElement && event.target.dataset.go;
  if (go) show(targets[go]());
});
slider.addEventListener("input", () => show(Number(slider.value)));
addEventListener("hashchange", () => show(fromAddress()));
addEventListener("keydown", (event) => {
  const go = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" }[event.key];
  if (!go || event.target === slider || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  show(targets[go]());
});

slider.max = String(steps.length - 1);
controls.hidden = false;
document.querySelector(".keys").hidden = false;
document.querySelector(".steps").classList.add("stepping");
show(fromAddress());
