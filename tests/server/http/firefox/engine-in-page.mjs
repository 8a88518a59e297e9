/** A computer opponent, hints and analysis of a big game, by the engine in the page. */

import assert from "node:assert/strict";

import { journey } from "../../../support/firefox.mjs";

await journey(async ({ open, press, cell, see, requests }) => {
  const asked = requests();
  const isAsked = (end) => asked.some((url) => url.endsWith(end));

  await open("/");
  await press("Ultimate Tic-Tac-Toe");
  assert.ok(!isAsked("/ninefold.wasm"), "the engine is loaded when it is first needed");
  await cell(40); // a match with the computer begins
  await see("#status", /Your turn/);
  await see("#history li:nth-child(2)");
  await see("#connection", "In this browser");
  assert.ok(isAsked("/ninefold.wasm"), "the engine was loaded");
  assert.ok(!isAsked("/matches"), "the server has no match");
  await press("Hint");
  await see("#hint", /^Hint: /);
  assert.ok(!isAsked("/hint"), "the server's engine was not asked");

  await press("Resign");
  await press("Resign", "dialog[open]");
  await press("Review");
  await see("#board .value.best");
  await see("#move-values li", /then/);
  assert.ok(!isAsked("/analysis"), "the server's engine was not asked");
});
