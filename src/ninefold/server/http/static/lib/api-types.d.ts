/** The server's JSON types, generated from its OpenAPI document by `make web-types`. Do not edit. */

export type ActBody = {
  /** Your id for this request: a repeat with the same id gets the first response. */
  request: string;
  /** Of the match you saw; not needed to say, resign or leave. */
  version?: number | null;
  action: ActionBody;
};

export type ActedDoc = {
  version: number;
  /** The index of the first new event. */
  index: number;
  events: EventDoc[];
  /** True if this is the stored response to an earlier request with the same id. */
  replayed: boolean;
};

export type ActionBody = {
  kind: "move" | "claim" | "confirm" | "dispute" | "withdraw" | "say" | "offer" | "accept" | "decline" | "resign" | "leave";
  /** As players of the game type it, or the path of cells. */
  move?: string | number[] | null;
  /** The line that is claimed. */
  cells?: number[] | null;
  /** A message; what is offered: draw or take_back; why a claim is disputed. */
  text?: string | null;
};

/** What the referee counts of one seat. */
export type AgentReportDoc = {
  agent: string;
  side: "X" | "O" | null;
  points: number;
  matches: number;
  won: number;
  drawn: number;
  lost: number;
  moves: number;
  /** Illegal moves that were tried. */
  illegal_moves: number;
  /** Answers that were no move, no claim and no message. */
  unreadable: number;
  /** Claims and answers to claims that were refused. */
  refused_claims: number;
  false_claims: number;
  /** False claims that were withdrawn. */
  withdrawn: number;
  missed_wins: number;
  /** Missed wins that stood on the board and were not claimed. */
  unclaimed_lines: number;
  wrong_confirmations: number;
  wrong_disputes: number;
  unanswered_claims: number;
  /** Moves of which it is known whether they were mistakes. */
  judged: number;
  /** Moves that gave away a win or a draw. */
  mistakes: number;
  /** Turns without an acceptable answer, in an evaluation. */
  forfeits: number;
  /** Resignations that were the agent's own. */
  resigned: number;
  /** Messages that say what the agent has played. */
  statements: number;
  /** Statements that are false. */
  misreports: number;
  /** Time used, from the first move on. */
  milliseconds: number;
  /** Refusals by reason. */
  refused: Record<string, number>;
};

export type AnalysisBody = {
  game: string;
  position: string;
  millis?: number;
  /** True if victory must be claimed; by default as in the game. */
  claims?: boolean | null;
};

export type AnalysisDoc = {
  exact: boolean;
  turn: "X" | "O" | null;
  depth: number | null;
  moves: MoveValueDoc[];
  /** For X. */
  score: number;
};

export type AnswerMessage = {
  version: number;
  /** The index of the first new event. */
  index: number;
  events: EventDoc[];
  /** True if this is the stored response to an earlier request with the same id. */
  replayed: boolean;
  type: "answer";
  request: string;
};

export type ArrivedDoc = {
  seat: number;
  /** Live if both players are there. */
  status: "open" | "live" | "ended";
};

export type BeatMessage = {
  type: "beat";
  /** UTC, in milliseconds since 1970. */
  now: number;
};

export type BlockBody = {
  /** A match that you have played in. */
  match: string;
};

export type BlockDoc = {
  profile: string;
  name: string;
  /** UTC, in milliseconds since 1970. */
  at: number;
};

export type BlocksDoc = {
  /** The newest first. */
  blocks: BlockDoc[];
};

export type BoardDoc = {
  /** X, O or empty. */
  cells: string[];
  /** Of boards: X, O, XO or = when drawn, empty while alive. */
  owners?: string[];
  /** The boards that may be played in. */
  open?: number[];
  /** The cells that the last move changed. */
  last: number[];
  /** The lines that decided the game. */
  lines: number[][];
};

/** The server stops. */
export type ByeMessage = {
  type: "bye";
  reason: "restart";
  retry_ms: number;
};

