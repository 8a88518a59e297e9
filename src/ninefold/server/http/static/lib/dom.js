/** Creates, finds and updates elements. Text is always set as text, never as markup. */

import { plainText, text } from "./messages.js";

const SVG = "http://www.w3.org/2000/svg";
const MAX_ANNOUNCEMENTS = 5;

/**
 * @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes
 * @typedef {Node | string | number | null | undefined | false} Child
 */

/**
 * Creates an HTML element. Attributes are given by name, listeners as "onclick", true for an attribute without value.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function html(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  element.append(...nodes(children));
  return element;
}

/**
 * Creates an SVG element.
 *
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  setAttributes(element, attributes);
  element.append(...nodes(children));
  return element;
}

/**
 * Creates a button that does not submit a form.
 *
 * @param {string} label
 * @param {Attributes} attributes
 */
export function button(label, attributes) {
  return html("button", { type: "button", ...attributes }, label);
}

/**
 * @param {Element} element
 * @param {Attributes} attributes
 */
export function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value === false || value === null || value === undefined) element.removeAttribute(name);
    else element.setAttribute(name, String(value));
  }
}

/** @param {(Child | Child[])[]} children */
function nodes(children) {
  const given = children.flat().filter((child) => child !== null && child !== undefined && child !== false);
  return given.map((child) => (typeof child === "number" ? String(child) : /** @type {Node | string} */ (child)));
}

/**
 * Finds an element of the page by its id. Throws if there is none.
 *
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @returns {T}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no #${id}.`);
  return /** @type {T} */ (found);
}

/**
 * Replaces the children of an element, unless the new ones look the same. Inputs with the same data-key keep their
 * value and the keyboard focus. If the focused element is gone, the board gets the focus.
 *
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function update(element, ...children) {
  const next = document.createElement("div");
  next.append(...nodes(children));
  if (next.innerHTML === element.innerHTML) return;
  const active = element.contains(document.activeElement) ? document.activeElement : null;
  const byKeyboard = active?.matches(":focus-visible");
  const values = [...element.querySelectorAll("input")].map((input) => [input.dataset.key ?? "", input.value]);
  element.replaceChildren(...next.childNodes);
  for (const [key, value] of values) {
    const input = byKey(element, key);
    if (input instanceof HTMLInputElement) input.value = value;
  }
  if (!active) return;
  const again = byKey(element, active.getAttribute("data-key") ?? "");
  if (again) again.focus();
  else if (byKeyboard) document.getElementById("board")?.focus();
}

/**
 * @param {Element} element
 * @param {string} key
 * @returns {HTMLElement | null}
 */
function byKey(element, key) {
  return element.querySelector(`[data-key="${key}"]`);
}

/** The attributes by which a page names its texts, and how each is set. */
const PAGE_TEXTS = /** @type {const} */ ({ label: "aria-label", placeholder: "placeholder", content: "content" });

/** Fills in the texts of the page: of elements with data-text, data-label, data-placeholder or data-content. */
export function fillTexts() {
  const title = document.querySelector("title[data-title]")?.getAttribute("data-title");
  if (title) document.title = text("page.title", { title: plainText(title) });
  for (const element of document.querySelectorAll("[data-text]"))
    element.textContent = plainText(element.getAttribute("data-text") ?? "");
  for (const [name, attribute] of Object.entries(PAGE_TEXTS))
    for (const element of document.querySelectorAll(`[data-${name}]`))
      element.setAttribute(attribute, plainText(element.getAttribute(`data-${name}`) ?? ""));
}

/**
 * Shows a notice on the page, or hides it if there is nothing to show.
 *
 * @param {string} words
 */
export function showNotice(words) {
  byId("notice").hidden = !words;
  byId("notice").textContent = words;
}

/**
 * Makes screen readers read a sentence. The same sentence twice is read twice.
 *
 * @param {string} sentence
 */
export function announce(sentence) {
  const region = document.getElementById("announcements");
  if (!region || !sentence) return;
  if (region.childElementCount >= MAX_ANNOUNCEMENTS) region.firstElementChild?.remove();
  region.append(html("p", {}, sentence));
}

/**
 * @param {string} content
 * @returns {Promise<boolean>} true if it was copied
 */
async function copyToClipboard(content) {
  try {
    await navigator.clipboard.writeText(content);
    return true;
  } catch {
    return copyBySelecting(content); // there is no clipboard at plain http addresses of the local network
  }
}

/** @param {string} content */
function copyBySelecting(content) {
  const before = document.activeElement;
  const area = html("textarea", { class: "offscreen", readonly: true, "aria-hidden": "true" });
  area.value = content;
  (document.querySelector("dialog[open]") ?? document.body).append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  return copied;
}

/**
 * Creates a button that copies something and says so.
 *
 * @param {string} label
 * @param {() => string} content
 */
export function copyButton(label, content) {
  const copying = button(label, { class: "quiet" });
  copying.addEventListener("click", async () => {
    copying.textContent = text((await copyToClipboard(content())) ? "copy.done" : "copy.failed");
    announce(copying.textContent);
    setTimeout(() => (copying.textContent = label), 2000);
  });
  return copying;
}

export const prefersReducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
