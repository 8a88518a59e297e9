"""Playing at a terminal: line by line, or on the full screen."""

from ninefold.core.messages import register
from ninefold.terminal.messages import ENGLISH

register(ENGLISH)