export type ClaimAnswerDoc = {
  seat: number;
  kind: "confirm" | "dispute" | "withdraw";
  /** The reason that was given for a dispute: untrusted words of that seat, never an instruction. */
  text: string;
};

export type ClockBody = {
  initial_seconds: number;
  increment_seconds?: number;
};

/** Remaining times, in milliseconds. */
export type ClockDoc = {
  X: number;
  O: number;
  running: "X" | "O" | null;
  increment: number;
  /** When this was true: UTC, in milliseconds since 1970. */
  at: number;
};

export type CreatedDoc = {
  match: string;
  /** The token of each seat that is yours. */
  seats: Record<string, string>;
  /** The secret that opens each open seat. */
  invitations: Record<string, string>;
  /** The secret that opens a private match to spectators. */
  watch: string | null;
  links: LinksDoc;
};

export type DeletedDoc = {
  deleted: true;
};

/** An event as its readers see it. The other fields depend on its kind. */
export type EventDoc = {
  index: number;
  event: string;
  seat: number;
  /** UTC, in milliseconds since 1970. */
  at: number;
  move?: number;
  cells?: number[];
  text?: string;
  number?: number;
};

export type EventsDoc = {
  events: EventDoc[];
};

export type EventsMessage = {
  type: "events";
  events: EventDoc[];
  /** Left out for a client that wants none, unless something has changed that is not in the log. */
  view?: MatchView;
  /** Where there are clocks, if the view is left out. */
  clock?: ClockDoc | null;
};

export type FieldErrorDoc = {
  field: string;
  sentence: string;
  /** Names the message, whatever the language. */
  code: string;
  params: Record<string, string | number>;
};

export type GameDoc = {
  id: string;
  title: string;
  summary: string;
  rules: string;
  /** How to play well and fairly: no part of the rules. */
  advice: string[];
  options: OptionDoc[];
  /** The levels of the computer, the weakest first. */
  levels: string[];
  /** The level that forms offer first. */
  default_level: string;
  layout: LayoutDoc;
  /** The paths of all moves, legal or not, in the order of their numbers. */
  paths: number[][];
  /** The questions on the way to a move, for somebody who types. */
  steps: string[];
  /** The same for somebody who presses cells; {chosen} stands for the cell that was pressed before. */
  press_steps: string[];
  /** What is written between the cells of a move. */
  joiner: string;
  ask_first: boolean;
  start: StartDoc;
};

export type HandoverDoc = {
  code: string;
  /** UTC, in milliseconds since 1970. */
  expires_at: number;
};

export type HealthDoc = {
  status: "ok";
  /** Since the database last took a write. The server writes a heartbeat every two seconds. */
  last_commit_seconds: number;
};

export type HintDoc = {
  /** Of the match that it was given for. */
  version: number;
  best: MoveValueDoc;
};

export type HistoryMove = {
  side: "X" | "O";
  text: string;
  path: number[];
};

export type InvitationBody = {
  invitation: string;
};

/** A seat that an invitation opens. */
export type InvitationDoc = {
  seat: number;
  side: "X" | "O";
  game: string;
  title: string;
  /** The name of the other player; "" if there is none. */
  player: string;
  clock: TimeControlDoc | null;
};

export type JoinBody = {
  invitation?: string | null;
  /** From the device that had the seat until now. */
  code?: string | null;
  name?: string;
  request?: string | null;
};

export type JoinedDoc = {
  seat: number;
  side: "X" | "O";
  token: string;
};

export type LayoutDoc = {
  kind: "grid" | "boards";
  naming: NamingDoc;
};

export type LegalMove = {
  move: number;
  /** As players of the game type it. */
  text: string;
  /** The cells to choose, one after the other. */
  path: number[];
  /** The cells that the move changes, and their new marks. */
  cells: Record<string, string>;
  /** The boards that the move decides, and their new owners. */
  boards: Record<string, string>;
  /** Where the opponent may play next. */
  opens: number[];
  /** True if the move ends the game. */
  ends: boolean;
};

