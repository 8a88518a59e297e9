/**
 * The client of the server's HTTP API. A refusal is thrown as an ApiProblem. No DOM.
 *
 * @typedef {import("./types.js").Action} Action
 * @typedef {import("./types.js").ActionAnswer} ActionAnswer
 * @typedef {import("./types.js").Analysis} Analysis
 * @typedef {import("./types.js").AnalysisRequest} AnalysisRequest
 * @typedef {import("./types.js").CreatedMatch} CreatedMatch
 * @typedef {import("./types.js").Game} Game
 * @typedef {import("./types.js").GameRecord} GameRecord
 * @typedef {import("./types.js").HandoverCode} HandoverCode
 * @typedef {import("./types.js").Hint} Hint
 * @typedef {import("./types.js").Invitation} Invitation
 * @typedef {import("./types.js").JoinedSeat} JoinedSeat
 * @typedef {import("./types.js").Lesson} Lesson
 * @typedef {import("./types.js").MatchList} MatchList
 * @typedef {import("./types.js").MatchRequest} MatchRequest
 * @typedef {import("./types.js").MatchView} MatchView
 * @typedef {import("./types.js").PairedSeat} PairedSeat
 * @typedef {import("./types.js").Position} Position
 * @typedef {import("./types.js").PositionRequest} PositionRequest
 * @typedef {import("./types.js").ProblemDocument} ProblemDocument
 * @typedef {import("./types.js").Puzzle} Puzzle
 * @typedef {import("./types.js").PuzzleSummary} PuzzleSummary
 * @typedef {import("./types.js").Rematch} Rematch
 * @typedef {import("./types.js").Report} Report
 */

import { loadKey } from "./identity.js";
import { refusedMove, text } from "./messages.js";
import { localize } from "./server-texts.js";
import { answerHere, canKeepMatches, isAnswerable, isAnsweredHere, noteConnection } from "./offline.js";

const ROOT = "/api/v1";
const TRANSIENT = [0, 429, 502, 503, 504];
// Refusals for those who write programs: their sentences are about fields, versions and the like.
const TECHNICAL = [
  ...["wrong_field", "not_json", "bad_request", "method_not_allowed", "no_version", "not_a_request"],
  ...["guessable_request", "request_reused", "no_such_message", "no_hello", "bad_token"],
];
const TRIES = 8;
const LONGEST_PAUSE = 5; // seconds

/** What the server refuses, or that it cannot be reached: what is wrong, and what is possible instead. */
export class ApiProblem extends Error {
  /** @param {Partial<ProblemDocument>} document @param {number} [retryAfter] in seconds, 0 if the server did not say */
  constructor(document, retryAfter = 0) {
    const isForPeople = !TECHNICAL.includes(document.reason ?? "");
    const refused = refusedMove(document.code ?? "", document.params ?? {});
    super(refused || (isForPeople && (document.detail || document.title)) || text("error.unknown"));
    this.name = "ApiProblem";
    /** 0 if the server could not be reached. */
    this.status = document.status ?? 0;
    this.reason = document.reason ?? "";
    this.instead = refused ? "" : isForPeople ? (document.instead ?? "") : text("error.unknown.instead");
    /** The match as it is now, if the request was out of date. */
    this.match = document.match ?? null;
    this.retryAfter = retryAfter;
  }

  /** What is wrong and what is possible instead. */
  get sentences() {
    return `${this.message} ${this.instead}`.trim();
  }

  /** True if the same request may be sent again: it may not have arrived, or the server is busy. */
  get isTransient() {
    return TRANSIENT.includes(this.status);
  }

  /** True if the server received the request and refused it. */
  get isRefusal() {
    return this.status >= 400 && this.status < 500 && !this.isTransient;
  }
}

/**
 * Describes whatever was thrown, for a person.
 *
 * @param {unknown} error
 */
export function describeError(error) {
  if (error instanceof ApiProblem) return error.sentences;
  console.error(error);
  return `${text("error.unknown")} ${text("error.unknown.instead")}`;
}

/**
 * @typedef {object} RequestOptions
 * @property {string | null} [token]
 * @property {unknown} [body]
 * @property {string} [root] of the path
 *
 * @param {string} method
 * @param {string} path
 * @param {RequestOptions} options
 */
export async function send(method, path, { token, body, root = ROOT }) {
  const isHere = root === ROOT && isAnsweredHere(path);
  const response = isHere ? await answerHere(method, path, { token, body }) : await fetchFrom(method, path, { token, body, root });
  if (!response.ok) throw await problemFrom(response);
  return response;
}

/**
 * Asks the server. While it cannot be reached, this browser answers what needs no server.
 *
 * @param {string} method
 * @param {string} path
 * @param {RequestOptions} options
 */
