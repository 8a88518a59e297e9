"""Playing at a terminal."""
