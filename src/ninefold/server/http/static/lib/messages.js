/**
 * All texts that the client makes for people: a code with parameters becomes a sentence here. No DOM.
 *
 * Other modules name a code, and so do the pages: data-text="code". English is here; the other languages have catalogues
 * with the same codes, in core/languages, which language.js loads. A code may have a form for one: `.one` is taken if
 * the language has it for `count`. server-texts.js has the sentences that the server sends.
 */

import { catalogue, templateOf } from "./language.js";

/** English, by code. */
export const ENGLISH = /** @type {const} */ ({
  // Profiles, and what can be done about other players.
  "profile.page": "Profile",
  "profile.skip": "Skip to the profile",
  "profile.begin": "Make a profile",
  "profile.begin.how":
    "A profile keeps your games, results and ratings, on all your devices. It needs no password and no address: a key that is stored in this browser opens it.",
  "profile.name": "Name",
  "profile.make": "Make a profile",
  "profile.import": "Or the link from your other device",
  "profile.use": "Use on this device",
  "profile.import.title": "Use the profile of {name} on this device?",
  "profile.import.consequence": "You will play as {name} here. Do this only if the link is your own.",
  "profile.import.replaces":
    "You will play as {name} here, and this device forgets the profile that it has now. Do this only if the link is your own.",
  "profile.import.damaged": "This is not the whole link to a profile. Copy it again on your other device.",
  "profile.not_stored": "This browser does not store the key: use the link to another device before you close the page.",
  "profile.standings": "Results and ratings",
  "profile.standings.none": "No results yet. A game is rated if both players have profiles and there is a clock.",
  "profile.matches": "Games",
  "profile.matches.none": "No games yet.",
  "profile.rating_change": "rating {before} → {after}",
  "profile.manage": "Your profile",
  "profile.save": "Save",
  "profile.saved": "Saved.",
  "profile.shared": "Everybody who has the link may see my name, results, ratings and public games",
  "profile.shared.link": "Link to my profile",
  "profile.device": "Other devices",
  "profile.device.how": "Open this link, or scan it, on your other device. Games that you play now go on there too.",
  "profile.device.show": "Show the link to my identity",
  "profile.device.link": "Link to my identity",
  "profile.device.secret": "Whoever has this link is you. Show it to nobody, and store it well: nobody can restore a lost key.",
  "profile.sign_out": "Forget on this device",
  "profile.sign_out.title": "Forget the profile on this device?",
  "profile.sign_out.consequence": "If no other device has your key, and you have not stored the link, the profile is lost.",
  "profile.blocks": "Blocked players",
  "profile.blocks.none": "You block nobody.",
  "profile.unblock": "Unblock {name}",
  "profile.unblock.short": "Unblock",
  "profile.data": "Your data",
  "profile.data.how": "The export is one file with your profile, your results and all your games.",
  "profile.export": "Export my data",
  "profile.delete": "Delete my profile",
  "profile.delete.title": "Delete your profile?",
  "profile.delete.consequence":
    "Your profile and your ratings are deleted, rated games that you are playing are resigned, and in all your games your name becomes “deleted”. This cannot be undone.",
  "profile.deleted": "The profile is deleted.",
  "standing.game": "Game",
  "standing.opponents": "Against",
  "standing.people": "people",
  "standing.agents": "agents",
  "standing.computers": "computers",
  "standing.rating": "Rating",
  "standing.wins": "Won",
  "standing.draws": "Drawn",
  "standing.losses": "Lost",
  "standing.rated": "{rating} ± {deviation}",
  "standing.provisional": "{rating}? ± {deviation}",
  "standing.unrated": "–",
  "score.win": "won",
  "score.draw": "drawn",
  "score.loss": "lost",
  "score.none": "no result",
  "score.running": "being played",
  "match.rated": "Rated game",
  "match.new_rating": "Your rating: {before} → {after}",
  "new.rated": "Rated, if there is a clock and your opponent has a profile",
  "join.as": "You join as {name}.",
  "players.rated_name": "{name} ({rating})",
  "action.report": "Report player",
  "action.block": "Block player",
  "report_player.title": "Report {player}",
  "report_player.reason": "What is wrong?",
  "report_player.name": "The name",
  "report_player.chat": "The chat",
  "report_player.cheating": "Cheating",
  "report_player.other": "Something else",
  "report_player.text": "What happened (optional)",
  "report_player.send": "Send the report",
  "report_player.done": "The operator of this server was told.",
  "block.title": "Block {player}?",
  "block.consequence": "You will not be paired, and cannot join each other’s games. You can unblock players in your profile.",
  "block.done": "{player} is blocked.",

  // Errors of the client; the server's refusals come with their own sentences.
  "error.unreachable": "The server cannot be reached.",
  "error.unreachable.instead": "Try again.",
  "error.status": "The server answered {status}.",
  "error.unknown": "Something went wrong.",
  "error.unknown.instead": "Reload the page and try again.",
  "error.retrying": "{problem} Trying again …",
  "error.watching": "You are watching this match.",

  // Without a server.
  "offline.note":
    "You are offline. You can play the computer, or somebody beside you, solve puzzles, learn and analyze; games are kept in this browser.",
  "offline.back": "You are online again.",
  "offline.sentence": "This needs a server, and there is none now.",
  "offline.instead": "Play the computer, or somebody beside you.",
  "offline.person.sentence": "Somebody elsewhere cannot join without a server.",
  "offline.person.instead": "Play the computer, or somebody beside you.",
  "offline.player.sentence": "There is no player {name}.",
  "offline.player.instead": "Choose a level of the computer.",
  "offline.record.sentence": "Without a server only logs can be opened, and this is none.",
  "offline.record.instead": "A log begins with a brace. ninefold replay opens records.",
  "offline.store.sentence": "This browser cannot save the game now.",
  "offline.store.instead": "Make room on this device, then reload the page. What was saved before is still there.",
  "offline.engine.sentence": "This browser cannot run the engine.",
  "offline.engine.instead": "Play another game, or use another browser.",

  // Buttons and page titles.
  "page.title": "{title} · Ninefold",
  "page.cannot_open": "The page cannot be opened",
  "button.close": "Close",
  "button.cancel": "Cancel",
  "button.start": "Start",
  "button.more": "More",
  "button.rules": "Rules",
  "copy.done": "Copied",
  "copy.failed": "Copying failed",
  "rules.title": "Rules: {game}",
  "rules.label": "Rules",
  "rules.opened": "Rules of {game}",
  "rules.advice": "Advice, not part of the rules",

  // Cells, boards and moves; several are joined with commas.
  "cell.empty": "empty",
  "cell.last_move": "last move",
  "cell.playable": "playable",
  "cell.chosen": "chosen",
  "cell.threat": "{side} could win here",
  "cell.threat_both": "both could win here",
  "cell.can_be_taken": "can be taken",
  "cell.can_be_chosen": "can be chosen",
  board: "board",
  "board.playable": "playable",
  "board.won": "won by {side}",
  "board.drawn_nobody": "drawn, counts for nobody",
  "board.drawn_both": "drawn, counts for both",
  "effect.of": "{where}: {effects}",
  "effect.takes": "can take {cells}",
  "effect.wins_board": "wins the {board}",
  "effect.draws_board": "draws the {board}",
  "effect.ends": "ends the game",
  "effect.sends": "sends to the {board}",
  "effect.sends_any": "sends to any of {boards} boards",

  // Places in words.
  "place.top_left": "top-left",
  "place.top_middle": "top-middle",
  "place.top_right": "top-right",
  "place.middle_left": "middle-left",
  "place.centre": "centre",
  "place.middle_right": "middle-right",
  "place.bottom_left": "bottom-left",
  "place.bottom_middle": "bottom-middle",
  "place.bottom_right": "bottom-right",
  "place.cell": "{cell} cell",
  "place.board": "{board} board",
  "place.numbered_board": "board {chosen}", // as the questions of the games have it
  "place.the": "the {place}",
  "place.cell_in_board": "{board}, {cell} cell",
  "place.top_row": "top row",
  "place.middle_row": "middle row",
  "place.bottom_row": "bottom row",
  "place.left_column": "left column",
  "place.middle_column": "middle column",
  "place.right_column": "right column",
  "place.falling": "falling diagonal",
  "place.rising": "rising diagonal",
  "place.taking": "{cell} takes {taken}",

  // Players and times.
  "seat.computer": "Computer",
  "seat.computer_level": "Computer ({level})",
  "seat.open": "Open seat",
  "seat.player": "Player {seat}",
  "players.side": "plays {side}",
  "players.you": "you",
  "players.present": "here",
  "players.away": "away",
  "players.winner": "winner",
  "players.to_move": "to move",
  "players.to_answer": "to answer",
  "players.clock": "Clock of {side}",
  "players.time_left": "{time} left for {side}.",
  "time.hours": "{count} hours",
  "time.hours.one": "1 hour",
  "time.minutes": "{count} minutes",
  "time.minutes.one": "1 minute",
  "time.seconds": "{count} seconds",
  "time.seconds.one": "1 second",
  "time.none": "no time",
  "time.short_seconds": "{seconds} s",
  "time.short_minutes": "{minutes} min {seconds} s",

  // The first page.
  "lobby.pages": "Pages",
  "lobby.review": "Review",
  "lobby.title": "The tic-tac-toe family",
  "lobby.document_title": "Ninefold: the tic-tac-toe family",
  "lobby.description": "The tic-tac-toe family: play the computer or a friend, watch, review.",
  "lobby.mine": "Your games",
  "lobby.games": "Games",
  "lobby.opponents": "Opponents",
  "lobby.turn": "Play the computer: {question}.",
  "lobby.computer": "Computer",
  "lobby.clock": "Clock with people",
  "lobby.friend": "Play a friend",
  "lobby.find": "Find an opponent",
  "lobby.here": "Same screen",
  "lobby.options": "More options",
  "lobby.saved": "Saved games",
  "lobby.saved_where": "They are kept in this browser, and nowhere else.",
  "lobby.live": "Live matches",
  "lobby.live_none": "No public matches right now.",
  "lobby.open": "Open matches",
  "lobby.open_none": "No open seats. Start a game and let others find it.",
  "record.open": "Open a record",
  "list.players": "{one} and {other}",
  "list.mine": "{title} with {player}",
  "list.moves": "{title} · {count} moves",
  "list.moves.one": "{title} · 1 move",
  "clock.short": "{minutes} min",
  "clock.short_increment": "{minutes} min + {seconds} s",
  "list.watch": "Watch",
  "list.join": "Join",
  "list.continue": "Continue",
  "list.look": "Look",
  "list.rematch": "Rematch",
  "list.waiting_to_join": "Waiting for somebody to join",
  "list.waiting_for_opponent": "Waiting for the other player",
  "list.ended": "Ended",

  // The settings of this device.
  "settings.title": "Settings",
  "settings.theme": "Colours",
  "settings.theme.auto": "As the device",
  "settings.theme.light": "Light",
  "settings.theme.dark": "Dark",
  "settings.theme.contrast": "High contrast",
  "settings.board": "Boards",
  "settings.board.tiles": "Tiles",
  "settings.board.lines": "Lines",
  "settings.labels": "Letters and numbers on the edges of the board",
  "settings.threats": "Mark where a side could win next (not against people)",
  "settings.sound": "Sounds (key M)",
  "settings.notify": "Notify me when it is my turn",
  "settings.sound_on": "Sounds on.",
  "settings.sound_off": "Sounds off.",

  "settings.language": "Language",

  // Levels of the computer, and values of options.
  "level.random": "random",
  "level.easy": "easy",
  "level.medium": "medium",
  "level.hard": "hard",
  "level.perfect": "perfect",
  "level.expert": "expert",
  "choice.yes": "yes",
  "choice.no": "no",
  "choice.both": "both",
  "choice.nobody": "nobody",
  "choice.none": "none",
  "choice.boards": "boards",

  // The dialog for a new match.
  "new.title": "Play {game}",
  "new.opponent": "Opponent",
  "new.opponent.computer": "Computer",
  "new.opponent.friend": "Friend, by link",
  "new.opponent.here": "Same screen",
  "new.level": "Level",
  "new.side": "Your side",
  "new.side.any": "Either",
  "new.first": "Who starts",
  "new.first.toss": "Toss",
  "new.clock": "Clock",
  "new.clock.none": "No clock",
  "new.clock.increment": "{time}, {seconds} seconds a move",
  "new.place": "Kept",
  "new.place.browser": "In this browser",
  "new.place.server": "On the server",
  "new.place.why": "A game on the server can have a clock, be watched, shared, and continued on another device.",
  "new.public": "Others may find and watch it",
  "new.more_rules": "More rules",
  "new.default": "{value} (usual)",
  "new.show_moves": "Show which moves are legal",

  // Inviting, joining, sharing.
  "invite.title": "Invite a friend",
  "invite.how": "The first person to open this link plays with you. The game begins when they join.",
  "invite.how_public": "The game begins when somebody joins.",
  "invite.link": "Invitation link",
  "invite.share": "Play {game} with me",
  "join.invited": "You are invited to play",
  "join.seat_open": "A seat is open",
  "join.match": "{title}, with {player}.",
  "join.somebody": "somebody",
  "join.starts_when_you_join": "The game begins when you join.",
  "join.name": "Your name (optional)",
  "join.join": "Join the game",
  "join.joining": "Joining …",
  "join.done": "The seat is yours.",
  "join.with_clock": "{title}, {clock}",
  "join.side": "You play {side}.",
  "search.wanted": "{title} · {clock}",
  "search.since": "Since {since}.",
  "search.since_minutes": "Since {since}, for {minutes} now.",
  "search.how": "The game begins when somebody asks for the same. Keep this page open.",
  "handover.title": "Move your seat to another device",
  "handover.how": "Open this link on that device, or scan the QR code. From then on you play there.",
  "handover.until": "The link works once, until {time}.",
  "handover.link": "Link that moves the seat",
  "handover.moved": "Your seat was moved to another device.",
  "handover.moved_watching": "Your seat was moved to another device. You are watching.",
  "watch.title": "Let others watch",
  "watch.how": "Whoever has this link can watch the game, but not play.",
  "watch.link": "Link to watch",
  "share.copy": "Copy link",
  "share.title": "Share",
  "share.skip": "Skip to the board",
  "share.at_move": "Link to this position",
  "share.embed": "Board for another page",
  "share.copy_embed": "Copy code",
  "share.frame_title": "A game of Ninefold",
  "share.files": "Files",
  "share.png": "Picture (PNG)",
  "share.gif": "Animation (GIF)",
  "share.record": "Record",
  "share.log": "Log",
  "share.whole": "Open this game",
  "share.send": "Send",
  "share.qr_code": "QR code: {label}",
  "share.loopback": "This link works on this computer only. Start the server with --lan for other devices.",

  // The page of a match.
  "match.skip": "Skip to the board",
  "match.title": "Match",
  "match.opening": "Opening the match …",
  "match.all_games": "All games",
  "match.board": "Board",
  "match.connection": "Connection",
  "match.seats": "Seats",
  "match.offer": "Offer",
  "match.claim": "Claim",
  "match.absence": "Absence",
  "moves.title": "Moves",
  "moves.none": "None yet.",
  "match.not_found": "Match not found",
  "match.cannot_open": "The match cannot be opened",
  "match.try_again": "Try again",
  "match.watch": "Watch the match",
  "match.see": "See the match",
  "trouble.bad_invitation": "The link is damaged",
  "trouble.opens_nothing": "The link opens nothing",
  "trouble.invitation_used": "The invitation has been used",
  "trouble.code_used": "The link has expired",
  "trouble.no_seat": "The match is full",
  "trouble.ended": "The game is over",
  "join.damaged": "A part of the link is missing or changed.",
  "join.opens_no_seat": "This link opens no seat of the match: a part of it is missing or changed.",
  "join.opens_nothing": "A part of the link is missing or changed, or the match ended long ago.",
  "join.used": "Somebody has joined the game with this link.",
  "join.used.instead": "Ask for a link to another one.",
  "join.damaged.instead": "Ask for the link again, or copy all of it.",
  "match.missing": "It ended long ago, or it is private and needs its link.",
  "match.missing_mine": "It ended long ago, or your seat was moved to another device.",
  "match.watching": "{watching} watching",
  "match.spectator": "You are watching this match.",
  "connection.connecting": "Connecting …",
  "connection.open": "Connected",
  "connection.local": "In this browser",
  "connection.lost": "Reconnecting …",
  "connection.caught-up": "Caught up",
  "connection.refused": "Not connected",
  "connection.closed": "Not connected",
  "connection.try_now": "Try now",
  "connection.lost_retry_in": "Connection lost. What you do is sent when it is back. Trying again in {seconds} s.",
  "connection.lost_retrying": "Connection lost. What you do is sent when it is back. Trying again now …",
  "connection.caught_up_events": "Caught up: {count} new events",
  "connection.caught_up_events.one": "Caught up: 1 new event",
  "connection.missed_nothing": "Caught up: nothing was missed",
  "connection.announce_lost": "Connection lost. Reconnecting.",
  "connection.announce_back": "Connected again. {caught_up}.",
  "chat.title": "Chat",
  "chat.message": "Message",
  "chat.send": "Send",
  "chat.author": "{player} ({side})",

  // Whose turn it is, and the result.
  "status.waiting": "Waiting for the other player.",
  "status.searching": "Looking for an opponent …",
  "status.waiting_rematch": "Waiting for {player} to accept the rematch.",
  "status.rematch_offered": "A rematch: the game begins when you accept.",
  "status.thinking": "{player} is thinking …",
  "status.to_move": "{player} ({side}) to move.",
  "status.side_to_move": "{side} to move",
  "status.your_turn": "Your turn",
  "status.turn": "{turn}.",
  "status.turn_and_question": "{turn}: {question}.",
  "status.sending": "Sending the move …",
  "status.answer_claim": "{side} claims victory. Is it true?",
  "status.claim_pending": "{side} claims victory. {player} answers.",
  "result.no_winner": "No winner",
  "result.draw": "A draw",
  "result.wins": "{side} wins",
  "result.you_won": "You won",
  "result.you_lost": "You lost",
  "result.personal": "{result}. ",
  "result.why": ": {why}.",
  "choice.any_cell": "choose any cell",
  "choice.no_swap": "No swap",
  "choice.done": "That is all",
  "choice.again": "Choose again",
  "choice.or_none": "or the same cell again for none",
  "announce.joined": "{player} joined as {side}.",
  "announce.played": "{side} played {move}.",
  "announce.taken_back": "{count} moves were taken back.",
  "announce.taken_back.one": "A move was taken back.",
  "announce.board": "{board}.",
  "announce.claim": "{side} claims victory: {cells}.",
  "announce.claim_true": "The referee: the claim is true. {why}",
  "announce.claim_false": "The referee: the claim is false. {why}",
  "announce.answer_claim": "Answer the claim.",
  "announce.your_turn": "Your turn.",
  "announce.your_turn_in_board": "Your turn, {board}.",
  "announce.turn": "{side} to move.",
  "announce.turn_in_board": "{side} to move, {board}.",

  // What a player can do beside moving.
  "action.claim": "Claim victory",
  "action.take_back": "Ask to take back",
  "action.undo": "Take back",
  "action.draw": "Offer a draw",
  "action.resign": "Resign",
  "action.leave": "Leave",
  "action.handover": "Other device",
  "action.share": "Let others watch",
  "action.rematch": "Rematch",
  "action.open_rematch": "Go to the rematch",
  "action.watch_rematch": "Watch the rematch",
  "action.review": "Review",
  "action.share_game": "Share this game",
  "action.rules": "Rules",
  "resign.title": "Resign?",
  "resign.consequence": "Your opponent wins the game.",
  "resign.title_side": "Does {side} resign?",
  "resign.consequence_side": "{side} wins the game.",
  "resign.side": "{side} resigns",
  "leave.title": "Leave the game?",
  "leave.consequence": "It ends without a winner.",
  "offer.draw": "{player} offers a draw.",
  "offer.draw.mine": "You offered a draw.",
  "offer.take_back": "{player} asks to take back a move.",
  "offer.take_back.mine": "You asked to take back a move.",
  "offer.accept": "Accept",
  "offer.decline": "Decline",
  "offer.declined": "The offer was declined.",
  "absence.away": "{player} is away. In {time} you may end the game.",
  "absence.too_long": "{player} has been away too long.",
  "absence.claim": "Claim the game",
  "rematch.exists": "There is a rematch.",
  "rematch.wanted": "{player} wants a rematch.",
  "rematch.declined": "The rematch was declined.",
  "rematch.declined_by": "{player} declined the rematch.",

  // Claims.
  "claim.title": "Claim victory",
  "claim.claim_for": "Claim for {side}",
  "claim.pick": "Pick the three cells of your line on the board.",
  "claim.pick_or_place": "Pick the three cells of your line on the board. A free one can be your move.",
  "claim.announce_pick": "Pick the three cells of your line on the board, then claim.",
  "claim.picked": "Picked: {cells}",
  "claim.picked_none": "none yet",
  "claim.place": "Place {cell} and claim",
  "claim.not_now": "Not now",
  "claim.heading": "{side} claims: {cells}",
  "claim.due": "Without an answer the referee decides in {time}.",
  "claim.withdraw": "Withdraw the claim",
  "claim.confirm": "Confirm: it is true",
  "claim.reason": "Or say why it is not:",
  "claim.dispute": "Dispute",
  "claim.answered.confirm": "{player} ({side}) confirmed it.",
  "claim.answered.dispute": "{player} ({side}) disputed it: {reason}",
  "claim.answered.withdraw": "{player} ({side}) withdrew it.",
  "claim.was_true": "{side} claimed {cells}: true. {why}",
  "claim.was_false": "{side} claimed {cells}: false. {why}",
  "checklist.caption": "The eight lines",
  "checklist.line": "Line",
  "checklist.marks": "Marks",
  "checklist.finding": "Finding",
  "checklist.claimed": "claimed",

  // The referee's report.
  "report.caption": "The referee's report",
  "report.statistic": "Statistic",
  "report.player": "{player} ({side})",
  "report.points": "Points",
  "report.illegal_moves": "Illegal moves tried",
  "report.unreadable": "Unreadable answers",
  "report.refused_claims": "Refused claims",
  "report.false_claims": "False claims",
  "report.missed_wins": "Missed wins",
  "report.wrong_confirmations": "Wrong confirmations",
  "report.wrong_disputes": "Wrong disputes",
  "report.mistakes": "Mistakes",
  "report.mistakes_of": "{mistakes} of {judged}",
  "report.unknown": "not known",
  "report.time": "Time used",
  "report.judged_by": "Mistakes gave away a win or a draw, by {sources}.",
  "report.and": " and ",
  "report.forgotten": "{count} older refusals are no longer known.",
  "report.forgotten.one": "1 older refusal is no longer known.",

  // Lessons and hints.
  "learn.page": "Learn",
  "learn.skip": "Skip to the lesson",
  "learn.games": "Games",
  "learn.title": "Learn: {game}",
  "learn.step": "Step {step} of {steps}",
  "learn.back": "Back",
  "learn.next": "Next step",
  "learn.retry": "Try again",
  "learn.wrong": "{move} is allowed, but not what is asked for here. Try again.",
  "learn.over": "That was the lesson. Try a game or a puzzle.",
  "learn.rules": "The rules",
  "learn.pictures": "In pictures",
  "learn.puzzle": "Solve a puzzle",
  "learn.play": "Play",
  "learn.missing": "There is no such lesson",
  "learn.first": "The first lesson",
  "learn.lesson": "Learn step by step",
  "action.hint": "Hint",
  "hint.best": "Hint: {move} ({value}).",

  // Puzzles.
  "puzzle.page": "Puzzles",
  "puzzle.skip": "Skip to the puzzle",
  "puzzle.today_of": "Today's puzzle: {game}",
  "puzzle.number": "Puzzle {number}: {game}",
  "puzzle.task": "{side} to move wins in {plies}.",
  "puzzle.about": "You play {side}. Exactly one move wins; the win comes with your move number {moves}.",
  "puzzle.about_last": "You play {side}. Exactly one move wins; the game ends with the last move of {other}.",
  "puzzle.right": "Right. {side} answered {reply}. Go on.",
  "puzzle.solved": "Solved!",
  "puzzle.solved_claim": "Solved! The line is yours to claim.",
  "puzzle.slow": "{move} wins in {plies}, but there is a win in {best}.",
  "puzzle.draws": "{move} is only a draw: {side} answers {reply}.",
  "puzzle.loses": "{move} loses in {plies}: {side} answers {reply}.",
  "puzzle.ends": "{move} ends the game without a win.",
  "puzzle.retry": "Try again",
  "puzzle.solution": "Solution",
  "puzzle.next": "Next puzzle",
  "puzzle.moves": "Solution",
  "puzzle.sets": "All puzzles",
  "puzzle.tomorrow": "You have solved it. The next one comes tomorrow.",
  "puzzle.set": "{game}: {solved} of {puzzles} solved",
  "puzzle.in_set": "Puzzle {number}, wins in {plies}",
  "puzzle.in_set_solved": "Puzzle {number}, wins in {plies}, solved",
  "puzzle.missing": "There is no such puzzle",
  "puzzle.today": "Today's puzzle",

  // The review of a game.
  "record.how": "A record or a log that Ninefold has written. Drop a file here, choose one, or paste its text.",
  "record.file": "File",
  "record.text": "Text",
  "record.submit": "Open",
  "review.skip": "Skip to the game",
  "review.page": "Review",
  "review.back": "To the match",
  "review.other": "Open another",
  "review.board": "Board",
  "review.slider": "Position",
  "review.step.first": "First position",
  "review.step.back": "One move back",
  "review.step.forward": "One move forward",
  "review.step.last": "Last position",
  "review.values": "Values of the moves",
  "review.on_board": "on the board",
  "review.title": "Review: {game}",
  "review.seat": "{side}: {player}",
  "review.person": "a person",
  "review.computer": "computer ({level})",
  "review.unfinished": "The game was not finished.",
  "review.copy_position": "Copy position",
  "review.copy_record": "Copy record",
  "review.start": "The start. {count} moves follow.",
  "review.start.one": "The start. 1 move follows.",
  "review.position": "Move {ply} of {last}: {side} played {move}.",
  "review.variation": "Variation from move {ply}: {side} plays {move}.",
  "review.variation_from": "After move {ply}:",
  "review.variations": "Variations",
  "review.try": "Press a cell to try a move.",
  "review.line": "then {line}",
  "review.to_match": "See the match",
  "review.not_over_yet": "The game is not over",
  "review.set_up": "Set up a position",
  "review.set_up_here": "Set up from here",
  "review.set_up_position": "The position that was set up.",
  "mistake.inaccuracy": "inaccuracy, costs {cost}",
  "mistake.mistake": "mistake, costs {cost}",
  "mistake.blunder": "blunder, costs {cost}",
  "editor.title": "Set up a position",
  "editor.how": "Press a cell for X, again for O, again for nothing.",
  "editor.board": "Position",
  "editor.game": "Game",
  "editor.turn": "To move",
  "editor.turn.x": "X to move",
  "editor.turn.o": "O to move",
  "editor.sent": "Must play in",
  "editor.any_board": "any board",
  "editor.clear": "Empty the board",
  "editor.analyze": "Analyze",
  "review.more_moves": "and {moves} more",
  "review.thinking": "Thinking …",
  "review.over": "The game is over here.",
  "review.exact": "Exact values for {side}, who is to move.",
  "review.estimated": "The engine's evaluation for {side}, who is to move.",
  "review.estimated_deep": "The engine's evaluation for {side}, who is to move, {depth} moves deep.",
  "review.unknown_game": "This server does not know the game {game}.",
  "review.not_over": "This game is still being played.",
  "review.not_over.instead": "It can be reviewed when it is over.",
  "value.win": "win",
  "value.win_in": "win in {plies}",
  "value.draw": "draw",
  "value.loss": "loss",
  "value.loss_in": "loss in {plies}",
  "value.about": "about {score}",
  "value.signs": "+3 wins in 3 moves, = draws, −4 loses in 4.",
  "value.estimates": "An estimate goes from −100, lost, to +100, won.",
  "graph.label":
    "Evaluation for X over {moves} moves, from −100 to +100; {known} positions known, {mistakes} mistakes; here {score}.",
  "graph.unknown": "not known yet",

  // Why a move was refused, by the server's code. They name no cell: it is marked on the board.
  "refused.no_such_game": "There is no such game.",
  "refused.no_such_puzzle": "There is no such puzzle. Its link may have been cut.",
  "refused.no_such_puzzle.number": "The puzzles of this game have other numbers.",
  "refused.taken": "This cell is taken by {side}. Choose a free one.",
  "refused.taken.in_board": "This cell is taken by {side}. Choose a free one.",
  "refused.wrong_board": "You were sent to another board. Play in the one that is lit.",
  "refused.dead_board.won": "This board was won by {owner}. Play in one that is lit.",
  "refused.dead_board.drawn": "This board was drawn. Play in one that is lit.",
  "refused.not_adjacent": "Only a marker directly above, below, left or right can be taken. Choose another move.",
  "refused.not_opponents": "There is no marker of {side} to take. Choose another move.",
});

