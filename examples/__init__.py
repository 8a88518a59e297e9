"""Agents that learn, each short enough to be read: ``examples.q_learning`` and ``examples.policy_gradient``."""
