/**
 * A journey in Firefox, which firefox.py starts: it opens a page of a server, and fails if a condition does not come
 * true or the page reports an error.
 *
 *     await journey(async ({ page, press, see }) => {
 *       await page.goto("/");
 *       await press("Rules");
 *       await see("dialog h2", /Rules/);
 *     });
 */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const { DOWNLOADS, FIREFOX, PUPPETEER, SERVER } = process.env;
const PATIENCE = 60_000; // milliseconds, for machines that are busy
// What Firefox reports if somebody leaves a page while its service worker is answering.
const LEFT_EARLY = /A ServiceWorker intercepted the request and encountered an unexpected error/;

const answers = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

/** Ask the test to "stop" or "start" the server, or for the address of a static "site". */
async function ask(what) {
  console.log(JSON.stringify({ ask: what }));
  return JSON.parse((await answers.next()).value);
}

/** Wait for a condition. The page may be on its way to another one: then nothing is found yet. */
async function until(what, holds) {
  for (const end = Date.now() + PATIENCE; ; await new Promise((done) => setTimeout(done, 50))) {
    const problem = await holds().then((found) => (found ? null : "not there"), String);
    if (!problem) return;
    if (Date.now() > end) throw new Error(`Nobody has seen ${what}: ${problem}.`);
  }
}

/** Runs in the page. */
function findByName(name, within) {
  const pressable = [...document.querySelectorAll(`${within} :is(button, a, summary, [role="tab"])`)];
  const nameOf = (element) => (element.ariaLabel ?? element.textContent).trim();
  return pressable.find((element) => nameOf(element) === name && element.checkVisibility() && !element.disabled) ?? null;
}

/** Runs in the page. */
function textsOf(selector) {
  const visible = [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());
  return visible.map((element) => element.textContent.trim());
}

/** Runs in the page. */
function wordsOnPage() {
  const found = [document.title];
  for (const element of document.querySelectorAll("body, body *")) {
    if (!element.checkVisibility({ visibilityProperty: true }) || element.closest("noscript, script")) continue;
    for (const node of element.childNodes) if (node.nodeType === Node.TEXT_NODE) found.push(node.textContent.trim());
    for (const name of ["aria-label", "aria-valuetext", "placeholder", "title", "alt"]) found.push(element.getAttribute(name) ?? "");
  }
  return found.filter((words) => /\p{L}{2}/u.test(words));
}

/** Somebody with a browser of their own. */
class Person {
  constructor(context, page, errors) {
    Object.assign(this, { context, page, errors });
    for (const name of ["open", "press", "cell", "see", "fill", "valueOf", "readPage", "requests"]) this[name] = this[name].bind(this);
  }

  /** Open a page by its path, or by a whole address. */
  open(path) {
    return this.page.goto(new URL(path, SERVER).href, { timeout: PATIENCE });
  }

  /**
   * Press a button, link or tab by its name, perhaps only within an element. (Puppeteer's own search by names takes
   * half a minute on a page with many cells.)
   */
  async press(name, within = "body") {
    await until(`"${name}" in ${within}`, async () => {
      const found = await this.page.evaluateHandle(findByName, name, within);
      const element = found.asElement();
      if (element) await element.click();
      return element !== null;
    });
  }

  /** Press a cell of the board, 0 to 8 or 0 to 80. */
  async cell(cell) {
    await this.page.bringToFront(); // Firefox draws no page behind another one, and a click waits for that
    await this.page.locator(`#board button[data-cell="${cell}"]`).setTimeout(PATIENCE).click();
  }

  /** Wait until a visible element has this text, or one that fits. */
  see(selector, wanted = /./) {
    const fits = (text) => (wanted instanceof RegExp ? wanted.test(text) : text === wanted);
    return until(`${selector} with ${wanted}`, async () => (await this.page.evaluate(textsOf, selector)).some(fits));
  }

  /** Type into a field, in place of what is there. */
  async fill(selector, words) {
    await this.page.bringToFront();
    await this.page.locator(selector).setTimeout(PATIENCE).fill(words);
  }

  /** What is in a field. */
  valueOf(selector) {
    return this.page.$eval(selector, (field) => field.value);
  }

  /** All words that are read or heard on the page: texts, labels, descriptions, and its title. */
  readPage() {
    return this.page.evaluate(wordsOnPage);
  }

  /** The addresses that the page asks for from now on. */
  requests() {
    const asked = [];
    this.page.on("request", (request) => asked.push(request.url()));
    return asked;
  }
}

/** Somebody new in a browser. */
async function newPerson(browser) {
  const context = await browser.createBrowserContext();
  const [page, errors] = [await context.newPage(), []];
  const note = (words) => LEFT_EARLY.test(words) || errors.push(words);
  page.setDefaultTimeout(PATIENCE);
  page.on("console", (message) => message.type() === "error" && note(message.text()));
  page.on("pageerror", (error) => note(String(error)));
  return new Person(context, page, errors);
}

/** Firefox, by default in English. */
async function launch(language = "en") {
  const puppeteer = (await import(pathToFileURL(PUPPETEER).href)).default;
  const extraPrefsFirefox = {
    "intl.accept_languages": language,
    "browser.download.folderList": 2, // a folder of our own
    "browser.download.dir": DOWNLOADS,
  };
  const options = { browser: "firefox", executablePath: FIREFOX, headless: true, timeout: PATIENCE, extraPrefsFirefox };
  return puppeteer.launch(options);
}

/** Wait for a file that somebody downloads; returns its text. */
async function downloaded(name) {
  let text = "";
  await until(`the file ${name}`, async () => (text = await readFile(join(DOWNLOADS, name), "utf-8")));
  return text;
}

/**
 * Run a journey. It gets what a person can do, and: `newPerson()` for somebody else, `newPerson("de")` for somebody whose
 * browser is German, `stopServer()` and `startServer()`, `makeSite()` for the address of a static site on a plain web
 * server, `downloaded(name)` for the text of a file, `api(path, body, key)` for the server's API.
 */
export async function journey(run) {
  const browsers = [await launch()];
  try {
    const people = [await newPerson(browsers[0])];
    const browserIn = async (language) => browsers[browsers.push(await launch(language)) - 1];
    await run(
      Object.assign(people[0], {
        server: SERVER,
        stopServer: () => ask("stop"),
        startServer: () => ask("start"),
        makeSite: () => ask("site"),
        newPerson: async (language) =>
          people[people.push(await newPerson(language ? await browserIn(language) : browsers[0])) - 1],
        downloaded,
        api,
      }),
    );
    const errors = people.flatMap((person) => person.errors);
    if (errors.length) throw new Error(`The pages report errors: ${errors.join("; ")}`);
  } finally {
    await Promise.all(browsers.map((browser) => browser.close()));
    process.stdin.destroy();
  }
}

/** The server's answer to a request: a GET, or a POST of a body; perhaps by the holder of a key or a token. */
async function api(path, body, key) {
  const headers = { ...(body && { "Content-Type": "application/json" }), ...(key && { Authorization: `Bearer ${key}` }) };
  const given = { headers, ...(body && { method: "POST", body: JSON.stringify(body) }) };
  const response = await fetch(new URL(`/api/v1${path}`, SERVER), given);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}
