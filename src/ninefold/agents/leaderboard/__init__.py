"""Leaderboards of evaluation runs: statistics, pages to read, and exports."""

from ninefold.agents.leaderboard.messages import ENGLISH
from ninefold.core.messages import register

register(ENGLISH)
