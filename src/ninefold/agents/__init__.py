"""Agents: tools over the Model Context Protocol, and evaluation runs between agents."""

from ninefold.agents.messages import ENGLISH
from ninefold.core.messages import register

register(ENGLISH)
