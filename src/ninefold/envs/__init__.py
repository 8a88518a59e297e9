"""Environments for people who train agents.

``batch`` steps many games at once in arrays of any library, ``aec`` is PettingZoo's, ``gym`` and ``vector`` are
Gymnasium's, ``interop`` speaks with OpenSpiel and PettingZoo. They need the extra ``rl``.
"""
