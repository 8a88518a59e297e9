"""The screen of a match, which is played, watched or looked through."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.messages import Prune
from textual.screen import Screen

from ninefold.core.messages import text
from ninefold.core.position import Path, Position, Side
from ninefold.match import actions
from ninefold.match.match import Match
from ninefold.terminal.hints import Hint, find_hint
from ninefold.terminal.preferences import PreferencesFile
from ninefold.terminal.tui import action_controller
from ninefold.terminal.tui.action_controller import ActionController, ClaimInput
from ninefold.terminal.tui.analysis_panel import AnalysisPanel
from ninefold.terminal.tui.analyst import AnalysisReport, Analyst, FindHint, HintSearch, LiveAnalysis
from ninefold.terminal.tui.board import BoardWidget
from ninefold.terminal.tui.dialogs import PageDialog
from ninefold.terminal.tui.executor import start_worker
from ninefold.terminal.tui.key_bindings import BINDINGS, keys_help
from ninefold.terminal.tui.legend import describe_signs
from ninefold.terminal.tui.match_layout import MatchLayout
from ninefold.terminal.tui.offered_keys import describe_keys, keys
from ninefold.terminal.tui.panels import ChecklistPanel
from ninefold.terminal.tui.prompts import ViewState
from ninefold.terminal.tui.session_adapter import ScreenSession
from ninefold.terminal.tui.timeline import EventDiff, HistoryView, Timeline, describe_steps

if TYPE_CHECKING:
    from ninefold.terminal.tui.app import NinefoldApp

TICK = 0.25  # seconds between two looks at the clocks
LEAVING = 0.2  # seconds that the analysis has to stop


class MatchScreen(Screen[None]):
    BINDINGS: ClassVar[list[BindingType]] = list(BINDINGS)

    def __init__(
        self,
        session: ScreenSession,
        *,
        make_analyst: Callable[[Callable[[AnalysisReport], None]], Analyst] = Analyst,
        find_hint: FindHint = find_hint,
    ) -> None:
        super().__init__()
        self.session = session
        self.board: BoardWidget = BoardWidget(session.match.game, session.match.position, self, id="board")
        self.match_layout: MatchLayout = MatchLayout(self.board)
        self.message: str = ""
        self.analysis: LiveAnalysis = LiveAnalysis(self.history, self.set_timer, self._show_analysis, make_analyst)
        self._is_left = self._goes_on = False
        self._timeline = Timeline()
        self._claim_input = ClaimInput(self.board)
        self._controller = ActionController(self, session, self.view_state, self.show_refusal)
        self._hints = HintSearch(self._show_hint, find_hint)
        self._hint: tuple[Position, Hint] | None = None
        self._shows_threats = False
        self._rematch: ScreenSession | None = None  # which begins once nothing lies over this screen
        self._diff = EventDiff(session.match)

    def compose(self) -> ComposeResult:
        yield self.match_layout

    def on_mount(self) -> None:
        self.board.focus()
        self._apply_preferences()
        self.session.start(self.refresh_match, self.say)
        self.set_interval(TICK, self.show_clocks)
        self.call_after_refresh(self.show)

    def _apply_preferences(self) -> None:
        preferences = self._preferences.current
        if preferences.numpad:
            self._timeline.toggle_numpad(self.session.match)
            self.board.name_cells(self.history().match.game.naming)
        self._shows_threats = preferences.threats and self.session.state.has_hints

    @property
    def _ninefold(self) -> NinefoldApp:
        return cast("NinefoldApp", self.app)

    @property
    def _preferences(self) -> PreferencesFile:
        return self._ninefold.preferences

    @on(Prune)
    def _before_removal(self) -> None:
        """While every widget still exists: news find the whole screen, or are not listened to any more."""
        self.workers.cancel_node(self)
        self.close_session()
        if self.session.parting and not self._goes_on:
            self._ninefold.report_afterwards(self.session.parting)

    def close_session(self) -> None:
        self.analysis.stop(LEAVING)
        self._hints.stop()
        for session in (self.session, self._rematch):
            if session:
                session.close()

    # What is shown

    def history(self) -> HistoryView:
        return self._timeline.at(self.session.match)

    def view_state(self) -> ViewState:
        return ViewState(
            session=self.session.state,
            history=self.history(),
            is_sending=self.session.is_sending,
            way=self.board.way,
            digits=self.board.digits,
            picked=self.board.picked,
            placed=self._claim_input.placed,
            analyzing=self.analysis.is_open,
            numpad=self._timeline.numpad,
            cursor=self.board.cursor,
            undo=self._controller.undo_action(),
            is_paused=self.analysis.is_paused,
            shows_threats=self._shows_threats,
            hint=self._hint[1] if self._hint and self._hint[0] == self.session.match.position else None,
        )

    def show(self) -> None:
        """Everything, from the session as it is, unless the screen was left before this was called."""
        if not self.match_layout.is_attached:
            return
        view = self.view_state()
        if self._claim_input.is_active and not view.may_claim:
            self._claim_input.stop()
            view = self.view_state()
        self.match_layout.show(view, self.session.clock(), self.message, self.analysis.report)

    def _show_analysis(self) -> None:
        view = self.view_state()
        self.match_layout.show_board(view, self.analysis.report)
        self.match_layout.show_text(view, self.message)  # the key that goes on

    def say(self, message: str) -> None:
        self.message = message
        self.match_layout.show_text(self.view_state(), message)

    def show_refusal(self, why: str) -> None:
        self.message = why
        self.show()  # the board too: a move that was chosen on it is not chosen any more

    def on_resize(self, event: events.Resize) -> None:
        self.match_layout.fit(event.size)
        self.analysis.analyst.lines = self.match_layout.analysis_lines
        self.call_after_refresh(self.show)

    # Changes of the session

    def refresh_match(self) -> None:
        match = self.history().match
        fresh = self._diff.of(match)
        self.message = describe_steps(match.setup, fresh) or self.message
        if any(step.event.action.kind in ("move", "take_back") for step in fresh):
            self._timeline.ply = None
        if any(step.event.action.cells is not None for step in fresh):
            self._claim_input.stop()
        self.show()
        if fresh:
            self.analysis.follow()

    def show_clocks(self) -> None:
        if clock := self.session.clock():
            self.match_layout.show_players(self.view_state(), clock)

    # The board

    def move_chosen(self, move: int) -> None:
        seat = self.session.state.to_act
        if seat is not None:
            self._controller.act(lambda _: (seat, actions.move(move)))

    def step_chosen(self) -> None:
        self.message = ""
        if self.analysis.is_open or self._hint:
            self.show()  # the values of the next choice, and where the hint leads
        else:
            self.say("")

    def path_refused(self, path: Path) -> None:
        history = self.history()
        self.say(str(history.position.why_not(path, history.match.game.naming)))

    def digits_refused(self, digits: str) -> None:
        self.say(text("screen.no_such_cell", digits=digits, cell=self.history().match.game.naming.help))

    def unbound_key(self, key: str) -> None:
        self.say(text("screen.unbound_key", key=key))

    def cells_picked(self) -> None:
        self.say("")

    def too_many_picked(self) -> None:
        self.say(text("screen.too_many_picked"))

    def claim_entered(self) -> None:
        self._controller.act(self._claim_input.claim)

    def line_chosen(self, number: int) -> None:
        self._claim_input.pick_line(number)
        self.say("")

    # Keys: acting

    def action_undo(self) -> None:
        if not self.board.cancel():
            self._controller.undo()

    def action_say(self) -> None:
        self._controller.say()

    def action_offer_draw(self) -> None:
        self._controller.act(action_controller.offer_draw)

    def action_resign(self) -> None:
        self._controller.resign()

    def action_answer(self, yes: bool) -> None:
        self._controller.answer(yes)

    def action_withdraw(self) -> None:
        self._controller.act(action_controller.withdraw)

    def action_claim(self) -> None:
        """Begin to pick cells, or claim the picked ones."""
        if self._claim_input.is_active:
            self.claim_entered()
        else:
            self._change_claim(self._claim_input.begin)

    def _change_claim(self, change: Callable[[ViewState], None]) -> None:
        with self._controller.showing_refusals():
            change(self.view_state())
            self.say("")

    def action_claim_for(self, side: str) -> None:
        self._controller.act(lambda view: self._claim_input.claim(view, Side[side]))

    def action_place(self) -> None:
        self._change_claim(self._claim_input.place)

    def on_checklist_panel_line_chosen(self, event: ChecklistPanel.LineChosen) -> None:
        if self._claim_input.is_active:
            self.line_chosen(event.number)

    def action_hint(self) -> None:
        with self._controller.showing_refusals():
            action_controller.check_hint(self.view_state())
            self.say(text("hint.searching"))
            self._hints.start(self.history().match, self.board.way)

    def _show_hint(self, match: Match, found: Hint) -> None:
        """In words, and on the board as long as its position is the latest."""
        self._hint = match.position, found
        self.message = found.sentence.partition("\n")[0]
        self.show()

    def action_rematch(self) -> None:
        with self._controller.showing_refusals():
            action_controller.check_rematch(self.view_state())
            start_worker(self, self._request_rematch, exclusive=True)

    async def _request_rematch(self) -> None:
        with self._controller.showing_refusals():
            self._rematch = await self.session.rematch()
            self.app.call_later(self._begin_rematch)

    def _begin_rematch(self) -> None:
        """Go to the rematch, once no dialog is open over this screen."""
        if self._rematch and self.is_active:
            self._goes_on = True
            self.app.switch_screen(MatchScreen(self._rematch))
            self._rematch = None

    def on_screen_resume(self) -> None:
        self._begin_rematch()

    def action_leave(self) -> None:
        self._is_left = True  # keys that were pressed together with this one do nothing any more
        self.board.is_live = False
        self.dismiss()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - Textual's
        return not self._is_left

    def action_console(self) -> None:
        """Continue at the line console, as screen readers need it."""
        self._goes_on = True
        self.app.exit(self.session.continuation)

    # Keys: looking

    def action_rules(self) -> None:
        game = self.session.match.game
        signs = describe_signs(game, claims=self.session.match.setup.has_claims)
        pages = [describe_keys(keys(self.view_state())), game.with_advice(game.rules), signs]
        body = "\n".join([*pages, keys_help(self.session.leave_note)])
        self.app.push_screen(PageDialog(game.title, body))

    def action_back(self) -> None:
        """Out of a claim, out of a move, or back to the latest position."""
        if self._claim_input.is_active:
            self._claim_input.stop()
            self.show()
        elif not self.board.cancel() and self._timeline.ply is not None:
            self.action_latest()

    def action_labels(self) -> None:
        self.message = self._timeline.toggle_numpad(self.session.match)
        self.board.name_cells(self.history().match.game.naming)
        self._preferences.remember(numpad=self._timeline.numpad)
        self.show()

    def action_threats(self) -> None:
        """Mark where somebody could win, or not, and say what is to be seen. Against a person on a server that is for
        this match only."""
        self._shows_threats = not self._shows_threats
        if self.session.state.has_hints:
            self._preferences.remember(threats=self._shows_threats)
        self.show()
        shown = "threats.shown" if self.board.shown.winning else "threats.none"
        self.say(text(shown if self._shows_threats else "threats.hidden"))

    def action_step(self, by: int) -> None:
        """Look at an earlier or a later position."""
        self._seek(self.history().ply + by)

    def action_first(self) -> None:
        self._seek(0)

    def action_latest(self) -> None:
        self._seek(len(self.session.match.state.moves))

    def on_analysis_panel_ply_chosen(self, event: AnalysisPanel.PlyChosen) -> None:
        self._seek(event.ply)

    def _seek(self, ply: int) -> None:
        self.message = self._timeline.seek(self.session.match, ply)
        self.show()
        self.analysis.follow()

    def action_analysis(self) -> None:
        if not self.view_state().may_analyze:
            self.say(text("screen.analysis_later"))
            return
        self.analysis.toggle()
        self.match_layout.open_analysis(self.analysis.is_open)
        self.call_after_refresh(self.show)

    def action_search_on(self) -> None:
        with self._controller.showing_refusals():
            action_controller.check_paused(self.view_state())
            self.analysis.search_on()
            self.show()
