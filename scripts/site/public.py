"""What is public: the modules that the reference describes, and the names that each of them exports in ``__all__``."""

from __future__ import annotations

import ast
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src"
# The modules in the order of the reference, and what each is for.
PUBLIC = {
    "ninefold": "The front door: games, positions, matches, values of moves, players, files.",
    "ninefold.match.actions": "What a seat can do in a match: moves, claims, answers, offers, messages.",
    "ninefold.match.state": "What a match knows of itself: its set-up, its seats and its result.",
    "ninefold.core.game": "What a game is made of: its options, its steps, the effects of its moves.",
    "ninefold.core.solver": "Exact values of the small games.",
    "ninefold.core.rendering": "A position as text.",
    "ninefold.core.svg": "A position as a picture.",
    "ninefold.core.symmetry": "The eight symmetries of the square, for positions and moves of every game.",
    "ninefold.analysis.evaluation": "The values of moves, exact or found by search.",
    "ninefold.analysis.engine": "The engine of the big games.",
    "ninefold.analysis.report.metrics": "What the referee counts in a match.",
    "ninefold.analysis.uttt_ai": "Positions of ultimate as other programs write them.",
    "ninefold.arena.ratings": "Elo ratings with confidence intervals.",
    "ninefold.arena.tournament": "Tournaments between players.",
    "ninefold.client": "Matches on a server, from Python. It needs the extra `online`.",
    "ninefold.envs.batch": "Many games at once, in arrays. This and the other environments need the extra `rl`.",
    "ninefold.envs.aec": "The environments for PettingZoo.",
    "ninefold.envs.gym": "The environments for Gymnasium: one side plays against an opponent.",
    "ninefold.envs.vector": "Many environments of Gymnasium at once.",
    "ninefold.envs.sb3": "Many environments at once for Stable-Baselines3.",
    "ninefold.envs.grid": "Observations and actions as pictures of the board.",
    "ninefold.envs.symmetry": "The symmetries of the square, for observations and actions.",
    "ninefold.envs.interop": "Games and positions of OpenSpiel and PettingZoo.",
}


def file_of(module: str) -> Path:
    """The source of a module."""
    folder = SOURCE.joinpath(*module.split("."))
    return folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")


def exported(module: str) -> list[str]:
    """The names in the ``__all__`` of a module, which need not be imported for that.

    >>> exported("ninefold.core.rendering")
    ['BoardStyle', 'picture']
    """
    for node in ast.parse(file_of(module).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            names: list[str] = ast.literal_eval(node.value)
            return names
    raise ValueError(f"{module} has no __all__")


def described_in(module: str) -> list[str]:
    """The names that the page of a module describes: those that ``ninefold`` itself does not export."""
    return [name for name in exported(module) if module == "ninefold" or name not in exported("ninefold")]
