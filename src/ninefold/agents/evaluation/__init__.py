"""Evaluation runs: a schedule of matches between agents, refereed and reported on."""
