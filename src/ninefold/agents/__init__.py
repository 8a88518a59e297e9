"""Agents at the shared board: the Model Context Protocol as one more door to the matches that are kept."""
