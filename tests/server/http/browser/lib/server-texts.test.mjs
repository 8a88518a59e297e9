import assert from "node:assert/strict";
import { test } from "node:test";

import { localize, localizeWith } from "#static/lib/server-texts.js";

const GERMAN = {
  taken: ["Feld {cell} ist von {side} besetzt.", "Freie Felder: {free}."],
  two_swaps: ["Nur ein Stein.", "{instead}"],
  "swap_nine.takeable": "Von {placed}: {cells}.",
  "broken_file.line": ["Zeile {line}: {why}.", "Berichtige sie."],
  "move.hidden": "Wähle einen anderen Zug.",
  "outcome.win": "{side} gewinnt: {why}.",
  "outcome.lines": "{why} ({lines})",
  "classic.line": "drei in einer Reihe",
  "squared.lines": "{count} Reihen",
  "squared.lines.one": "eine Reihe",
  "judge.engine": "die Engine mit {nodes:,} Stellungen",
  "game.agents.title": "Agentenspiel",
  "game.swap-nine.rules": "Setze einen\nStein (Option early_draw). Es gibt kein Remis.\nAufgeschrieben heißt 2x5: setzen.\n\n789     Nummern",
  "game.swap-nine.advice.1": "Die Mitte (5) zuerst.",
  "game.agents.press.1": "wähle ein Feld",
  "option.first": "wer beginnt",
};

const german = (document) => localizeWith(GERMAN, structuredClone(document));

test("English documents stay as the server sends them", () => {
  const document = { code: "taken", params: {}, text: "Cell 5 is taken." };
  assert.equal(localize(document).text, "Cell 5 is taken.");
});

test("a text has its parameters, also those that are texts, and a form for one", () => {
  const why = { code: "outcome.lines", params: { why: "three in a row", lines: "1 2 3" }, text: "three in a row (1 2 3)" };
  const parts = { why: { code: "classic.line", params: {} } };
  assert.equal(german({ ...why, parts }).text, "drei in einer Reihe (1 2 3)");
  assert.equal(german({ ...why, parts }).params.why, "drei in einer Reihe");
  assert.equal(german({ code: "squared.lines", params: { count: "1" }, text: "" }).text, "eine Reihe");
  assert.equal(german({ code: "squared.lines", params: { count: "2" }, text: "" }).text, "2 Reihen");
  assert.equal(german({ code: "newer", params: {}, text: "As it is." }).text, "As it is.");
});

test("a result is a sentence around its reason, however deep", () => {
  const why = { code: "classic.line", params: {}, text: "three in a row" };
  const result = { winner: "X", score: "1-0", sentence: "X wins: three in a row.", why };
  assert.equal(german({ result }).result.sentence, "X gewinnt: drei in einer Reihe.");
});

test("a refusal says what is wrong and what is possible, also if that is another text", () => {
  const taken = { code: "taken", params: { cell: "5", side: "O", free: "1 2" }, detail: "?", instead: "?" };
  assert.deepEqual(said(taken), ["Feld 5 ist von O besetzt.", "Freie Felder: 1 2."]);
  const parts = { instead: { code: "move.hidden", params: {} } };
  assert.deepEqual(said({ ...taken, parts }), ["Feld 5 ist von O besetzt.", "Wähle einen anderen Zug."]);
  const takeable = { instead: { code: "swap_nine.takeable", params: { placed: "1", cells: "2" } } };
  const swaps = { code: "two_swaps", params: { instead: "From 1: 2." }, detail: "?", instead: "?", parts: takeable };
  assert.deepEqual(said(swaps), ["Nur ein Stein.", "Von 1: 2."]);
  assert.deepEqual(said({ ...taken, code: "newer", detail: "It is.", instead: "Try." }), ["It is.", "Try."]);
});

test("a refusal inside another sentence is said as a whole", () => {
  const refused = { code: "taken:clause", params: { cell: "5", side: "O", free: "1 2" } };
  const broken = { code: "broken_file.line", params: { line: "3", why: "Cell 5 is taken by O. Free cells: 1 2" }, parts: { why: refused } };
  assert.deepEqual(said({ ...broken, detail: "?", instead: "?" }), ["Zeile 3: Feld 5 ist von O besetzt. Freie Felder: 1 2.", "Berichtige sie."]);
});

function said(problem) {
  const { detail, instead } = german(problem);
  return [detail, instead];
}

test("games, matches and lessons have the texts of their game, without what is typed in terminals", () => {
  const options = [{ name: "first", help: "who starts" }];
  const game = german({ id: "agents", title: "?", summary: "As it is.", press_steps: ["?"], options });
  assert.deepEqual([game.title, game.summary, game.press_steps[0]], ["Agentenspiel", "As it is.", "wähle ein Feld"]);
  assert.equal(game.options[0].help, "wer beginnt");
  assert.equal(german({ game: "agents", title: "The agents' game" }).title, "Agentenspiel");
  const lesson = german({ game: "swap-nine", title: "Swap Nine", rules: ["?"], advice: ["?", "Other."], steps: [] });
  assert.deepEqual(lesson.rules, ["Setze einen Stein. Es gibt kein Remis."]);
  assert.deepEqual(lesson.advice, ["Die Mitte zuerst.", "Other."]);
});
