"""Agents that learn, each short enough to be read: ``python -m examples.q_learning``, ``python -m examples.policy_gradient``."""
