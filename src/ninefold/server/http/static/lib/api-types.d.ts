/** The server's JSON types, generated from its OpenAPI document by `make web-types`. Do not edit. */

export type ActIn = {
  /** Your name for this write: a repeat with the same name gets the first answer. */
  request: string;
  /** Of the match you saw; not needed to say, resign or leave. */
  version?: number | null;
  action: ActionIn;
};

export type ActedOut = {
  version: number;
  /** of the first event it became */
  index: number;
  events: EventOut[];
  /** whether this is the answer to an earlier request of that name */
  replayed: boolean;
};

export type ActionIn = {
  kind: "move" | "claim" | "confirm" | "dispute" | "withdraw" | "say" | "offer" | "accept" | "decline" | "resign" | "leave";
  /** As players of the game type it, or the path of cells. */
  move?: string | number[] | null;
  /** The line that is claimed. */
  cells?: number[] | null;
  /** A message; what is offered: draw or take_back; why a claim is disputed. */
  text?: string | null;
};

/** What is counted of one seat. */
export type AgentOut = {
  agent: string;
  side: "X" | "O" | null;
  points: number;
  matches: number;
  won: number;
  drawn: number;
  lost: number;
  moves: number;
  /** that were tried */
  illegal_moves: number;
  /** answers that were no move, no claim, no message */
  unreadable: number;
  /** claims and answers to claims that were refused */
  refused_claims: number;
  false_claims: number;
  /** false claims that were withdrawn */
  withdrawn: number;
  missed_wins: number;
  /** missed wins that stood on the board and were not claimed */
  unclaimed_lines: number;
  wrong_confirmations: number;
  wrong_disputes: number;
  unanswered_claims: number;
  /** moves of which it is known whether they were mistakes */
  judged: number;
  /** moves that gave away a win or a draw */
  mistakes: number;
  /** turns at which no answer would do, in an evaluation */
  forfeits: number;
  /** used, from the first move on */
  milliseconds: number;
  /** every refusal by its reason */
  refused: Record<string, number>;
};

export type AnalysisIn = {
  game: string;
  position: string;
  millis?: number;
};

export type AnalysisOut = {
  exact: boolean;
  turn: "X" | "O" | null;
  depth: number | null;
  moves: WorthOut[];
  /** for X */
  score: number;
};

export type AnsweredOut = {
  seat: number;
  kind: "confirm" | "dispute" | "withdraw";
  /** why it was disputed */
  text: string;
};

export type BoardOut = {
  cells: string[];
  /** of boards: X, O, XO or = when drawn, empty while alive */
  owners?: string[];
  /** the boards that may be played in */
  open?: number[];
  /** the cells that the last move changed */
  last?: number[];
  /** that decided */
  lines?: number[][];
};

export type CheckOut = {
  line: string;
  cells: number[];
  marks: string[];
};

export type ClaimOut = {
  side: "X" | "O";
  cells: number[];
  answer: AnsweredOut | null;
  verdict: string | null;
  lines: CheckOut[];
};

export type ClockIn = {
  initial_seconds: number;
  increment_seconds?: number;
};

export type ClockOut = {
  X: number;
  O: number;
  running: "X" | "O" | null;
  increment: number;
  /** UTC, in milliseconds since 1970 */
  at: number;
};

export type CodeOut = {
  code: string;
  /** UTC, in milliseconds since 1970 */
  expires_at: number;
};

export type CreateIn = {
  game: string;
  options?: Record<string, string>;
  seats: PlaceIn[];
  sides?: "XO" | "OX";
  first?: "X" | "O" | "toss" | null;
  private?: boolean;
  clock?: ClockIn | null;
  claim_seconds?: number;
  absent_seconds?: number;
  /** True if readers are told which moves are legal */
  show_moves?: boolean;
  seed?: number | null;
  request?: string | null;
};

export type CreatedOut = {
  match: string;
  /** the token of each seat that is yours */
  seats: Record<string, string>;
  /** the secret that opens each open seat */
  invitations: Record<string, string>;
  /** the secret that opens a private match to spectators */
  watch: string | null;
  links: LinksOut;
};

export type EventOut = {
  index: number;
  event: string;
  seat: number;
  /** UTC, in milliseconds since 1970 */
  at: number;
  move?: number | null;
  cells?: number[] | null;
  text?: string | null;
  number?: number | null;
};

export type EventsOut = {
  events: EventOut[];
};

export type FieldOut = {
  field: string;
  sentence: string;
};

export type GameOut = {
  id: string;
  title: string;
  summary: string;
  rules: string;
  options: OptionOut[];
  /** of the computer, the weakest first */
  levels: string[];
  layout: LayoutOut;
  /** of all moves there are, legal or not, in the order of their numbers */
  paths: number[][];
  /** the questions on the way to a move */
  steps: string[];
  /** what stands between the cells of a move's text */
  joiner: string;
  ask_first: boolean;
};

export type HealthOut = {
  status: "ok";
};

export type JoinIn = {
  invitation?: string | null;
  /** From the device that had the seat until now. */
  code?: string | null;
  name?: string;
  request?: string | null;
};

export type JoinedOut = {
  seat: number;
  side: "X" | "O";
  token: string;
};

