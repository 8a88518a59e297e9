"""Players: functions from a match to the action of the seat to act."""

from ninefold.core.messages import register
from ninefold.players.messages import ENGLISH

register(ENGLISH)
