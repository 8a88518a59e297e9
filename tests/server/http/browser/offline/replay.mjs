/**
 * Reads matches from standard input, one JSON document a line, plays them with offline/match.js, and compares every event
 * and every refusal with those of the Python rules. It prints how many matches it has compared, or the first difference.
 */

import assert from "node:assert/strict";
import { createInterface } from "node:readline";

import { begin } from "../../../../../src/ninefold/server/http/static/offline/match.js";
import { resultSentence } from "../../../../../src/ninefold/server/http/static/offline/match-state.js";
import { matchView } from "../../../../../src/ninefold/server/http/static/offline/view.js";
import { Refusal } from "../../../../../src/ninefold/server/http/static/offline/wording.js";
import { openBook } from "./book.mjs";

const book = await openBook();

const fields = ({ at, seat, action: { kind, ...rest } }) => ({ event: book.actions.events[kind], seat, at, ...rest });

const attempt = (match, seat, action, at) => {
  try {
    const after = match.act(seat, action, at);
    return [after, { events: after.events.slice(match.events.length).map(fields) }];
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    const { code, params } = refusal;
    const words = [book.wording.params(params), book.wording.parts(params), ...book.wording.refusal(refusal)];
    return [match, { refused: [code, ...words] }];
  }
};

const SAVED = {
  id: "local-1",
  holders: ["person", "person"],
  settings: { showMoves: true, showLines: true },
  rematch: null,
  createdAt: 7,
};

let count = 0;
let tries = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const { setup, attempts, end, view } = JSON.parse(line);
  let match = begin(book, await book.game(setup.game), setup.options, setup.seats, setup);
  for (const [at, [seat, action, expected]] of attempts.entries()) {
    let found;
    try {
      [match, found] = attempt(match, seat, action, at);
      assert.deepEqual(found, expected);
    } catch (error) {
      console.log(`match ${count}, attempt ${at}: ${JSON.stringify([seat, action])}\n${match.position.written}\n${error.stack}`);
      process.exit(1);
    }
    tries += 1;
  }
  const { version, toAct, position, result } = match;
  assert.deepEqual([version, toAct, position.written, result && resultSentence(match.game, result)], end);
  const { seats, watching, clock, claim_due, absent_due, now, ...stored } = matchView(SAVED, match, 0);
  assert.deepEqual(JSON.parse(JSON.stringify(stored)), view);
  count += 1;
}
console.log(`${count} matches, ${tries} attempts`);
