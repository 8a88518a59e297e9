"""The line console."""
