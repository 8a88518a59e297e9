/**
 * The names of the server's types in this client. The types are generated from OpenAPI, see api-types.d.ts.
 *
 * @typedef {import("./api-types.d.ts").ActedOut} ActionAnswer
 * @typedef {import("./api-types.d.ts").ActionIn} Action
 * @typedef {import("./api-types.d.ts").AgentOut} SeatReport
 * @typedef {import("./api-types.d.ts").AnalysisIn} AnalysisRequest
 * @typedef {import("./api-types.d.ts").AnalysisOut} Analysis
 * @typedef {import("./api-types.d.ts").BoardOut} Board
 * @typedef {import("./api-types.d.ts").ClaimOut} Claim
 * @typedef {import("./api-types.d.ts").ClockOut} Clock
 * @typedef {import("./api-types.d.ts").CodeOut} HandoverCode
 * @typedef {import("./api-types.d.ts").CreatedOut} CreatedMatch
 * @typedef {import("./api-types.d.ts").CreateIn} MatchRequest
 * @typedef {import("./api-types.d.ts").EventOut} MatchEvent
 * @typedef {import("./api-types.d.ts").GameOut} Game
 * @typedef {import("./api-types.d.ts").JoinedOut} JoinedSeat
 * @typedef {import("./api-types.d.ts").LayoutOut} Layout
 * @typedef {import("./api-types.d.ts").MatchesOut} MatchList
 * @typedef {import("./api-types.d.ts").MoveOut} LegalMove
 * @typedef {import("./api-types.d.ts").PositionOut} RecordPosition
 * @typedef {import("./api-types.d.ts").ProblemOut} ProblemDocument
 * @typedef {import("./api-types.d.ts").RecordOut} GameRecord
 * @typedef {import("./api-types.d.ts").RematchOut} Rematch
 * @typedef {import("./api-types.d.ts").ReportOut} Report
 * @typedef {import("./api-types.d.ts").SeatOut} Seat
 * @typedef {import("./api-types.d.ts").ShortOut} MatchSummary
 * @typedef {import("./api-types.d.ts").ViewOut} MatchView
 * @typedef {import("./api-types.d.ts").WorthOut} MoveValue
 * @typedef {Seat["side"]} Side
 */

export {};
