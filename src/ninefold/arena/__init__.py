"""The arena: tournaments between players, resumable, with Elo ratings and their confidence intervals."""

from ninefold.arena.messages import ENGLISH
from ninefold.core.messages import register

register(ENGLISH)
