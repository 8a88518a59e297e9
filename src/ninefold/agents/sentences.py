"""The state of a match in words, for the agent that has called a tool. None of the words was chosen by a player."""

from __future__ import annotations

from ninefold.core.game import Game
from ninefold.core.messages import text
from ninefold.server.hosting.view import MatchView


def sentence(game: Game, view: MatchView, seat: int, asked: str) -> str:
    """The state of the match, as a seat sees it that is asked for something; for spectators the seat is 0."""
    if view["result"]:
        over = text("tool.over", result=view["result"]["sentence"])
        return f"{over} {text('tool.rematch')}" if view["rematch"] and seat else over
    if not seat:
        return _for_spectators(game, view)
    if view["status"] == "open":
        reserved = any(one["reserved"] for one in view["seats"])
        return text("tool.open.rematch" if reserved else "tool.open")
    match asked:
        case "move":
            return _last_move(view, seat) + text("tool.move", side=view["turn"])
        case "answer_offer":
            return _offered(view, seat)
        case "answer_claim":
            return text("tool.answer_claim", **_claim(game, view))
        case "wait" if view["game_status"] != "in_progress":
            return text("tool.claim_pending")
        case _:
            is_absent = view["absent_due"] is not None and view["absent_due"] <= view["now"]
            return text("tool.wait.absent" if is_absent else "tool.wait", side=view["turn"])


def _last_move(view: MatchView, seat: int) -> str:
    """The opponent's last move, if nothing was played since."""
    if not view["history"] or view["history"][-1]["side"] == view["seats"][seat - 1]["side"]:
        return ""
    last = view["history"][-1]
    return text("tool.played", side=last["side"], move=last["text"]) + " "


def _offered(view: MatchView, seat: int) -> str:
    draw = view["offer"] is not None and view["offer"]["what"] == "draw"
    if view["asked"] == seat:
        return text("tool.offer.draw" if draw else "tool.offer.take_back")
    return text("tool.offer.draw.waiting" if draw else "tool.offer.take_back.waiting")


def _for_spectators(game: Game, view: MatchView) -> str:
    if view["status"] == "open":
        return text("tool.watch.open")
    if view["game_status"] == "in_progress":
        return text("tool.watch.move", side=view["turn"])
    return text("tool.watch.claim", **_claim(game, view))


def _claim(game: Game, view: MatchView) -> dict[str, str]:
    claim = view["claim"]
    return {"side": claim["side"], "cells": game.naming.format(claim["cells"])} if claim else {}
