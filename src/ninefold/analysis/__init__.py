"""Analysis: the engine, what moves are worth, threats, and the referee's report on how agents played."""

from ninefold.analysis.messages import ENGLISH
from ninefold.core.messages import register

register(ENGLISH)
