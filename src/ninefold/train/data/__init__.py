"""Data sets in Parquet: solved tables of the small games, and positions of the big games with the engine's labels."""