export type LayoutOut = {
  kind: "grid" | "boards";
  naming: NamingOut;
};

export type LinksOut = {
  play: string;
  invite: Record<string, string>;
  watch: string;
};

export type MatchesOut = {
  matches: ShortOut[];
  /** where those that are left begin; ask for what is before it */
  next: string | null;
};

export type MoveOut = {
  move: number;
  text: string;
  path: number[];
  cells: Record<string, string>;
  boards: Record<string, string>;
  opens: number[];
  ends: boolean;
};

export type NamingOut = {
  cells: string[];
};

export type OfferOut = {
  seat: number;
  what: string;
};

export type OptionOut = {
  name: string;
  values: string[];
  default: string;
  help: string;
};

export type PlaceIn = {
  /** human, open, or a level of the computer */
  player: string;
  name?: string;
};

export type PlayedOut = {
  side: "X" | "O";
  text: string;
  path: number[];
};

export type PositionOut = {
  position: string;
  board: BoardOut;
  turn: "X" | "O" | null;
  /** that led here */
  move: string | null;
  /** who made it */
  side: "X" | "O" | null;
};

/** Something was asked that cannot be done; nothing has changed. */
export type ProblemOut = {
  type: string;
  title: string;
  status: number;
  /** a stable code for programs */
  reason: string;
  detail: string;
  /** what is possible */
  instead: string;
  /** the legal moves, where a move was refused and they may be told */
  moves?: string[];
  /** the match as it is now, where a version was stale */
  match?: ViewOut | null;
  /** the fields that are wrong */
  errors?: FieldOut[];
  /** when the opponent can be claimed out */
  until?: number | null;
  /** seconds to wait, where it was too much at once */
  retry_after?: number | null;
};

export type RecordIn = {
  /** A record or a log of a match. */
  text: string;
};

export type RecordOut = {
  game: string;
  title: string;
  setup: SetupOut;
  result: ResultOut | null;
  record: string;
  positions: PositionOut[];
};

export type RefusalsOut = {
  /** the latest 200 */
  refused: RefusedOut[];
};

export type RefusedOut = {
  /** UTC, in milliseconds since 1970 */
  at: number;
  seat: number;
  action: string;
  reason: string;
  /** it was meant for */
  version?: number | null;
  /** a move as it was typed, its first 40 characters */
  text?: string | null;
  /** a move that was not typed */
  move?: number | number[] | null;
  /** that were claimed */
  cells?: number[] | null;
};

export type RematchOut = {
  match: string;
};

export type ReportOut = {
  agents: AgentOut[];
  judged_by: string[];
  /** older refusals that are no longer kept, and not counted */
  refusals_forgotten: number;
};

export type RequestIn = {
  /** Your name for this write: a repeat with the same name gets the first answer. */
  request: string;
};

export type ResultOut = {
  by: string;
  winner: "X" | "O" | null;
  sentence: string;
  score: string;
  lines: number[][];
};

export type SaidOut = {
  /** of the event */
  index: number;
  seat: number;
  text: string;
  /** UTC, in milliseconds since 1970 */
  at: number;
};

export type SeatOut = {
  seat: number;
  side: "X" | "O";
  name: string;
  player: "person" | "computer" | "open" | "left";
  level: string | null;
  present: boolean;
};

export type SetupOut = {
  options: Record<string, string>;
  seats: SetupSeatOut[];
};

export type SetupSeatOut = {
  side: "X" | "O";
  name: string;
  player: string;
};

/** A match in the list. */
export type ShortOut = {
  id: string;
  game: string;
  title: string;
  status: "open" | "live" | "ended";
  /** UTC, in milliseconds since 1970 */
  created_at: number;
  version: number;
  /** how many were made */
  moves: number;
  seats: SeatOut[];
  clock: TimesOut | null;
  board: BoardOut;
};

/** In milliseconds. */
export type TimesOut = {
  initial: number;
  increment: number;
};

/** A match as its reader sees it. */
export type ViewOut = {
  id: string;
  game: string;
  title: string;
  options: Record<string, string>;
  private: boolean;
  /** UTC, in milliseconds since 1970 */
  created_at: number;
  status: "open" | "live" | "ended";
  /** counts the events that change the game */
  version: number;
  /** counts all events */
  size: number;
  seats: SeatOut[];
  position: string;
  turn: "X" | "O" | null;
  /** the seat that has to act */
  asked: number | null;
  board: BoardOut;
  /** whether the legal moves are told; they are not when this is false */
  show_moves: boolean;
  moves: MoveOut[];
  history: PlayedOut[];
  result: ResultOut | null;
  game_status: "in_progress" | "claimed_win_X" | "claimed_win_O" | "won" | "draw";
  claim: ClaimOut | null;
  barred: ("X" | "O")[];
  offer: OfferOut | null;
  watching: number;
  clock: ClockOut | null;
  claim_due: number | null;
  absent_due: number | null;
  rematch: string | null;
  said: SaidOut[];
  /** UTC, in milliseconds since 1970 */
  now: number;
};

export type WorthOut = {
  text: string;
  path: number[];
  value: "win" | "draw" | "loss" | null;
  /** for the side to move */
  score: number;
  proven: boolean;
  plies: number | null;
};