/**
 * @typedef {typeof ENGLISH} Catalogue
 * @typedef {keyof Catalogue} Code
 */

/**
 * The names in braces in a template.
 *
 * @template {string} Template
 * @typedef {Template extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholder<Rest> : never} Placeholder
 */

/**
 * The names of a message's parameters: all that its template names, and `count` if it has a form for one.
 *
 * @template {Code} C
 * @typedef {Placeholder<Catalogue[C]> | (`${C}.one` extends Code ? "count" : never)} ParamName
 */

/**
 * Makes the text of a message.
 *
 * @template {Code} C
 * @param {C} code
 * @param {ParamName<C> extends never ? [] : [params: Record<ParamName<C>, string | number>]} given
 * @returns {string}
 */
export function text(code, ...given) {
  /** @type {Record<string, string | number>} */
  const params = given[0] ?? {};
  return format(template(code, params.count) ?? "", params);
}

/**
 * The template of a code in the language of the page; in English if it lacks the code.
 *
 * @param {string} code
 * @param {unknown} [count]
 */
function template(code, count) {
  /** @type {Record<string, string>} */
  const english = ENGLISH;
  return templateOf(catalogue.browser, code, count) ?? (count === 1 ? english[`${code}.one`] : undefined) ?? english[code];
}

/**
 * Makes the text of a message without parameters whose code comes from a page. Throws if there is no such message.
 *
 * @param {string} code
 */
