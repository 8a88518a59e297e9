"""The matches that measure the strength of the engine: a programme, played in pieces, and the page made from it."""
