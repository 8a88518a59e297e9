/**
 * Documents of a match, as server/hosting/view.py builds them. No DOM.
 *
 * @typedef {import("../lib/types.js").Board} Board
 * @typedef {import("../lib/types.js").MatchView} MatchView
 * @typedef {import("./game.js").Game} Game
 * @typedef {import("./match.js").Match} Match
 * @typedef {import("./saved-matches.js").SavedMatch} SavedMatch
 * @typedef {import("./table-rules.js").Position} Position
 * @typedef {import("./wording.js").Message} Message
 */

import { isUnfinished, resultSentence, scoreOf, sideOf, verdictMessage } from "./match-state.js";

const MOST_MESSAGES = 50; // the latest messages that a view shows
const ANSWERS = ["confirm", "dispute", "withdraw"];

/** A position as it is drawn. @param {Position} position @param {number[]} [last] the cells that changed last @returns {Board} */
export function boardOf(position, last = []) {
  const { cells, outcome, owners, openBoards } = position;
  return { cells, last, lines: outcome?.lines ?? [], ...(owners && { owners, open: openBoards }) };
}

/** @param {Game} game @param {Message} message */
function textDoc({ wording }, message) {
  const parts = wording.parts(message.params);
  const document = { code: message.code, params: wording.params(message.params), text: wording.sentence(message) };
  return Object.keys(parts).length ? { ...document, parts } : document;
}

/** @param {Game} game @param {import("./match.js").Result} result @returns {NonNullable<MatchView["result"]>} */
export function resultDoc(game, result) {
  const { winner, lines } = result.outcome;
  const why = textDoc(game, game.why(result.outcome));
  return { by: result.by, winner, sentence: resultSentence(game, result), why, score: scoreOf(result), lines };
}

/** The cells that the last move changed. @param {Match} match */
function lastChanged({ game, state: { previous, position } }) {
  return previous ? Object.keys(game.changedCells(previous.position, position)).map(Number) : [];
}

/** @param {Match} match @returns {MatchView["history"]} */
function historyOf(match) {
  const { game, setup, state } = match;
  const sides = match.played.filter(({ action }) => action.kind === "move").map(({ seat }) => sideOf(setup, seat));
  return state.moves.map((move, ply) => ({ side: sides[ply], text: game.name(move), path: game.paths[move] }));
}

/** @param {Match} match @returns {MatchView["game_status"]} */
function gameStatus({ result, state: { pending } }) {
  if (result) return isUnfinished(result) ? "abandoned" : result.outcome.winner === null ? "draw" : "won";
  return pending ? `claimed_win_${pending.side}` : "in_progress";
}

/** The pending claim, or the last one with the referee's words. @param {Match} match @param {boolean} showLines @returns {MatchView["claim"]} */
function claimDoc(match, showLines) {
  const { pending, verdict } = match.state;
  const claim = pending ?? verdict?.claim;
  if (!claim) return null;
  const settled = pending ? null : verdict;
  return {
    side: claim.side,
    cells: claim.cells,
    answer: answerOf(match),
    verdict: settled?.reason ?? null,
    why: settled ? textDoc(match.game, verdictMessage(settled, match.game)) : null,
    lines: showLines ? lineDocs(match) : [],
  };
}

/** The answer to the last claim. @param {Match} match @returns {NonNullable<MatchView["claim"]>["answer"]} */
function answerOf({ events }) {
  const at = events.findLastIndex(({ action: { kind, cells } }) => kind === "claim" || (kind === "move" && cells));
  const answer = events.slice(at + 1).find(({ action }) => ANSWERS.includes(action.kind));
  if (!answer) return null;
  const kind = /** @type {"confirm" | "dispute" | "withdraw"} */ (answer.action.kind);
  return { seat: answer.seat, kind, text: answer.action.text ?? "" };
}

/** All eight lines, as the referee sees them. @param {Match} match */
function lineDocs({ book, game, position: { cells: board } }) {
  return book.lines.map((cells, place) => {
    const marks = cells.map((cell) => board[cell] || /** @type {const} */ (" "));
    const isThree = marks[0] !== " " && marks.every((mark) => mark === marks[0]);
    const isBroken = marks.includes("X") && marks.includes("O");
    const code = isThree ? "line.three" : isBroken ? "line.broken" : "line.not_three";
    const finding = textDoc(game, { code, params: isThree ? { side: marks[0] } : {} });
    return { line: book.lineNames[place], cells, marks, finding };
  });
}

/** @param {SavedMatch} saved @param {Match} match @returns {MatchView["seats"]} */
function seatDocs({ holders }, { setup }) {
  return setup.seats.map(({ side, name, player }, index) => {
    const holder = holders[index];
    const level = holder === "computer" ? player : null;
    return { seat: index + 1, side, name, player: holder, level, present: true, reserved: false, profile: null, rating: null };
  });
}

/** A match as its player sees it. @param {SavedMatch} saved @param {Match} match @param {number} now @returns {MatchView} */
export function matchView(saved, match, now) {
  const { game, setup, state, position, result } = match;
  const { showMoves, showLines } = saved.settings;
  const said = match.events.flatMap(({ at, seat, action }, index) =>
    action.kind === "say" ? [{ index, seat, text: action.text ?? "", at }] : [],
  );
  return {
    id: saved.id,
    game: game.id,
    title: game.title,
    options: setup.options,
    private: true,
    rated: false,
    created_at: saved.createdAt,
    status: result ? "ended" : "live",
    version: match.version,
    size: match.events.length,
    position: position.written,
    turn: result ? null : position.turn,
    asked: match.toAct,
    board: boardOf(position, lastChanged(match)),
    show_moves: showMoves,
    show_lines: showLines,
    moves: showMoves && !result ? game.legalMoves(position) : [],
    history: historyOf(match),
    result: result && resultDoc(game, result),
    game_status: gameStatus(match),
    claim: claimDoc(match, showLines),
    barred: [...state.barred].sort(),
    offer: state.offer,
    rematch: saved.rematch,
    said: said.slice(-MOST_MESSAGES),
    seats: seatDocs(saved, match),
    watching: 0,
    clock: null,
    claim_due: null,
    absent_due: null,
    now,
  };
}

/** A match with every position that was reached. @param {Match} match @param {string} log @returns {import("../lib/types.js").GameRecord} */
export function recordDoc(match, log) {
  const { game, setup, state, result } = match;
  let before = game.rules.start(setup.options);
  const positions = [positionDoc(before, [], null, null)];
  for (const move of state.moves) {
    const after = before.play(move);
    const changed = Object.keys(game.changedCells(before, after)).map(Number);
    positions.push(positionDoc(after, changed, game.name(move), before.turn));
    before = after;
  }
  const document = { options: setup.options, seats: setup.seats };
  return { game: game.id, title: game.title, setup: document, result: result && resultDoc(game, result), record: log, positions };
}

/**
 * @param {Position} position
 * @param {number[]} changed
 * @param {string | null} move
 * @param {import("../lib/types.js").Side | null} side
 */
function positionDoc(position, changed, move, side) {
  const turn = position.moves().length ? position.turn : null;
  return { position: position.written, board: boardOf(position, changed), turn, move, side };
}
