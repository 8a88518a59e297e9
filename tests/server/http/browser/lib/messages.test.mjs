import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

import { ENGLISH, format, text } from "#static/lib/messages.js";

const STATIC = new URL("..", import.meta.resolve("#static/lib/messages.js"));
const MODULES = readdirSync(STATIC, { recursive: true }).filter(
  (file) => file.endsWith(".js") && !file.endsWith("messages.js"),
);
// The page of errors needs no script, and one notice is for browsers without: they have texts of their own. The head and
// the picture that pages share have no text.
const OTHERS = ["error.html", "head.html", "lost.html", "noscript.html"];
const PAGES = readdirSync(STATIC).filter((file) => file.endsWith(".html") && !OTHERS.includes(file));
/** Names of the web platform that look like words of a sentence. */
const PLATFORM =
  /^(Arrow(Up|Down|Left|Right)|Home|End|Escape|Authorization|Content-Type|Retry-After|Bearer \$|Ninefold$|ApiProblem$|Refusal$|Notification$|(English|Deutsch|Français|Español)$)/;

/** The source of a module without comments. */
function sourceOf(file) {
  return readFileSync(new URL(file, STATIC), "utf8").replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/ .*$/gm, "");
}

/** The comma-separated parts of the brackets that open at an index: arguments of a call, or entries of an object. */
function partsInside(source, open) {
  const parts = [""];
  for (let depth = 0, at = open; at < source.length; at++) {
    if (")]}".includes(source[at]) && --depth === 0) break;
    if (depth === 1 && source[at] === ",") parts.push("");
    else if (depth > 0) parts[parts.length - 1] += source[at];
    if ("([{".includes(source[at])) depth++;
  }
  return parts.map((part) => part.trim()).filter(Boolean);
}

/** The names of the parameters; null if they are not written out. */
function paramNames(literal) {
  if (literal === undefined) return [];
  if (!literal.startsWith("{") || literal.includes("...")) return null;
  return partsInside(literal, 0).map((entry) => /^\w+/.exec(entry)[0]);
}

