"""The server: ``hosting`` decides, ``storage`` stores, ``http`` serves."""

from ninefold.core.messages import register
from ninefold.server.messages import ENGLISH

register(ENGLISH)