export function plainText(code) {
  if (!(code in ENGLISH)) throw new Error(`There is no message ${code}.`);
  return template(code) ?? "";
}

/**
 * Makes the text of a message whose code is computed from another one. Throws if there is no such message.
 *
 * @param {string} code
 * @param {Record<string, string | number>} params
 */
export function codedText(code, params) {
  if (!(code in ENGLISH)) throw new Error(`There is no message ${code}.`);
  return format(template(code, params.count) ?? "", params);
}

/**
 * A word of the server for people: the level of a computer, or the value of an option; as it is if it has no text.
 *
 * @param {"level" | "choice"} kind
 * @param {string} word
 */
export function wordText(kind, word) {
  return template(`${kind}.${word}`) ?? word;
}

/**
 * Puts parameters into a template, such as a game's.
 *
 * @param {string} template
 * @param {Record<string, string | number>} params
 */
export function format(template, params) {
  return template.replace(/\{(\w+)\}/g, (_, name) => String(params[name]));
}

/**
 * Why a move was refused, in words of the page; "" if the server's sentence will do, as it names no cell.
 *
 * @param {string} code
 * @param {Record<string, string | number>} params
 */
export function refusedMove(code, params) {
  return format(template(`refused.${code}`) ?? "", params);
}

/** @param {string} words */
export function capitalize(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Capitalizes a sentence, unless it begins with a label such as e8. @param {string} words */
export function sentenceCase(words) {
  return /^[a-i]\d/.test(words) ? words : capitalize(words);
}
