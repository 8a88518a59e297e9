"""The first page of a leaderboard: tables, plots, the cross table, and the list of all matches."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ninefold.agents.leaderboard.board_tables import (
    TextTable,
    accounts_table,
    claims_table,
    losses_table,
    pairs_table,
    play_table,
    ratings_table,
    sides_table,
)
from ninefold.agents.leaderboard.html import INDEX_SCRIPT, PAGE_THEME, TableCell, cells, page, small_print, table
from ninefold.agents.leaderboard.notes import board_notes, run_notes
from ninefold.agents.leaderboard.plots import Proportion, rates_plot, ratings_plot, results_plot
from ninefold.agents.leaderboard.run_tables import agents_table, runs_table
from ninefold.agents.leaderboard.runs import Run, RunMatch
from ninefold.agents.leaderboard.standings import Leaderboard
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
        *(_note(note) for run in runs for note in run_notes(run, run.name)),
        *([_contents(boards)] if len(boards) > 1 else []),
        *(_board(board) for board in boards),
        f"<section><h2>The runs</h2>\n{runs_table(runs)}{agents_table(runs)}</section>\n"
        f"<section><h2>How to read this</h2>\n{_METHOD}</section>\n</main>\n",
    ]
    return page("Leaderboard", "".join(body), script=INDEX_SCRIPT)


def _note(sentence: str) -> str:
    return f'<p class="note">{escape(sentence)}</p>\n'


def _contents(boards: Sequence[Leaderboard]) -> str:
    links = "".join(f'<li><a href="#{escape(board.id)}">{escape(board.title)}</a></li>' for board in boards)
    return f'<nav aria-label="Games"><ul class="links">{links}</ul></nav>\n'


def _board(board: Leaderboard) -> str:
    parts = [
        _text_table(ratings_table(board)),
        *map(_note, board_notes(board)),
        _figure(ratings_plot(board.standings, PAGE_THEME), "Elo with 95% intervals, the strongest first."),
        _figure(
            results_plot(board.standings, PAGE_THEME),
            "Games won (filled), drawn (striped) and lost (empty).",
        ),
        _text_table(sides_table(board)),
        _play(board),
        _mistakes(board),
        _text_table(claims_table(board)),
        _text_table(losses_table(board)),
        _accounts(board),
        _cross_table(board),
        _pairs(board),
        _matches(board),
    ]
    title = f'<h2 id="{escape(board.id)}">{escape(board.title)}</h2>\n'
    return f'<section class="board">\n{title}{"".join(parts)}</section>\n'


def _figure(picture: str, caption: str) -> str:
    return f"<figure>{picture}<figcaption>{escape(caption)}</figcaption></figure>\n"


def _text_table(found: TextTable | None) -> str:
    """A table of text as HTML; nothing for none."""
    return table(found.caption, found.heads, (cells(*row) for row in found.rows), style="figures") if found else ""


def _play(board: Leaderboard) -> str:
    judged = f" Mistakes are judged by {' and '.join(board.judges)}." if board.judges else ""
    return _text_table(play_table(board)) + small_print(
        "Mistakes gave away a win or a draw, out of the moves judged. Misreports are false statements of an agent on "
        "its own moves, out of all such statements. Illegal tries were refused by the referee. Crashes are counted in "
        f"matches that were played again, too.{judged}"
    )


def _mistakes(board: Leaderboard) -> str:
    rates = [Proportion(one.agent, one.metrics.mistakes, one.metrics.judged) for one in board.standings]
    if not any(rate.total for rate in rates):
        return ""
    title = "Mistakes per judged move"
    return _figure(rates_plot(title, rates, PAGE_THEME), f"{title}, with 95% intervals.")


def _accounts(board: Leaderboard) -> str:
    found = _text_table(accounts_table(board))
    return found and found + small_print(text("usage.estimates"))


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
    summary = "Paired tests, and how many games are still needed"
    found = _text_table(pairs_table(board))
    return found and f"<details><summary>{summary}</summary>\n{found}</details>\n"


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
