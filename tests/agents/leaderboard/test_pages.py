"""The pages of a leaderboard: complete, safe, and standing on their own."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from ninefold.agents.leaderboard.html import style_sheet
from ninefold.agents.leaderboard.index_page import index_page
from ninefold.agents.leaderboard.match_page import match_page
from ninefold.agents.leaderboard.pages import write_pages
from ninefold.agents.leaderboard.plots import Proportion, rates_plot, ratings_plot, results_plot
from ninefold.agents.leaderboard.runs import read_runs
from ninefold.agents.leaderboard.standings import Leaderboard
from ninefold.core.palette import DARK, LIGHT
from tests.support.runs import boards_of, matches_of, play_run

VOID = {"meta", "link", "input", "br", "rect", "circle", "path"}


class Outline(HTMLParser):
    """Every tag with its attributes, and those that were not closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def written(board: Leaderboard, run_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    list(write_pages(folder, [board], read_runs([str(run_folder)])))
    return folder


def test_every_page_is_well_formed_and_every_link_leads_to_a_file(written: Path) -> None:
    pages = [written / "index.html", *written.glob("matches/*.html")]
    assert len(pages) == 13
    for page in pages:
        outline = Outline(page.read_text())
        assert outline.open == []
        for tag, attributes in outline.tags:
            link = attributes.get("href" if tag in ("a", "link") else "src") or ""
            if link and not link.startswith(("#", "data:")):
                assert (page.parent / link).is_file(), link


def test_no_page_asks_the_network_for_anything(written: Path) -> None:
    texts = [file.read_text() for file in written.rglob("*") if file.is_file()]
    namespace = "http://www.w3.org/2000/svg"
    assert not any(re.search(r"https?://|//cdn|@import|url\((?!#)", text.replace(namespace, "")) for text in texts)


def test_the_first_page_has_every_agent_figure_and_match(board: Leaderboard, written: Path) -> None:
    page = (written / "index.html").read_text()
    for one in board.standings:
        assert f'<th scope="row">{one.agent}</th>' in page
        assert f"{one.rating.elo:+.0f}" in page
    assert page.count('href="matches/') == len(board.matches)
    captions = ("Ratings", "Results by side", "Play", "Claims", "How matches were lost", "Cross table", "All pairs")
    for caption in captions:
        assert f"<caption>{caption}" in page


def test_names_and_words_of_agents_are_never_markup(tmp_path: Path) -> None:
    name = "<img src=x onerror=alert(1)>"
    agents = {name: {"script": "misreports"}, '"&': {"player": "easy"}}
    folder = play_run(tmp_path / "run", agents=agents)
    (board,) = boards_of(folder)
    pages = [index_page([board], read_runs([str(folder)])), *(match_page(one) for one in board.matches)]
    for page in pages:
        assert "&lt;img src=x" in page
        assert not any(tag == "img" for tag, _ in Outline(page).tags)
    for plot in (ratings_plot(board.standings), results_plot(board.standings)):
        assert "<img" not in plot


def test_a_match_has_a_picture_and_words_for_every_step(board: Leaderboard) -> None:
    one = board.matches[0]
    page = match_page(one)
    moves = len(one.match.state.moves)
    assert page.count("<svg xmlns") >= moves + 1
    assert page.count('<li id="step-') == page.count("<svg xmlns")


def test_the_style_has_all_themes(written: Path) -> None:
    style = (written / "style.css").read_text()
    assert style == style_sheet()
    for theme in (LIGHT, DARK):
        assert f"--x: {theme.x};" in style
    assert "prefers-color-scheme: dark" in style


def test_pictures_on_pages_follow_the_theme(board: Leaderboard) -> None:
    page = match_page(board.matches[0])
    assert 'fill="var(--surface)"' in page
    assert LIGHT.surface not in page


def test_an_unfinished_run_is_said_to_be_unfinished(tmp_path: Path) -> None:
    folder = play_run(tmp_path / "part", rounds=2, most=3)
    page = index_page(boards_of(folder), read_runs([str(folder)]))
    assert "is not finished: 5 of 8 matches are missing" in page  # two of the three pairs have met


def test_a_board_of_boards_can_be_stepped_through(tmp_path: Path) -> None:
    agents = {"a": {"player": "random"}, "b": {"player": "random"}}
    (one, _) = matches_of(play_run(tmp_path / "run", agents=agents, game="ultimate"))
    page = match_page(one)
    assert page.count('<li id="step-') == len(one.match.state.moves) + 1
    assert set(re.findall(r'<use href="#(\w+)"/>', page)) == set(re.findall(r'<g id="(\w+)"', page))
    assert len(page) < 6_000 * len(one.match.state.moves), "boards that stay the same are drawn once"


def test_rates_have_intervals_that_hold_them() -> None:
    assert Proportion("a", 0, 0).interval == (0.0, 1.0)
    for count, total in ((0, 10), (3, 10), (10, 10), (1, 1000)):
        low, high = Proportion("a", count, total).interval
        assert 0 <= low <= count / total <= high <= 1
    low, high = Proportion("a", 5, 10).interval
    assert (low, high) == pytest.approx((0.2366, 0.7634), abs=1e-4)  # Wilson (1927), as tables have it
    assert "5/10" in rates_plot("mistakes", [Proportion("a", 5, 10)])