/** Every call of text(): its file, the codes it can have ("x.*" if the end is computed), and its parameters. */
function* uses() {
  for (const file of MODULES) {
    const source = sourceOf(file);
    for (const { index } of source.matchAll(/(?<![\w.])text\(/g)) {
      const [code, params] = partsInside(source, index + "text".length);
      if (!code || code.startsWith("{") || code === "code") continue; // a method of this name
      const codes = [...code.matchAll(/"([\w.-]+)"|`([\w.-]+)\$\{[\w.]+\}(\w*)`/g)]
        .map(([, plain, prefix, suffix]) => plain ?? `${prefix}*${suffix}`)
        .filter((found) => found in ENGLISH || found.includes("."));
      yield { file, call: code, codes, params: paramNames(params) };
    }
  }
}

/** The codes in the catalogue that a code with a computed part can be. */
function expand(code) {
  if (!code.includes("*")) return [code];
  const [prefix, suffix] = code.split("*");
  return Object.keys(ENGLISH).filter(
    (known) => known.startsWith(prefix) && known.endsWith(suffix) && !known.slice(prefix.length).includes("."),
  );
}

/** The codes that a page names, in data-text and the like. */
function namedTexts(file) {
  const page = readFileSync(new URL(file, STATIC), "utf8");
  return [...page.matchAll(/ data-(?:text|label|placeholder|content|title)="([^"]*)"/g)].map(([, code]) => code);
}

const placeholders = (template) => [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);

test("every code that is used has a text, whose placeholders are given", () => {
  const found = [...uses()];
  assert.ok(found.length > 150);
  for (const { file, call, codes, params } of found) {
    const known = codes.flatMap(expand);
    assert.ok(known.length, `${file}: text(${call}) is not in the catalogue`);
    for (const code of known) {
      assert.ok(code in ENGLISH, `${file}: ${code} is not in the catalogue`);
      const isComputed = !codes.includes(code);
      if (params === null || isComputed) continue; // the type checker sees those
      for (const name of placeholders(ENGLISH[code]))
        assert.ok(params.includes(name), `${file}: ${code} needs ${name}`);
      if (`${code}.one` in ENGLISH) assert.ok(params.includes("count"), `${file}: ${code} needs count`);
    }
  }
});

test("every text is used", () => {
  const sources = MODULES.map(sourceOf).join("\n");
  const named = PAGES.flatMap((file) => namedTexts(file));
  const used = new Set([...named, ...[...uses()].flatMap(({ codes }) => codes.flatMap(expand))]);
  const isOfServer = (code) => /^(refused|level|choice)\./.test(code); // the server names the rest
  // A refusal has two texts: what is wrong, and what is possible instead.
  const isOfRefusal = (code) => sources.includes(`Refusal("${code.replace(/\.(sentence|instead)$/, "")}"`);
  const isUsed = (code) =>
    used.has(code) || sources.includes(`"${code}"`) || code.endsWith(".one") || isOfServer(code) || isOfRefusal(code);
  assert.deepEqual(
    Object.keys(ENGLISH).filter((code) => !isUsed(code)),
    [],
  );
});

test("a form for one belongs to a text for many, and needs nothing more", () => {
  for (const one of Object.keys(ENGLISH).filter((code) => code.endsWith(".one"))) {
    const many = ENGLISH[one.slice(0, -".one".length)];
    for (const name of placeholders(ENGLISH[one])) assert.ok(placeholders(many).includes(name), one);
  }
});

test("no other module holds English", () => {
  for (const file of MODULES) {
    const source = sourceOf(file).replace(/throw new \w*Error\([^;]*;/g, ""); // for programmers
    const strings = [...source.matchAll(/"([^"\n]*)"|`([^`]*)`/g)].map(([, plain, template]) => plain ?? template);
    const sentences = strings.filter(
      (string) =>
        !PLATFORM.test(string) &&
        (/^[A-Z][a-z]/.test(string) || /[a-z]{2,}[.…?!]( |$)|[a-z] [a-z]+ [a-z]+ [a-z]/.test(string)),
    );
    assert.deepEqual(sentences, [], file);
  }
});

test("a page holds no English but its title and the notice for browsers without scripts", () => {
  const pages = ["index.html", "learn.html", "match.html", "profile.html", "puzzle.html", "review.html", "share.html", "table.html"];
  assert.deepEqual(PAGES.toSorted(), pages);
  for (const file of PAGES) {
    const page = readFileSync(new URL(file, STATIC), "utf8");
    const body = page.replace(/<head>[\s\S]*<\/head>|<noscript>.*<\/noscript>|<!--.*?-->/g, "");
    const words = body.replace(/<[^>]*>/g, " ").match(/[a-z]{2,}/gi);
    assert.deepEqual([...new Set(words)], file === "table.html" ? [] : ["Ninefold"], file);
    assert.deepEqual(body.match(/ (aria-label|title|alt|placeholder)="[A-Z][^"]*"/g), null, file);
  }
});

test("every text that a page names is in the catalogue and takes no parameters", () => {
  for (const file of PAGES) {
    const codes = namedTexts(file);
    assert.ok(codes.length > 3, file);
    for (const code of codes) assert.deepEqual([code, placeholders(ENGLISH[code] ?? "{missing}")], [code, []], file);
  }
});

test("a message takes its parameters, and its form for one", () => {
  assert.equal(text("place.cell_in_board", { board: "top-left board", cell: "centre" }), "top-left board, centre cell");
  assert.equal(text("time.hours", { count: 1 }), "1 hour");
  assert.equal(text("time.hours", { count: 2 }), "2 hours");
  assert.equal(text("chat.author", { player: "{side}", side: "X" }), "{side} (X)");
});

test("a template of a game takes its parameters", () => {
  assert.equal(format("choose a cell in board {chosen}", { chosen: "6" }), "choose a cell in board 6");
});