async function fetchFrom(method, path, { token, body, root = ROOT }) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const sent = body === undefined ? undefined : JSON.stringify(body);
  try {
    const response = await fetch(root + path, { method, headers, body: sent, cache: "no-store" });
    noteConnection(false);
    return response;
  } catch {
    noteConnection(true);
    if (root === ROOT && isAnswerable(path)) return answerHere(method, path, { token, body });
    throw new ApiProblem({
      reason: "unreachable",
      detail: text("error.unreachable"),
      instead: text("error.unreachable.instead"),
    });
  }
}

/** @param {Response} response */
async function problemFrom(response) {
  const retryAfter = Number(response.headers.get("Retry-After")) || 0;
  const { status } = response;
  const unnamed = { detail: text("error.status", { status }) };
  const document = localize(await response.json().catch(() => ({})));
  return new ApiProblem({ ...unnamed, ...document, status }, retryAfter);
}

/**
 * @template Answer
 * @param {string} path
 * @param {string | null} [token]
 * @returns {Promise<Answer>}
 */
async function get(path, token) {
  return localize(await (await send("GET", path, { token })).json());
}

/**
 * @template Answer
 * @param {string} path
 * @param {RequestOptions} options
 * @returns {Promise<Answer>}
 */
async function post(path, options) {
  return localize(await (await send("POST", path, options)).json());
}

/**
 * @template Answer
 * @param {string} method
 * @param {string} path
 * @param {RequestOptions} options
 * @returns {Promise<Answer>}
 */
export async function request(method, path, options) {
  return localize(await (await send(method, path, options)).json());
}

/**
 * Takes a seat with the profile of this device. If the server does not know the profile any more, without it.
 *
 * @template Answer
 * @param {(key: string | undefined) => Promise<Answer>} take
 * @returns {Promise<Answer>}
 */
async function withProfile(take) {
  const key = loadKey() ?? undefined;
  try {
    return await take(key);
  } catch (problem) {
    if (!key || !(problem instanceof ApiProblem) || problem.reason !== "bad_key") throw problem;
    return take(undefined);
  }
}

/** Makes an id for a write. A repeat of the write carries the same one. */
export function newRequestId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Sends a write again until it is answered. The server does it once, because it carries one request id.
 *
 * @template Answer
 * @param {() => Promise<Answer>} write
 * @param {{tries?: number, onRetry?: (problem: ApiProblem) => void}} [options]
 * @returns {Promise<Answer>}
 */
export async function retry(write, { tries = TRIES, onRetry = () => {} } = {}) {
  for (let tried = 1; ; tried++) {
    try {
      return await write();
    } catch (problem) {
      if (!(problem instanceof ApiProblem && problem.isTransient) || tried === tries) throw problem;
      onRetry(problem);
      const seconds = problem.retryAfter || Math.min(tried / 2, LONGEST_PAUSE);
      await new Promise((done) => setTimeout(done, seconds * 1000));
    }
  }
}

/**
 * @template Answer
 * @param {string} path
 * @param {{token?: string, body?: object, tries?: number}} [options]
 * @returns {Promise<Answer>}
 */
function postWithRetries(path, { token, body = {}, tries } = {}) {
  const named = { ...body, request: newRequestId() };
  return retry(() => post(path, { token, body: named }), { tries });
}

export const matchPath = (/** @type {string} */ match) => `/matches/${encodeURIComponent(match)}`;

/** @type {Promise<Game[]> | null} */
let games = null;

/** Gets the games, once for everything on a page; again if that failed. @returns {Promise<Game[]>} */
export function getGames() {
  games ??= get("/games").catch((problem) => {
    games = null;
    throw problem;
  });
  return games;
}

/**
 * @param {MatchRequest} request
 * @returns {Promise<CreatedMatch>}
 */
export const createMatch = (request) =>
  withProfile((token) => postWithRetries("/matches", { token, body: request, tries: 3 }));

/**
 * Creates a match that is played and kept in this browser.
 *
 * @param {MatchRequest} request
 * @returns {Promise<CreatedMatch | null>} null if this browser cannot play or keep it
 */
export async function createLocalMatch(request) {
  try {
    if (!(await canKeepMatches())) return null;
    const response = await answerHere("POST", "/matches", { body: request });
    return response.ok ? localize(await response.json()) : null;
  } catch (problem) {
    console.warn(problem); // the rules of the game could not be loaded
    return null;
  }
}

/**
 * Finds an opponent: somebody who asks for the same game and clock. Store the seat and open the page of the match; if
 * `waiting` is true, the opponent comes there. Whoever leaves that page is not paired.
 *
 * @param {Pick<MatchRequest, "game" | "clock"> & {name?: string}} wanted
 * @returns {Promise<PairedSeat>}
 */
