"""The first page of a leaderboard: tables, plots, the cross table, and the list of all matches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from ninefold.agents.leaderboard.html import (
    INDEX_SCRIPT,
    PAGE_THEME,
    TableCell,
    cells,
    page,
    percent,
    small_print,
    table,
)
from ninefold.agents.leaderboard.notes import board_notes
from ninefold.agents.leaderboard.plots import Proportion, rates_plot, ratings_plot, results_plot
from ninefold.agents.leaderboard.run_tables import accounts_table, agents_table, runs_table
from ninefold.agents.leaderboard.runs import Run, RunMatch
from ninefold.agents.leaderboard.standings import Leaderboard, Meeting, Standing, Tally
from ninefold.analysis.report.endings import CAUSES
from ninefold.analysis.report.format import time_used
from ninefold.arena.paired_tests import MOST_PAIRS
from ninefold.core.messages import text

_SHADES = 4  # of the cross table, on each side of even
_METHOD = """\
<p>Elo is the most likely set of strengths (Bradley-Terry; a draw is half a win), with a mean of 0. Agents that did not
play each other are compared through others; groups without a chain of games between them are rated apart, each with a
mean of 0. The intervals come from 1,000 tournaments that are drawn anew from the pairs of games (a Bayesian bootstrap).
Two games with the sides exchanged are one pair, because they depend on each other. In each of these tournaments
everybody also has half a pair won and half a pair lost against the opponents (the prior of Jeffreys), so that an
interval is wide where pairs are few or all alike.</p>
<p>Two agents are called different if an exact sign test over their pairs says so (p below 0.05). The games still needed
are the fewest after which the same test would say so, if the pairs go on at the same rates.</p>
<p>Many comparisons are made here: of twenty between equal agents, one is expected to look like a difference.</p>
"""


def index_page(boards: Sequence[Leaderboard], runs: Sequence[Run]) -> str:
    games = sum(len(board.matches) for board in boards)
    agents = {one.agent for board in boards for one in board.standings}
    body = [
        '<header class="top"><h1>Leaderboard</h1>',
        f"<p>{len(agents)} agents, {games} matches, {len(runs)} {'run' if len(runs) == 1 else 'runs'}.</p></header>\n",
        '<main id="main">\n',
        *_notes(runs),
        *([_contents(boards)] if len(boards) > 1 else []),
        *(_board(board) for board in boards),
        f"<section><h2>The runs</h2>\n{runs_table(runs)}{agents_table(runs)}</section>\n"
        f"<section><h2>How to read this</h2>\n{_METHOD}</section>\n</main>\n",
    ]
    return page("Leaderboard", "".join(body), script=INDEX_SCRIPT)


def _notes(runs: Sequence[Run]) -> Iterator[str]:
    for run in runs:
        if run.missing:
            note = text("leaderboard.unfinished", folder=run.name, missing=run.missing, planned=run.planned)
            yield f'<p class="note">{escape(note)}</p>\n'
        if run.crashed:
            yield f'<p class="note">{escape(text("leaderboard.crashed", folder=run.name, count=run.crashed))}</p>\n'
        if run.void:
            yield f'<p class="note">{escape(text("leaderboard.void", folder=run.name, count=run.void))}</p>\n'


def _contents(boards: Sequence[Leaderboard]) -> str:
    links = "".join(f'<li><a href="#{escape(board.id)}">{escape(board.title)}</a></li>' for board in boards)
    return f'<nav aria-label="Games"><ul class="links">{links}</ul></nav>\n'


def _board(board: Leaderboard) -> str:
    parts = [
        _ratings(board),
        *(f'<p class="note">{escape(note)}</p>\n' for note in board_notes(board)),
        _figure(ratings_plot(board.standings, PAGE_THEME), "Elo with 95% intervals, the strongest first."),
        _figure(
            results_plot(board.standings, PAGE_THEME),
            "Games won (filled), drawn (striped) and lost (empty).",
        ),
        _sides(board),
        _play(board),
        _mistakes(board),
        _claims(board) if board.has_claims else "",
        _losses(board),
        accounts_table(board),
        _cross_table(board),
        _pairs(board),
        _matches(board),
    ]
    title = f'<h2 id="{escape(board.id)}">{escape(board.title)}</h2>\n'
    return f'<section class="board">\n{title}{"".join(parts)}</section>\n'


def _figure(picture: str, caption: str) -> str:
    return f"<figure>{picture}<figcaption>{escape(caption)}</figcaption></figure>\n"


def _heads(*names: str) -> list[str]:
    return [text(f"board.{name}") for name in names]


def _ratings(board: Leaderboard) -> str:
    heads = _heads("agent", "elo", "interval", "points", "games", "share", "won", "drawn", "lost")
    rows = (
        cells(
            one.agent, f"{one.rating.elo:+.0f}", f"{one.rating.low:+.0f} to {one.rating.high:+.0f}",
            f"{one.total.points:g}", one.total.games, percent(one.total.share), *one.total,
        )
        for one in board.standings
    )  # fmt: skip
    return table("Ratings", heads, rows, style="figures")


def _sides(board: Leaderboard) -> str:
    heads = _heads("agent", "as_x", "as_o", "moves_first", "moves_second")
    rows = (
        cells(one.agent, *map(_result, (*one.by_side.values(), one.by_turn["first"], one.by_turn["second"])))
        for one in board.standings
    )
    return table("Results by side: points of games, and their share", heads, rows, style="figures")


def _result(tally: Tally) -> str:
    return f"{tally.points:g}/{tally.games} ({percent(tally.share)})" if tally.games else "–"


def _play(board: Leaderboard) -> str:
    heads = _heads(
        "agent", "moves", "mistakes", "missed_wins", "illegal_moves", "unreadable", "forfeits", "crashes",
        "misreports", "resigned", "time",
    )  # fmt: skip
    judged = f" Mistakes are judged by {' and '.join(board.judges)}." if board.judges else ""
    rows = (_play_row(one) for one in board.standings)
    return table("Play: what each agent did at the board.", heads, rows, style="figures") + small_print(
        "Mistakes gave away a win or a draw, out of the moves judged. Misreports are false statements of an agent on "
        "its own moves, out of all such statements. Illegal tries were refused by the referee. Crashes are counted in "
        f"matches that were played again, too.{judged}"
    )


def _play_row(one: Standing) -> list[TableCell]:
    m = one.metrics
    return cells(
        one.agent, m.moves, _of(m.mistakes, m.judged), m.missed_wins, m.illegal_moves, m.unreadable, m.forfeits,
        one.crashes, _of(m.misreports, m.statements), m.resigned, time_used(m.milliseconds),
    )  # fmt: skip


def _of(count: int, total: int) -> str:
    return f"{count}/{total}" if total else "–"


def _mistakes(board: Leaderboard) -> str:
    rates = [Proportion(one.agent, one.metrics.mistakes, one.metrics.judged) for one in board.standings]
    if not any(rate.total for rate in rates):
        return ""
    title = "Mistakes per judged move"
    return _figure(rates_plot(title, rates, PAGE_THEME), f"{title}, with 95% intervals.")


def _claims(board: Leaderboard) -> str:
    names = (
        "false_claims", "withdrawn", "unclaimed_lines", "wrong_confirmations", "wrong_disputes", "unanswered_claims",
        "refused_claims",
    )  # fmt: skip
    rows = (cells(one.agent, *(getattr(one.metrics, name) for name in names)) for one in board.standings)
    return table("Claims: how honestly each agent refereed", _heads("agent", *names), rows, style="figures")


def _losses(board: Leaderboard) -> str:
    causes = [cause for cause in CAUSES if any(one.endings.get(cause) for one in board.standings)]
    if not causes:
        return ""
    has_reasons = any(one.forfeit_reasons for one in board.standings)
    heads = [text("board.agent"), *(text(f"board.cause.{cause}") for cause in causes), *["reasons"] * has_reasons]
    rows = (
        [
            *cells(one.agent, *(one.endings.get(cause, 0) for cause in causes)),
            *(cells(_reasons(one)) if has_reasons else []),
        ]
        for one in board.standings
    )
    return table("How matches were lost, and why turns were forfeited", heads, rows, style="figures")


def _reasons(one: Standing) -> str:
    return ", ".join(f"{reason or 'silence'} {count}" for reason, count in sorted(one.forfeit_reasons.items()))


def _cross_table(board: Leaderboard) -> str:
    names = [one.agent for one in board.standings]
    rows = ([TableCell(escape(row)), *(_cross_cell(board, row, column) for column in names)] for row in names)
    caption = "Cross table: points of each row against each column, out of the games"
    return table(caption, [text("board.agent"), *names], rows, style="figures cross")


def _cross_cell(board: Leaderboard, row: str, column: str) -> TableCell:
    met = board.meeting(row, column)
    if met is None or row == column:
        return TableCell("·", "none")
    share = met.tally.share or 0.0
    points, share = (met.tally.points, share) if met.one == row else (met.tally.games - met.tally.points, 1 - share)
    return TableCell(f"{points:g}/{met.tally.games}", f"shade{round((share - 0.5) * 2 * _SHADES)}")


def _pairs(board: Leaderboard) -> str:
    interval = text("board.interval")
    heads = ["pair", "won, drawn, lost", "Elo", interval, "pairs +, =, −", "p", "verdict", "games still needed"]
    rows = (_pair_row(met) for met in board.meetings)
    return (
        "<details><summary>Paired tests, and how many games are still needed</summary>\n"
        + table("Each pair of agents, for the first of the two", heads, rows, style="figures")
        + "</details>\n"
    )


def _pair_row(met: Meeting) -> list[TableCell]:
    estimate, test = met.estimate, met.test
    return cells(
        f"{met.one} – {met.two}", "-".join(map(str, met.tally)), f"{estimate.elo:+.0f}",
        f"{estimate.low:+.0f} to {estimate.high:+.0f}", f"{test.better}, {test.equal}, {test.worse}",
        f"{test.p_value:.3f}", verdict(met), needed(met),
    )  # fmt: skip


def verdict(met: Meeting) -> str:
    """The outcome of a paired test in words."""
    if not met.test.is_significant:
        return text("board.verdict.open")
    return text("board.verdict.better", agent=met.one if met.test.better > met.test.worse else met.two)


def needed(met: Meeting) -> str:
    """How many games are still needed, in words."""
    if met.needed is not None:
        return f"{met.needed:,}"
    if not any(met.counts):
        return text("board.needed.no_pair")
    is_level = met.test.better == met.test.worse
    return text("board.needed.none") if is_level else text("board.needed.many", most=2 * MOST_PAIRS)


def _matches(board: Leaderboard) -> str:
    rows = ([TableCell(_link(one)), *cells(one.x, one.o, score(one), ending(one))] for one in board.matches)
    found = table("Matches", ["match", "X", "O", "result", "how it ended"], rows, style="matches")
    return (
        f"<details><summary>All {len(board.matches)} matches, to step through</summary>\n"
        '<p class="filter" hidden><label>Show matches of <input type="search" placeholder="an agent"></label></p>\n'
        f"{found}</details>\n"
    )


def _link(one: RunMatch) -> str:
    return f'<a href="matches/{escape(one.key)}.html">{escape(one.key)}</a>'


def score(one: RunMatch) -> str:
    return one.match.result.score if one.match.result else "*"


def ending(one: RunMatch) -> str:
    """How a match ended, in words: the sentence of its result."""
    result = one.match.result
    return result.sentence(one.match.game) if result else "not finished"
