"""A match is a log of events: actions, rules, state, claims, and its text forms."""