export const findOpponent = (wanted) =>
  withProfile((token) => postWithRetries("/pairings", { token, body: wanted, tries: 3 }));

/**
 * @param {"open" | "live"} state
 * @param {number} limit
 * @param {string | null} [before] where the previous page ended
 * @returns {Promise<MatchList>}
 */
export const listMatches = (state, limit, before = null) =>
  get(`/matches?state=${state}&limit=${limit}${before ? `&before=${encodeURIComponent(before)}` : ""}`);

/**
 * @param {string} match
 * @param {string | null} [token]
 * @returns {Promise<MatchView>}
 */
export const getMatch = (match, token) => get(matchPath(match), token);

/**
 * The seat that an invitation opens. Nobody takes it by asking.
 *
 * @param {string} match
 * @param {string} invitation
 * @returns {Promise<Invitation>}
 */
export const getInvitation = (match, invitation) => post(`${matchPath(match)}/invitation`, { body: { invitation } });

/**
 * @param {string} match
 * @param {import("./match-storage.js").JoinRequest} body
 * @returns {Promise<JoinedSeat>}
 */
export const joinMatch = (match, body) => withProfile((token) => post(`${matchPath(match)}/join`, { token, body }));

/**
 * @param {string} match
 * @param {string} token
 * @param {{version?: number, action: Action}} body
 * @returns {Promise<ActionAnswer>}
 */
export const postAction = (match, token, body) => postWithRetries(`${matchPath(match)}/actions`, { token, body });

/**
 * @param {string} match
 * @param {string} token
 * @returns {Promise<HandoverCode>}
 */
export const requestHandover = (match, token) => postWithRetries(`${matchPath(match)}/handover`, { token });

/**
 * @param {string} match
 * @param {string} token
 * @returns {Promise<ActionAnswer>}
 */
export const claimAbsent = (match, token) => postWithRetries(`${matchPath(match)}/absent`, { token });

/**
 * @param {string} match
 * @param {string} token
 * @returns {Promise<Rematch>}
 */
export const requestRematch = (match, token) => postWithRetries(`${matchPath(match)}/rematch`, { token });

/**
 * Accepts a rematch: takes the seat in it that is reserved.
 *
 * @param {string} match the rematch
 * @param {string} token
 */
export const arrive = (match, token) => postWithRetries(`${matchPath(match)}/arrive`, { token });

/**
 * @param {string} match
 * @param {"log" | "record"} form
 * @param {string | null} [token]
 */
export const getMatchText = async (match, form, token) =>
  (await send("GET", `${matchPath(match)}/${form}`, { token })).text();

/**
 * @param {string} match
 * @param {string | null} [token]
 * @returns {Promise<Report>}
 */
export const getReport = (match, token) => get(`${matchPath(match)}/report`, token);

/**
 * The page of a finished game.
 *
 * @param {string} match
 * @param {string | null} [token]
 * @returns {Promise<{page: string}>}
 */
export const getSharePage = (match, token) => get(`${matchPath(match)}/share`, token);

/**
 * A finished game, by the key in the address of its page.
 *
 * @param {string} key
 * @returns {Promise<GameRecord>}
 */
export const getSharedGame = async (key) =>
  localize(await (await send("GET", `/g/${key}/positions`, { root: "" })).json());

/**
 * @param {string} content of a record or a log
 * @returns {Promise<GameRecord>}
 */
export const readRecord = (content) => post("/records", { body: { text: content } });

/**
 * @param {AnalysisRequest} body
 * @returns {Promise<Analysis>}
 */
export const analyze = (body) => post("/analysis", { body });

/**
 * A position after some moves, with its legal moves. One that cannot arise in play is refused.
 *
 * @param {PositionRequest} body
 * @returns {Promise<Position>}
 */
export const getPosition = (body) => post("/positions", { body });

/** @returns {Promise<PuzzleSummary[]>} */
export const listPuzzles = () => get("/puzzles");

/**
 * @param {string} id "today" for the puzzle of the day
 * @returns {Promise<Puzzle>}
 */
export const getPuzzle = (id) => get(`/puzzles/${encodeURIComponent(id)}`);

/**
 * @param {string} game
 * @returns {Promise<Lesson>}
 */
export const getLesson = (game) => get(`/lessons/${encodeURIComponent(game)}`);

/**
 * The tokens of the seats of a match in this browser.
 *
 * @param {string} match
 * @returns {Promise<Record<string, string>>}
 */
export const getLocalSeats = (match) => get(`${matchPath(match)}/seats`);

/**
 * The best move, for somebody who plays against the computer.
 *
 * @param {string} match
 * @param {string} token
 * @returns {Promise<Hint>}
 */
export const getHint = (match, token) => get(`${matchPath(match)}/hint`, token);
