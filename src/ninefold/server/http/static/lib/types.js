/**
 * The names of the server's types in this client. The types are generated from OpenAPI, see api-types.d.ts.
 *
 * @typedef {import("./api-types.d.ts").ActedDoc} ActionAnswer
 * @typedef {import("./api-types.d.ts").ActionBody} Action
 * @typedef {import("./api-types.d.ts").AgentReportDoc} SeatReport
 * @typedef {import("./api-types.d.ts").AnalysisBody} AnalysisRequest
 * @typedef {import("./api-types.d.ts").AnalysisDoc} Analysis
 * @typedef {import("./api-types.d.ts").BlocksDoc} Blocks
 * @typedef {import("./api-types.d.ts").BoardDoc} Board
 * @typedef {import("./api-types.d.ts").ViewedClaimDoc} Claim
 * @typedef {import("./api-types.d.ts").ClockDoc} Clock
 * @typedef {import("./api-types.d.ts").HandoverDoc} HandoverCode
 * @typedef {import("./api-types.d.ts").CreatedDoc} CreatedMatch
 * @typedef {import("./api-types.d.ts").MatchBody} MatchRequest
 * @typedef {import("./api-types.d.ts").GameDoc} Game
 * @typedef {import("./api-types.d.ts").HintDoc} Hint
 * @typedef {import("./api-types.d.ts").InvitationDoc} Invitation
 * @typedef {import("./api-types.d.ts").JoinedDoc} JoinedSeat
 * @typedef {import("./api-types.d.ts").LessonDoc} Lesson
 * @typedef {import("./api-types.d.ts").LessonStepDoc} LessonStep
 * @typedef {import("./api-types.d.ts").LayoutDoc} Layout
 * @typedef {import("./api-types.d.ts").PairedDoc} PairedSeat
 * @typedef {import("./api-types.d.ts").MatchPageDoc} MatchList
 * @typedef {import("./api-types.d.ts").LegalMove} LegalMove
 * @typedef {import("./api-types.d.ts").RecordPositionDoc} RecordPosition
 * @typedef {import("./api-types.d.ts").PlayedDoc} PlayedMatch
 * @typedef {import("./api-types.d.ts").PlayedPageDoc} PlayedList
 * @typedef {import("./api-types.d.ts").PositionBody} PositionRequest
 * @typedef {import("./api-types.d.ts").PositionDoc} Position
 * @typedef {import("./api-types.d.ts").ProfileBody} ProfileRequest
 * @typedef {import("./api-types.d.ts").ProfileDoc} Profile
 * @typedef {import("./api-types.d.ts").PuzzleDoc} Puzzle
 * @typedef {import("./api-types.d.ts").PuzzleSummaryDoc} PuzzleSummary
 * @typedef {import("./api-types.d.ts").PuzzleTryDoc} PuzzleTry
 * @typedef {import("./api-types.d.ts").ProblemDoc} ProblemDocument
 * @typedef {import("./api-types.d.ts").RecordDoc} GameRecord
 * @typedef {import("./api-types.d.ts").RematchDoc} Rematch
 * @typedef {import("./api-types.d.ts").ReportBody} PlayerReport
 * @typedef {import("./api-types.d.ts").ReportDoc} Report
 * @typedef {import("./api-types.d.ts").PresenceMessage} PresenceMessage
 * @typedef {import("./api-types.d.ts").RefusedMessage} RefusedMessage
 * @typedef {import("./api-types.d.ts").SeatDoc} Seat
 * @typedef {import("./api-types.d.ts").ServerMessage} ServerMessage
 * @typedef {import("./api-types.d.ts").StandingDoc} Standing
 * @typedef {import("./api-types.d.ts").WelcomeMessage} WelcomeMessage
 * @typedef {import("./api-types.d.ts").MatchSummary} MatchSummary
 * @typedef {import("./api-types.d.ts").MatchView} MatchView
 * @typedef {import("./api-types.d.ts").MoveValueDoc} MoveValue
 * @typedef {Seat["side"]} Side
 */

export {};
