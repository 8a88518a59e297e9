"""What moves are worth: the engine, exact values in words, threats, UGI, and the report on a match."""
