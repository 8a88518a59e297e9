/** Making elements, finding them, speaking and copying. Text is always set as text, never as markup. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Properties
 * @typedef {Node | string | number | null | undefined | false} Child
 */

/**
 * An element: attributes by name, listeners as "onclick", true for an attribute without a value.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Properties} [properties]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  dress(element, properties);
  element.append(...present(children));
  return element;
}

/**
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Properties} [properties]
 * @param {...(Child | Child[])} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function drawn(tag, properties = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  dress(element, properties);
  element.append(...present(children));
  return element;
}

/**
 * @param {Element} element
 * @param {Properties} properties
 */
export function dress(element, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value === false || value === null || value === undefined) element.removeAttribute(name);
    else element.setAttribute(name, String(value));
  }
}

/** @param {(Child | Child[])[]} children */
function present(children) {
  const given = children.flat().filter((child) => child !== null && child !== undefined && child !== false);
  return given.map((child) => (typeof child === "number" ? String(child) : /** @type {Node | string} */ (child)));
}

/**
 * An element of the page that is there by its id.
 *
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @returns {T}
 */
export function part(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page has no #${id}.`);
  return /** @type {T} */ (found);
}

/**
 * Put children in the place of those that are there, unless they look the same. Whoever had the keyboard keeps it, and
 * where its place is gone it comes to the board.
 *
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function fill(element, ...children) {
  const next = document.createElement("div");
  next.append(...present(children));
  if (next.innerHTML === element.innerHTML) return;
  const active = element.contains(document.activeElement) ? document.activeElement : null;
  const visible = active?.matches(":focus-visible");
  const written = [...element.querySelectorAll("input")].map((input) => [input.dataset.key ?? "", input.value]);
  element.replaceChildren(...next.childNodes);
  for (const [key, value] of written) {
    const input = byKey(element, key);
    if (input instanceof HTMLInputElement) input.value = value;
  }
  if (!active) return;
  const again = byKey(element, active.getAttribute("data-key") ?? "");
  if (again) again.focus();
  else if (visible) document.getElementById("board")?.focus();
}

/**
 * @param {Element} element
 * @param {string} key
 * @returns {HTMLElement | null}
 */
function byKey(element, key) {
  return element.querySelector(`[data-key="${key}"]`);
}

/**
 * Say something to those who listen; the same sentence twice is said twice.
 *
 * @param {string} text
 */
export function say(text) {
  const region = document.getElementById("speech");
  if (!region || !text) return;
  if (region.childElementCount > 4) region.firstElementChild?.remove();
  region.append(make("p", {}, text));
}

/**
 * @param {string} text
 * @returns {Promise<boolean>} whether it was copied
 */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelecting(text); // there is no clipboard at plain http addresses of the local network
  }
}

/** @param {string} text */
function copyBySelecting(text) {
  const before = document.activeElement;
  const area = make("textarea", { class: "offscreen", readonly: true, "aria-hidden": "true" });
  area.value = text;
  (document.querySelector("dialog[open]") ?? document.body).append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  return copied;
}

/**
 * A button that copies a text and says so.
 *
 * @param {string} label
 * @param {() => string} text
 */
export function copyButton(label, text) {
  const button = make("button", { type: "button", class: "quiet" }, label);
  button.addEventListener("click", async () => {
    const copied = await copy(text());
    button.textContent = copied ? "Copied" : "Copying failed";
    say(button.textContent);
    setTimeout(() => (button.textContent = label), 2000);
  });
  return button;
}

/** Whether things may move. */
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
