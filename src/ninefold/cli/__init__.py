"""The command line: it parses what was typed, and puts the layers together."""

from ninefold.cli.messages import ENGLISH
from ninefold.core.messages import register

register(ENGLISH)
