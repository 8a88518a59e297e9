"""The messages of players."""

from ninefold.core.messages import Template

ENGLISH: dict[str, Template] = {
    "no_such_player": ("{game} has no player {name}.", "The computer plays as: {players}."),
    "no_such_player.simulations": (
        "{name} does not say how many simulations, from 1 to {most:,}.",
        "Write mcts:100000.",
    ),
    "no_such_player.script": ("There is no script {name}.", "Scripts: {scripts}."),
    # What scripted agents say.
    "script.dispute": "That is not a line.",
    "script.misreport": "I played {move}.",
}
