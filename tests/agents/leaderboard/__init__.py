"""Leaderboards of evaluation runs."""
