"""A match is a log of events: actions, the rules they follow, the state they lead to, and the log's text forms."""

from ninefold.core.messages import register
from ninefold.match.messages import ENGLISH

register(ENGLISH)
