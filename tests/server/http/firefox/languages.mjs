/** A whole game in each language, in a browser that asks for it: no English is left on the page. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";

import { ENGLISH } from "../../../../src/ninefold/server/http/static/lib/messages.js";
import { journey } from "../../../support/firefox.mjs";

const CATALOGUES = new URL("../../../../src/ninefold/core/languages/", import.meta.url);
const LANGUAGES = ["en", "de", "fr", "es"];

await journey(async ({ newPerson }) => {
  for (const language of LANGUAGES) {
    const isEnglish = language === "en";
    const said = isEnglish ? null : JSON.parse(await readFile(new URL(`${language}.json`, CATALOGUES), "utf-8"));
    const translated = new Set(Object.values(said?.browser ?? ENGLISH));
    const left = new Set(Object.values(ENGLISH).filter((words) => !translated.has(words)));
    const person = await newPerson(language);
    const noEnglish = async () => assert.deepEqual((await person.readPage()).filter((words) => left.has(words)), []);

    await person.open("/?game=classic");
    await person.see("#home-actions [data-key=here]");
    await noEnglish();
    await person.page.$eval("#home-actions [data-key=here]", (button) => button.click());
    for (const [ply, cell] of [0, 1, 4, 2, 8].entries()) {
      await person.cell(cell);
      await person.see(`#history li:nth-child(${ply + 1})`);
      await noEnglish();
    }
    assert.equal(await person.page.$eval("html", (page) => page.lang), language);
    const why = said?.server["classic.line"] ?? "three in a row";
    await person.see("#status", new RegExp(why, "i"));
    await person.page.$eval("#actions [data-key=review]", (button) => button.click());
    await person.see("#title", new RegExp(said?.server["game.classic.title"] ?? "Tic-Tac-Toe"));
    await noEnglish();
  }
});
