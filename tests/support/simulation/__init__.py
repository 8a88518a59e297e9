"""A deterministic simulation of the server: docs/simulation.md says what is simulated and what is checked."""