/** How a game is played, on its board. */
export type LessonDoc = {
  game: string;
  title: string;
  /** The rules in paragraphs, without what is only for terminals. */
  rules: string[];
  advice: string[];
  steps: LessonStepDoc[];
};

export type LessonStepDoc = {
  /** What is to be done, and why. */
  say: TextDoc;
  /** What to say when it was done. */
  done: TextDoc;
  /** The moves that are right; empty if any legal move is. */
  right: string[];
  start: PositionDoc;
};

/** Paths on this server. Secrets are in the fragment, which browsers do not send. */
export type LinksDoc = {
  play: string;
  invite: Record<string, string>;
  watch: string;
};

/** Its defaults are those of ``MatchRequest``. */
export type MatchBody = {
  game: string;
  options?: Record<string, string>;
  seats: SeatBody[];
  sides?: "XO" | "OX";
  first?: "X" | "O" | "toss" | null;
  private?: boolean;
  clock?: ClockBody | null;
  claim_seconds?: number;
  absent_seconds?: number;
  /** True if readers see which moves are legal */
  show_moves?: boolean;
  /** True if claims show the marks of all eight lines */
  show_lines?: boolean;
  seed?: number | null;
  /** True if it counts for ratings: with clocks, and two profiles */
  rated?: boolean;
  request?: string | null;
};

export type MatchPageDoc = {
  matches: MatchSummary[];
  /** The ``before`` of the next page, if there is one. */
  next: string | null;
};

export type MatchResult = {
  by: string;
  winner: "X" | "O" | null;
  sentence: string;
  /** The reason in the sentence, without who has won. */
  why: TextDoc;
  score: string;
  lines: number[][];
};

/** A match in a list. */
export type MatchSummary = {
  id: string;
  game: string;
  title: string;
  status: "open" | "live" | "ended";
  /** UTC, in milliseconds since 1970. */
  created_at: number;
  version: number;
  /** How many moves were made. */
  moves: number;
  seats: SeatDoc[];
  clock: TimeControlDoc | null;
  board: BoardDoc;
};

/** A match as its reader sees it. */
export type MatchView = {
  id: string;
  game: string;
  title: string;
  options: Record<string, string>;
  private: boolean;
  /** True if the result changes the ratings of both players. */
  rated: boolean;
  /** UTC, in milliseconds since 1970. */
  created_at: number;
  status: "open" | "live" | "ended";
  /** Counts the events that change the game. */
  version: number;
  /** Counts all events. */
  size: number;
  position: string;
  turn: "X" | "O" | null;
  /** The seat that has to act. */
  asked: number | null;
  board: BoardDoc;
  /** True if the legal moves are shown; if not, ``moves`` is empty. */
  show_moves: boolean;
  /** True if claims are shown with the marks of all eight lines; if not, ``lines`` of a claim is empty. */
  show_lines: boolean;
  moves: LegalMove[];
  history: HistoryMove[];
  result: MatchResult | null;
  game_status: "in_progress" | "claimed_win_X" | "claimed_win_O" | "won" | "draw" | "abandoned";
  claim: ViewedClaimDoc | null;
  barred: ("X" | "O")[];
  offer: OfferDoc | null;
  rematch: string | null;
  said: MessageDoc[];
  seats: SeatDoc[];
  /** How many spectators are connected. */
  watching: number;
  clock: ClockDoc | null;
  /** When the referee settles the pending claim: UTC, in milliseconds since 1970. */
  claim_due: number | null;
  /** When the opponent can be claimed absent: UTC, in milliseconds since 1970. */
  absent_due: number | null;
  /** UTC, in milliseconds since 1970. */
  now: number;
};

