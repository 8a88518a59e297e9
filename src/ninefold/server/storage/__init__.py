"""The authority for matches that are kept: who may do what, in which order, and that nothing acknowledged is lost."""
