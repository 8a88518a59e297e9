"""Hosted matches as values, and the pure handlers that change them. Standard library only."""
