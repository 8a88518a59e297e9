"""The messages of players."""

from ninefold.core.messages import Template

ENGLISH: dict[str, Template] = {
    "no_such_player": ("{game} has no player {name}.", "The computer plays as: {players}."),
    "no_such_player.simulations": (
        "{name} does not say how many simulations, from 1 to {most:,}.",
        "Write mcts:100000.",
    ),
    "no_such_player.alphazero": (
        "{name} does not name a file, or not how many simulations, from 1 to {most:,}.",
        "Write alphazero:FILE or alphazero:FILE,simulations=400.",
    ),
    "no_numpy": ("The player alphazero needs NumPy.", "Install it: pip install 'ninefold[rl]'."),
    "not_alphazero": (
        "{file} does not hold the weights of a player.",
        "Make some: ninefold train alphazero GAME --out FOLDER.",
    ),
    "not_alphazero.file": ("The file {file} cannot be read.", "Name a file that ninefold train alphazero has written."),
    "not_alphazero.damaged": (
        "The file {file} is damaged: of {most:,} bytes of weights it has {size:,}, or their SHA-256 differs.",
        "Get it again, or export it again.",
    ),
    "other_network": ("The network was trained for {trained}, and does not play {game}.", "Name another file."),
    "other_network.options": (
        "The network was trained with {expected}, and does not play with {found}.",
        "Name another file, or play with the same options.",
    ),
    "no_such_player.script": ("There is no script {name}.", "Scripts: {scripts}."),
    # What scripted agents say.
    "script.dispute": "That is not a line.",
    "script.misreport": "I played {move}.",
}
