"""Agents that learn, each short enough to be read: ``examples.q_learning`` and ``examples.policy_gradient``."""

try:
    import ninefold.envs.gym  # noqa: F401  # what all of them need
except ModuleNotFoundError as missing:
    raise SystemExit(str(missing)) from None