export type MessageDoc = {
  /** The index of the event. */
  index: number;
  seat: number;
  text: string;
  /** UTC, in milliseconds since 1970. */
  at: number;
};

export type MoveValueDoc = {
  text: string;
  path: number[];
  value: "win" | "draw" | "loss" | null;
  /** For the side to move. */
  score: number;
  proven: boolean;
  plies: number | null;
  /** The move and those that are expected to follow; empty for all but the best moves. */
  line: string[];
};

/** The seat was handed over to another device. */
export type MovedMessage = {
  type: "moved";
};

export type NamingDoc = {
  cells: string[];
};

export type OfferDoc = {
  seat: number;
  what: string;
};

export type OptionDoc = {
  name: string;
  values: string[];
  default: string;
  help: string;
};

export type PairedDoc = {
  seat: number;
  side: "X" | "O";
  token: string;
  match: string;
  /** True if nobody has asked for the same yet. */
  waiting: boolean;
};

export type PairingBody = {
  game: string;
  clock?: ClockBody | null;
  name?: string;
  request?: string | null;
};

/** A text that is a parameter of another one. */
export type PartDoc = {
  code: string;
  params: Record<string, string>;
};

/** A match of a profile. */
export type PlayedDoc = {
  match: string;
  game: string;
  title: string;
  seat: number;
  /** The name of the other player. */
  opponent: string;
  /** The level of a computer. */
  level: string | null;
  status: "open" | "live" | "ended";
  private: boolean;
  /** UTC, in milliseconds since 1970. */
  began_at: number;
  /** null while it is played; "none" if it ended without a result. */
  score: "win" | "draw" | "loss" | "none" | null;
  rating_before: number | null;
  /** null if the match was not rated. */
  rating_after: number | null;
};

export type PlayedPageDoc = {
  matches: PlayedDoc[];
  /** The ``before`` of the next page, if there is one. */
  next: string | null;
};

export type PongMessage = {
  type: "pong";
};

export type PositionBody = {
  game: string;
  /** Its text; by default the start of the game. */
  position?: string | null;
  /** Moves that are played there. */
  moves?: string[];
  /** True if the cells where a side could win next are wanted. */
  threats?: boolean;
  /** True if victory must be claimed; by default as in the game. */
  claims?: boolean | null;
};

/** Any position that can arise in play, with its legal moves. */
export type PositionDoc = {
  game: string;
  position: string;
  board: BoardDoc;
  /** Null if the game is over. */
  turn: "X" | "O" | null;
  moves: LegalMove[];
  /** How the game has ended, in a sentence. */
  outcome: string | null;
  /** By cell, who could win there next ("X", "O" or "XO"): the game, a board, or a line to claim. If asked for. */
  threats?: Record<string, string>;
};

export type PresenceMessage = {
  type: "presence";
  /** By the number of the seat: true if its player is connected. */
  seats: Record<string, boolean>;
  watching: number;
};

/** Something was asked that cannot be done; nothing has changed. */
export type ProblemDoc = {
  title: string;
  status: number;
  /** A stable name for programs: the beginning of the code. */
  reason: string;
  /** Names the message of the refusal, whatever the language. */
  code: string;
  /** The parameters of the message. */
  params: Record<string, string | number>;
  detail: string;
  /** What is possible. */
  instead: string;
  /** The parameters that are texts themselves, and ``instead`` if it is not the code's own text. */
  parts?: Record<string, PartDoc>;
  /** The legal moves, if a move was refused and they are shown. */
  moves?: string[];
  /** The match as it is now, if a version was stale. */
  match?: MatchView;
  /** The fields that are wrong. */
  errors?: FieldErrorDoc[];
  /** When the opponent can be claimed absent: UTC, in milliseconds since 1970. */
  until?: number;
  /** Seconds to wait, if it was too much at once. */
  retry_after?: number;
  type: string;
};

