"""The messages of the arena."""

from ninefold.core.messages import Template

_LIMITS = "Write engine:time=0.1 or engine:nodes=10000."

ENGLISH: dict[str, Template] = {
    # Participants that cannot play.
    "too_few": ("A tournament needs two different players.", "Name at least two, such as easy and hard."),
    "no_claims.arena": ("The arena plays games without claims.", "Play classic instead of agents."),
    "no_such_player.limit": ("{limit} is not a limit of this player.", "Limits, as NAME=NUMBER: {limits}."),
    "no_such_player.no_limit": ("An engine needs a limit.", _LIMITS),
    "no_such_player.codingame": (
        "A program for CodinGame plays ultimate with its rules alone.",
        "Play ultimate with --option tie_break=boards.",
    ),
    "no_such_player.cpu": (
        "The CPU time of other programs is measured on Linux alone.",
        "Give them time= instead.",
    ),
    "no_such_program.ugi": ("Cannot start {command}: {why}.", "Check its name."),
    "no_answer.ended": ("The program has ended.", "Run it alone to see why."),
    "no_answer.ended_without": ("The program ended without {reply}.", "Run it alone to see why."),
    "no_answer.late": ("The program gave no {reply} within {seconds:g} s.", "Give it more time."),
    "no_answer.flag": ("The clock of the engine ran out, by {seconds:.4f} s.", "Give it more time."),
    "no_answer.codingame": ("The program wrote {text}.", "A move is a row and a column from 0 to 8, as in: 4 4"),
    "no_answer.opening": (
        "The program played {given} where the opening has {valid}.",
        "Play it without openings: --openings start.",
    ),
    "arena.forfeit": "Game {number}: {player} forfeits. {why}",
    # Executors and journals.
    "no_ray": ("Ray is not installed.", "pip install 'ninefold[cluster]'"),
    "cannot_write.journal": ("Cannot write the log {file}: {why}.", "Choose another place."),
    "another_game.tournament": ("{file} is not the log of this tournament.", "Name another file."),
    "another_game.evaluation": ("{file} is not the log of this evaluation.", "Name another file."),
    "broken_file.tournament": (
        "{file}, line {line}: this is not a game of this tournament.",
        "Name another file.",
    ),
    # Progress.
    "progress.done": "{done}/{size} {unit}",
    "progress.seconds_left": "{progress}, {time:.0f} s left",
    "progress.minutes_left": "{progress}, {time:.0f} min left",
}
