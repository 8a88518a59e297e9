/**
 * The service worker: keeps the pages and their files, so that they open without a server. It never touches requests of
 * the API: what it could answer would be stale.
 *
 * A plain script. The server, and `ninefold site`, put the names of the files into its first line. A new version has a
 * cache of its own; that of the version before is kept until the next one, for pages that are still open.
 *
 * @typedef {object} Build
 * @property {string} version "" if nothing is kept any more: then it removes itself
 * @property {string[]} pages paths below the scope
 * @property {string} match the page of all matches
 * @property {string[]} files
 */

/** @type {Build} */
const BUILD = { version: "", pages: [], match: "", files: [] };

const CACHE = "ninefold-";
const PROXY_ERRORS = [502, 503, 504]; // what a proxy responds with while the server is stopped
const worker = /** @type {any} */ (self);

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(install()));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(activate()));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const answer = answerTo(event.request);
  if (answer) event.respondWith(answer);
});

/** The address of a path below the scope. @param {string} path */
const address = (path) => new URL(path, worker.registration.scope).href;

async function install() {
  if (BUILD.version) {
    const cache = await caches.open(CACHE + BUILD.version);
    const requests = [
      ...BUILD.pages.map((path) => new Request(address(path), { cache: "no-cache" })),
      ...BUILD.files.map((path) => new Request(address(path))),
    ];
    await cache.addAll(requests);
  }
  await worker.skipWaiting();
}

async function activate() {
  const mine = (await caches.keys()).filter((name) => name.startsWith(CACHE));
  const older = mine.filter((name) => name !== CACHE + BUILD.version);
  const old = BUILD.version ? older.slice(0, -1) : older;
  await Promise.all(old.map((name) => caches.delete(name)));
  if (BUILD.version) await worker.clients.claim();
  else await worker.registration.unregister();
}

/** The answer to a request; null for what is left to the browser. @param {Request} request @returns {Promise<Response> | null} */
function answerTo(request) {
  const { scope } = worker.registration;
  if (!BUILD.version || request.method !== "GET" || !request.url.startsWith(scope)) return null;
  const path = request.url.slice(scope.length).replace(/[?#].*$/, "");
  if (request.mode === "navigate") return navigate(request, path);
  return BUILD.files.includes(path) || path.startsWith("static/") ? fileOf(request) : null;
}

/** A page: from the server if there is one, so that it is never old. @param {Request} request @param {string} path */
async function navigate(request, path) {
  try {
    const response = await fetch(request);
    if (PROXY_ERRORS.includes(response.status)) throw new Error(response.statusText);
    return response;
  } catch (problem) {
    const known = BUILD.pages.includes(path) ? path : path.startsWith("m/") ? BUILD.match : null;
    if (known === null) return Response.redirect(address(""));
    const cache = await caches.open(CACHE + BUILD.version);
    const kept = await cache.match(address(known));
    if (!kept) throw problem;
    return kept;
  }
}

/** A file, whose name has a hash of its content. @param {Request} request */
async function fileOf(request) {
  return (await caches.match(request)) ?? fetch(request);
}