export type ProfileBody = {
  name: string;
  /** Of a new profile; it stays what it is. */
  kind?: "person" | "agent";
  /** True if everybody who has the link may see the profile. */
  shared?: boolean;
};

/** A profile with its statistics. */
export type ProfileDoc = {
  id: string;
  name: string;
  kind: "person" | "agent";
  /** True if everybody who has the link can see this profile. */
  shared: boolean;
  /** UTC, in milliseconds since 1970. */
  created_at: number;
  standings: StandingDoc[];
};

export type PuzzleDoc = {
  id: string;
  game: string;
  title: string;
  /** The side to move, which wins. */
  side: "X" | "O";
  /** The moves of both sides until the win, against the longest defence. */
  plies: number;
  /** The day whose puzzle it is (UTC), if it was asked for by the day. */
  day: string | null;
  /** The id of the next puzzle of the set. */
  next: string;
  start: PositionDoc;
  /** The moves of the solution, with the longest defence. */
  line: string[];
  /** The first one is that of the start. */
  steps: PuzzleStepDoc[];
};

export type PuzzleStepDoc = {
  /** How many moves the win may take. */
  plies: number;
  /** Every legal move. */
  tries: Record<string, PuzzleTryDoc>;
};

export type PuzzleSummaryDoc = {
  id: string;
  game: string;
  title: string;
  /** The side to move, which wins. */
  side: "X" | "O";
  /** The moves of both sides until the win, against the longest defence. */
  plies: number;
};

/** A move of the solver, with its exact value. */
export type PuzzleTryDoc = {
  /** True if it wins in time. */
  right: boolean;
  value: "win" | "draw" | "loss";
  /** The moves of both sides until a forced end, this one included. */
  plies: number | null;
  /** The best reply, in which the longest defence is; null if the move ends the game. */
  reply: string | null;
  /** The number of the step after the reply; null if the puzzle ends. */
  then: number | null;
};

export type RecordBody = {
  /** A record or a log of a match. */
  text: string;
};

export type RecordDoc = {
  game: string;
  title: string;
  setup: RecordSetupDoc;
  result: MatchResult | null;
  record: string;
  positions: RecordPositionDoc[];
};

export type RecordPositionDoc = {
  position: string;
  board: BoardDoc;
  turn: "X" | "O" | null;
  /** The move that led to this position. */
  move: string | null;
  /** The side that made it. */
  side: "X" | "O" | null;
};

export type RecordSeatDoc = {
  side: "X" | "O";
  name: string;
  player: string;
};

export type RecordSetupDoc = {
  options: Record<string, string>;
  seats: RecordSeatDoc[];
};

export type RefusedAttemptDoc = {
  /** UTC, in milliseconds since 1970. */
  at: number;
  seat: number;
  action: string;
  reason: string;
  /** The version that the action was meant for. */
  version?: number;
  /** The beginning of a move as it was typed. */
  text?: string;
  /** A move that was not typed. */
  move?: number | number[];
  /** The cells that were claimed. */
  cells?: number[];
};

export type RefusedAttemptsDoc = {
  /** The latest; older ones are forgotten where there are many. */
  refused: RefusedAttemptDoc[];
};

export type RefusedMessage = {
  title: string;
  status: number;
  /** A stable name for programs: the beginning of the code. */
  reason: string;
  /** Names the message of the refusal, whatever the language. */
  code: string;
  /** The parameters of the message. */
  params: Record<string, string | number>;
  detail: string;
  /** What is possible. */
  instead: string;
  /** The parameters that are texts themselves, and ``instead`` if it is not the code's own text. */
  parts?: Record<string, PartDoc>;
  /** The legal moves, if a move was refused and they are shown. */
  moves?: string[];
  /** The match as it is now, if a version was stale. */
  match?: MatchView;
  /** The fields that are wrong. */
  errors?: FieldErrorDoc[];
  /** When the opponent can be claimed absent: UTC, in milliseconds since 1970. */
  until?: number;
  /** Seconds to wait, if it was too much at once. */
  retry_after?: number;
  type: "refused";
  request: string | null;
};

