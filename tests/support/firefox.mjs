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

import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const { FIREFOX, PUPPETEER, SERVER } = process.env;
const PATIENCE = 60_000; // milliseconds, for machines that are busy

const orders = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

/** Ask the test to do something with the server: "stop" or "start". */
async function ask(what) {
  console.log(JSON.stringify({ ask: what }));
  await orders.next();
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

/** Somebody with a browser of their own. */
class Person {
  constructor(context, page, errors) {
    Object.assign(this, { context, page, errors });
    for (const name of ["open", "press", "cell", "see", "requests"]) this[name] = this[name].bind(this);
  }

  /** Open a page by its path. */
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
  cell(cell) {
    return this.page.locator(`#board button[data-cell="${cell}"]`).setTimeout(PATIENCE).click();
  }

  /** Wait until a visible element has this text, or one that fits. */
  see(selector, wanted = /./) {
    const fits = (text) => (wanted instanceof RegExp ? wanted.test(text) : text === wanted);
    return until(`${selector} with ${wanted}`, async () => (await this.page.evaluate(textsOf, selector)).some(fits));
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
  page.setDefaultTimeout(PATIENCE);
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  page.on("pageerror", (error) => errors.push(String(error)));
  return new Person(context, page, errors);
}

/**
 * Run a journey. It gets what a person can do, and: `newPerson()` for somebody else, `stopServer()` and `startServer()`,
 * `api(path, body)` for the server's API.
 */
export async function journey(run) {
  const puppeteer = (await import(pathToFileURL(PUPPETEER).href)).default;
  const browser = await puppeteer.launch({ browser: "firefox", executablePath: FIREFOX, headless: true, timeout: PATIENCE });
  try {
    const people = [await newPerson(browser)];
    await run(
      Object.assign(people[0], {
        server: SERVER,
        stopServer: () => ask("stop"),
        startServer: () => ask("start"),
        newPerson: async () => people[people.push(await newPerson(browser)) - 1],
        api,
      }),
    );
    const errors = people.flatMap((person) => person.errors);
    if (errors.length) throw new Error(`The pages report errors: ${errors.join("; ")}`);
  } finally {
    await browser.close();
    process.stdin.destroy();
  }
}

/** The server's answer to a request: a GET, or a POST of a body. */
async function api(path, body) {
  const given = body && { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
  const response = await fetch(new URL(`/api/v1${path}`, SERVER), given);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}
