"""How tournaments are played where nobody says more: the only defaults. Importing it loads no other package."""

PAIRS = 10  # openings for every two players
SPRT_PAIRS = 8000  # openings at most for a sequential test: every opening of a suite, and its symmetric images
ERROR_RATE = 0.05  # alpha and beta of a sequential test
OPENING_SOURCES = ("random", "suite", "start")
