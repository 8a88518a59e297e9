/** What browsers ask of a page that can be installed: a secure context, a manifest with icons, a service worker. */

import assert from "node:assert/strict";

import { journey } from "../../../support/firefox.mjs";

/** Runs in the page: its manifest, with the real sizes of the icons. */
async function readManifest() {
  const link = document.querySelector('link[rel="manifest"]');
  const response = await fetch(link.href);
  const app = await response.json();
  const sizes = app.icons.map(async ({ src, type }) => {
    const icon = new Image();
    icon.src = new URL(src, link.href);
    await icon.decode();
    return type === "image/svg+xml" ? "any" : `${icon.naturalWidth}x${icon.naturalHeight}`;
  });
  return { app, type: response.headers.get("content-type"), base: link.href, sizes: await Promise.all(sizes) };
}

/** Runs in the page: true once a service worker answers for it. */
async function isKept() {
  await navigator.serviceWorker.ready;
  return navigator.serviceWorker.getRegistration().then((found) => found.active !== null);
}

await journey(async ({ page, open, server }) => {
  await open("/");
  assert.ok(await page.evaluate(() => isSecureContext));
  const { app, type, base, sizes } = await page.evaluate(readManifest);
  assert.match(type, /^application\/manifest\+json/);
  assert.ok(app.name && app.short_name && app.description);
  assert.deepEqual([app.display, app.lang], ["standalone", "en"]);
  assert.equal(new URL(app.start_url, base).href, `${server}/`);
  assert.equal(new URL(app.scope, base).href, `${server}/`);
  assert.deepEqual(sizes, app.icons.map((icon) => icon.sizes));
  assert.deepEqual([...new Set(app.icons.map(({ purpose }) => purpose))], ["any", "maskable"]);
  assert.ok(["192x192", "512x512"].every((size) => sizes.includes(size)));
  assert.ok(await page.evaluate(isKept));
});
