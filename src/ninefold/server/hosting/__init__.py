"""Hosted matches as values, and the pure command handlers that change them."""
