"""Ninefold: the tic-tac-toe family, played, refereed and solved."""

__version__ = "0.1.0"
