"""The messages of the arena."""

from ninefold.core.messages import Template

_LIMITS = "Write engine:time=0.1 or engine:nodes=10000."

ENGLISH: dict[str, Template] = {
    # Participants that cannot play.
    "no_claims.arena": ("The arena plays games without claims.", "Play classic instead of agents."),
    "no_such_player.limit": ("{limit} is not a limit of an engine.", _LIMITS),
    "no_such_player.no_limit": ("An engine needs a limit.", _LIMITS),
    "no_such_program.ugi": ("Cannot start {command}: {why}.", "Check its name."),
    "no_answer.ended": ("The program has ended.", "Run it alone to see why."),
    "no_answer.ended_without": ("The program ended without {reply}.", "Run it alone to see why."),
    "no_answer.late": "The program gave no {reply} within {seconds:g} s.",
    "arena.forfeit": "Game {number}: {player} forfeits. {why}",
    # Executors and journals.
    "no_ray": ("Ray is not installed.", "pip install 'ninefold[cluster]'"),
    "cannot_write.journal": ("Cannot write the log {file}: {why}.", "Choose another place."),
    "another_game.tournament": ("{file} is not the log of this tournament.", "Name another file."),
    "another_game.evaluation": ("{file} is not the log of this evaluation.", "Name another file."),
    "broken_file.tournament": "{file}, line {line}: this is not a game of this tournament.",
    # Progress.
    "progress.done": "{done}/{size} {unit}",
    "progress.seconds_left": "{progress}, {time:.0f} s left",
    "progress.minutes_left": "{progress}, {time:.0f} min left",
}
