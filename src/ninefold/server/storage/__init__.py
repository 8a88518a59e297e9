"""Hosted matches in a database: one writer, durable commits, notifications. The authority for matches on a server."""
