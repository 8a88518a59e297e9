/**
 * The documents of the server, as types for the editor. Nothing here runs.
 *
 * @typedef {"X" | "O"} Side
 *
 * @typedef {object} Layout how a game's board is laid out and what its cells are called
 * @property {"grid" | "boards"} kind
 * @property {{cells: string[]}} naming
 *
 * @typedef {object} Option
 * @property {string} name
 * @property {string[]} values
 * @property {string} default
 * @property {string} help
 *
 * @typedef {object} Game
 * @property {string} id
 * @property {string} title
 * @property {string} summary
 * @property {string} rules
 * @property {Option[]} options
 * @property {string[]} levels
 * @property {Layout} layout
 * @property {number[][]} paths of all moves there are, legal or not
 * @property {string[]} steps
 * @property {string} joiner what stands between the cells of a move's text
 * @property {boolean} ask_first
 *
 * @typedef {object} Board
 * @property {string[]} cells "X", "O" or "": nine, or eighty-one board by board
 * @property {string[]} [owners] of the boards: "", "X", "O", "XO" or "="
 * @property {number[]} [open] the boards that may be played in
 * @property {number[]} [last] cells that the last move changed
 * @property {number[][]} [lines] of cells, or of boards, that decided
 *
 * @typedef {object} Move a legal move and what it does
 * @property {number} move
 * @property {string} text
 * @property {number[]} path
 * @property {Record<string, string>} cells
 * @property {Record<string, string>} boards
 * @property {number[]} opens where the opponent may choose next
 * @property {boolean} ends
 * @property {number[]} [claim] the cells of a claim that travels with it
 *
 * @typedef {object} Seat
 * @property {number} seat
 * @property {Side} side
 * @property {string} name
 * @property {"person" | "computer" | "open" | "left"} player
 * @property {string | null} level
 * @property {boolean} present
 *
 * @typedef {object} Line one line of the checklist
 * @property {string} line
 * @property {number[]} cells
 * @property {string[]} marks
 *
 * @typedef {object} Claim
 * @property {Side} side
 * @property {number[]} cells
 * @property {{seat: number, kind: "confirm" | "dispute" | "withdraw", text: string} | null} answer
 * @property {string | null} verdict null while it waits for its answer
 * @property {Line[]} lines
 *
 * @typedef {object} Clock
 * @property {number} X
 * @property {number} O
 * @property {Side | null} running
 * @property {number} increment
 * @property {number} at
 *
 * @typedef {object} Result
 * @property {string} by
 * @property {Side | null} winner
 * @property {string} sentence
 * @property {string} score
 * @property {number[][]} lines
 *
 * @typedef {object} View a match as its reader sees it
 * @property {string} id
 * @property {string} game
 * @property {string} title
 * @property {Record<string, string>} options
 * @property {boolean} private
 * @property {number} created_at
 * @property {"open" | "live" | "ended"} status
 * @property {number} version
 * @property {number} size
 * @property {Seat[]} seats
 * @property {string} position
 * @property {Side | null} turn
 * @property {number | null} asked
 * @property {Board} board
 * @property {boolean} show_moves whether the legal moves are told
 * @property {Move[]} moves
 * @property {{side: Side, text: string, path: number[]}[]} history
 * @property {Result | null} result
 * @property {"in_progress" | "claimed_win_X" | "claimed_win_O" | "won" | "draw"} game_status
 * @property {Claim | null} claim
 * @property {Side[]} barred
 * @property {{seat: number, what: string} | null} offer
 * @property {number} watching
 * @property {Clock | null} clock
 * @property {number | null} claim_due
 * @property {number | null} absent_due
 * @property {string | null} rematch
 * @property {{seat: number, text: string, at: number}[]} said
 * @property {number} now
 *
 * @typedef {object} Short a match in a list
 * @property {string} id
 * @property {string} game
 * @property {string} title
 * @property {"open" | "live" | "ended"} status
 * @property {number} created_at
 * @property {number} version
 * @property {number} moves how many were made
 * @property {Seat[]} seats
 * @property {{initial: number, increment: number} | null} clock
 * @property {Board} board
 *
 * @typedef {object} Page of a list of matches
 * @property {Short[]} matches
 * @property {string | null} next where the next page begins, if there is one
 *
 * @typedef {object} PositionView one position of a record
 * @property {string} position
 * @property {Board} board
 * @property {Side | null} turn
 * @property {string | null} move
 * @property {Side | null} side
 *
 * @typedef {object} RecordView
 * @property {string} game
 * @property {string} title
 * @property {{options: Record<string, string>, seats: {side: Side, name: string, player: string}[]}} setup
 * @property {Result | null} result
 * @property {string} record
 * @property {PositionView[]} positions
 *
 * @typedef {object} MoveValue
 * @property {string} text
 * @property {number[]} path
 * @property {"win" | "draw" | "loss" | null} value
 * @property {number} score
 * @property {boolean} proven
 * @property {number | null} plies
 *
 * @typedef {object} Analysis
 * @property {boolean} exact
 * @property {Side | null} turn
 * @property {number | null} depth
 * @property {MoveValue[]} moves
 * @property {number} score for X
 *
 * @typedef {object} Agent what the referee counted of a seat
 * @property {string} agent
 * @property {Side | null} side
 * @property {number} points
 * @property {number} matches
 * @property {number} won
 * @property {number} drawn
 * @property {number} lost
 * @property {number} moves
 * @property {number} illegal_moves
 * @property {number} unreadable
 * @property {number} refused_claims
 * @property {number} false_claims
 * @property {number} withdrawn
 * @property {number} missed_wins
 * @property {number} unclaimed_lines
 * @property {number} wrong_confirmations
 * @property {number} wrong_disputes
 * @property {number} unanswered_claims
 * @property {number} judged
 * @property {number} mistakes
 * @property {number} forfeits
 * @property {number} milliseconds
 * @property {Record<string, number>} refused
 *
 * @typedef {object} Report
 * @property {Agent[]} agents
 * @property {string[]} judged_by
 * @property {number} refusals_forgotten
 */

export {};
