/**
 * The review page: opens a match that is over, a record, or a position that is set up.
 *
 * @typedef {import("../lib/types.js").Game} Game
 * @typedef {import("../lib/types.js").GameRecord} GameRecord
 * @typedef {import("../lib/types.js").Position} Position
 */

import * as api from "../lib/api.js";
import { showNoReview } from "../lib/dead-end.js";
import { byId, html, showNotice } from "../lib/dom.js";
import { readToken } from "../lib/match-storage.js";
import { text } from "../lib/messages.js";
import { matchAddress, pageAddress } from "../lib/site.js";
import { startPage } from "../lib/start-page.js";
import { GameReview } from "./game-review.js";
import { PositionEditor } from "./position-editor.js";

const NOT_OVER = "not_over";
const WAIT = { status: 409, reason: NOT_OVER };

/** @type {GameReview | null} */
let current = null;

/** @param {Game} game @param {GameRecord} record @param {number | null} [ply] */
function openReview(game, record, ply = null) {
  showNotice("");
  byId("dead-end").hidden = true;
  current?.close();
  current = new GameReview(game, record, (from) => void openEditor(from));
  current.show(ply);
}

/**
 * @param {string} content of a record or a log
 * @param {string} [match] in which it was played
 * @param {number | null} [ply] the position to open
 */
async function openRecord(content, match, ply = null) {
  const [games, record] = await Promise.all([api.getGames(), api.readRecord(content)]);
  const game = games.find(({ id }) => id === record.game);
  if (!game) throw new api.ApiProblem({ detail: text("review.unknown_game", { game: record.game }) });
  openReview(game, record, ply);
  byId("back").hidden = !match;
  if (match) byId("back").setAttribute("href", matchAddress(match));
}

/** Opens a match of this server. One that is still played cannot be reviewed. @param {string} match */
async function openMatch(match) {
  const token = readToken(match);
  const view = await api.getMatch(match, token);
  if (view.status !== "ended")
    throw new api.ApiProblem({ ...WAIT, detail: text("review.not_over"), instead: text("review.not_over.instead") });
  const ply = new URLSearchParams(location.search).get("ply");
  await openRecord(await api.getMatchText(match, "log", token), match, ply === null ? null : Number(ply) || 0);
}

/** Says why a match cannot be reviewed, and what to do next. @param {string} match @param {unknown} problem */
function showWhyNot(match, problem) {
  const isLive = problem instanceof api.ApiProblem && problem.reason === NOT_OVER;
  const toMatch = html("a", { class: "strong", href: matchAddress(match) }, text("review.to_match"));
  const another = html("a", { class: "strong", href: pageAddress("review") }, text("review.other"));
  showNoReview(problem, text(isLive ? "review.not_over_yet" : "match.not_found"), isLive ? toMatch : another);
}

/** Opens a position without a game. @param {Game} game @param {Position} position @param {Record<string, string>} options */
function openPosition(game, { position, board, turn }, options) {
  const setup = { options, seats: [] };
  const positions = [{ position, board, turn, move: null, side: null }];
  openReview(game, { game: game.id, title: game.title, setup, result: null, record: "", positions }, 0);
  byId("back").hidden = true;
  document.getElementById("board")?.focus(); // the button that had the focus is gone
}

/** @type {PositionEditor | null} */
let editor = null;

/** Shows again what was there before the form. */
function leaveEditor() {
  byId(current ? "game" : "open").hidden = false;
  if (current) document.getElementById("board")?.focus();
  else byId("set-up").focus();
}

/** @param {Parameters<PositionEditor["open"]>[0]} [from] */
async function openEditor(from) {
  await attempt(async () => {
    editor ??= new PositionEditor(await api.getGames(), openPosition, leaveEditor);
    for (const id of ["open", "game"]) byId(id).hidden = true;
    editor.open(from);
  });
}

/** @param {() => Promise<void>} work */
async function attempt(work) {
  try {
    await work();
  } catch (problem) {
    showNotice(api.describeError(problem));
    if (!current) byId("open").hidden = false;
  }
}

function listenForRecords() {
  const field = /** @type {HTMLTextAreaElement} */ (byId("record-text"));
  const file = /** @type {HTMLInputElement} */ (byId("record-file"));
  const readFile = (/** @type {File | undefined} */ chosen) =>
    chosen && void attempt(async () => openRecord(await chosen.text()));
  byId("open-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const content = field.value.trim();
    if (content) void attempt(() => openRecord(`${content}\n`));
    else readFile(file.files?.[0]);
  });
  file.addEventListener("change", () => readFile(file.files?.[0]));
  byId("other").addEventListener("click", () => {
    byId("editor").hidden = true;
    byId("game").hidden = false;
    byId("open").hidden = false;
    field.focus();
  });
  byId("set-up").addEventListener("click", () => void openEditor());
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    const dropped = event.dataTransfer;
    if (dropped?.files.length) readFile(dropped.files[0]);
    else if (dropped?.getData("text")) void attempt(() => openRecord(dropped.getData("text")));
  });
}

startPage();
listenForRecords();
const requested = new URLSearchParams(location.search).get("match");
if (requested) void openMatch(requested).catch((problem) => showWhyNot(requested, problem));
else byId("open").hidden = false;
