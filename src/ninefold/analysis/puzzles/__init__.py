"""Puzzles: positions in which exactly one move wins."""
