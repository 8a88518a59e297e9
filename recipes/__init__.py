"""Recipes: short programs that train agents with well-known libraries, and how the networks of the engine were made."""
