/** All five games against the computer after the server was stopped and the page reloaded; they are kept in the browser. */

import { journey } from "../../../support/firefox.mjs";

const GAMES = ["Tic-Tac-Toe", "The agents' game", "Swap Nine", "Tic-Tac-Toe Squared", "Ultimate Tic-Tac-Toe"];

/** Runs in the page: waits until the service worker has kept the pages. */
async function untilKept() {
  const { serviceWorker } = navigator;
  await serviceWorker.ready;
  if (!serviceWorker.controller) await new Promise((done) => serviceWorker.addEventListener("controllerchange", done));
}

await journey(async ({ page, open, press, cell, see, stopServer }) => {
  await open("/");
  await page.evaluate(untilKept);
  await stopServer();
  await page.reload();
  await see(".offline-note", /^You are offline\./);
  for (const game of GAMES) {
    await open("/");
    await press(game);
    await cell(4);
    await see("#history li:nth-child(2)");
    await page.reload();
    await see("#history li:nth-child(2)");
    await see("#connection", "In this browser");
  }
  await open("/");
  await see("#saved-list li:nth-child(5)");
});
