"""The referee's report on one match or a set of them: metrics of every agent, as JSON and as a table."""