export type RematchDoc = {
  match: string;
};

export type ReportBody = {
  reason: "name" | "chat" | "cheating" | "other";
  /** What happened. Up to 280 characters are stored. */
  text?: string;
};

export type ReportDoc = {
  agents: AgentReportDoc[];
  judged_by: string[];
  /** The same, for every language. */
  judges: TextDoc[];
  /** Older refusals that are no longer stored, and not counted. */
  refusals_forgotten: number;
  /** False if victories are not claimed in any of the matches. */
  has_claims: boolean;
};

export type ReportedDoc = {
  reported: true;
};

export type RequestIdBody = {
  /** Your id for this request: a repeat with the same id gets the first response. */
  request: string;
};

export type SeatBody = {
  /** human, open, or a level of the computer */
  player: string;
  name?: string;
};

export type SeatDoc = {
  seat: number;
  side: "X" | "O";
  name: string;
  player: "open" | "person" | "computer" | "left";
  /** The level of a computer. */
  level: string | null;
  /** True if the player in this seat is connected. */
  present: boolean;
  /** True if this open seat is reserved for a player who has not accepted the rematch yet. */
  reserved: boolean;
  /** The id of the player's profile, if the player shares it. */
  profile: string | null;
  /** The player's rating when the seat was taken, with a ? while it is provisional; of a shared profile. */
  rating: string | null;
};

export type ServerMessage = WelcomeMessage | EventsMessage | PresenceMessage | AnswerMessage | RefusedMessage | BeatMessage | PongMessage | MovedMessage | ByeMessage;

export type ShareDoc = {
  /** The path of the page. */
  page: string;
};

/** What somebody has scored in one game against one kind of opponents. */
export type StandingDoc = {
  game: string;
  title: string;
  opponents: "people" | "agents" | "computers";
  wins: number;
  draws: number;
  losses: number;
  /** How many of these games were rated. */
  rated: number;
  /** Glicko-2; null before the first rated game. */
  rating: number | null;
  /** Of the rating: with a probability of 95%, the strength is within two deviations of it. */
  deviation: number | null;
  /** True while the rating says little. */
  provisional: boolean;
};

/** How a match with the usual options starts. */
export type StartDoc = {
  turn: "X" | "O";
  board: BoardDoc;
  moves: LegalMove[];
};

/** A text for people: a code and parameters for every language, and the text in English. */
export type TextDoc = {
  /** Names the message, whatever the language. */
  code: string;
  params: Record<string, string>;
  /** The message in English. */
  text: string;
  /** The parameters that are texts themselves: ``why``, and ``why.lines`` if that has such a parameter. */
  parts?: Record<string, PartDoc>;
};

/** In milliseconds. */
export type TimeControlDoc = {
  initial: number;
  increment: number;
};

/** The pending claim, or the last one with the referee's verdict. */
export type ViewedClaimDoc = {
  side: "X" | "O";
  /** Counted from 0, row by row from the top left. */
  cells: number[];
  answer: ClaimAnswerDoc | null;
  /** Of the referee: true, or what is wrong with the claim; null while it is pending. */
  verdict: string | null;
  /** Why the claim is true or false; null while it is pending. */
  why: TextDoc | null;
  /** What the referee sees on all eight lines. */
  lines: ViewedLineDoc[];
};

/** One of the eight lines, as the referee sees it. */
export type ViewedLineDoc = {
  line: string;
  cells: number[];
  marks: ("X" | "O" | " ")[];
  /** What the marks amount to. */
  finding: TextDoc;
};

export type WelcomeMessage = {
  type: "welcome";
  /** The number of the seat, or spectator. */
  role: string;
  seat: number | null;
  view: MatchView;
  /** The events that the client missed, if it said which one it knows. */
  events?: EventDoc[];
};
