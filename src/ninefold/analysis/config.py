"""How much is searched where nobody says more: the only defaults. Importing it loads no other package."""

from __future__ import annotations

MIB = 2**20
MEMORY_MIB, MOST_MEMORY_MIB = 64, 65_536  # of the engine
THREADS, MOST_THREADS = 1, 256
MOST_SIMULATIONS = 100_000_000  # of Monte Carlo tree search
RANKED_MOVES = 5
ANALYSIS_SECONDS = 1.0  # of one without a limit
REPORT_NODES = 100_000  # that the engine searches before and after a move, to find mistakes
