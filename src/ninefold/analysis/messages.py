"""The messages of analysis: refusals, scores, the engine's replies to UGI, and the referee's report."""

from ninefold.core.messages import Template

ENGLISH: dict[str, Template] = {
    # Refusals.
    "no_engine": ("Ninefold was installed without its native core.", "Install it with a C++ compiler."),
    "not_a_network": ("{file} is not a network of the engine.", "Networks are made by ninefold train export."),
    "not_a_network.file": ("The network {file} cannot be read.", "Name a file made by ninefold train export."),
    "not_a_network.damaged": (
        "The network {file} is damaged: it has {size} bytes of weights or not the ones it was written with.",
        "A network has {most} bytes of weights. Copy the file again, or export it again.",
    ),
    "not_a_network.rules": (
        "The network {file} was made for {of}, and these are the rules of {rules}.",
        "Name a network for these rules, or none.",
    ),
    "no_engine.game": ("The engine plays squared and ultimate only.", "The other games have exact values."),
    "no_memory": ("The machine does not have {megabytes} MiB of free memory.", "Give the engine less memory."),
    "no_memory.simulations": (
        "The machine does not have the {megabytes} MiB of memory that {simulations:,} simulations may take.",
        "Ask for fewer simulations.",
    ),
    "unreachable.because": ("This position cannot arise in play: {why}.", "Check its marks and the turn."),
    "not_a_position.uttt_length": (
        "A position of uttt.ai has {length} digits; this text does not.",
        "Copy the whole text.",
    ),
    "not_a_position.uttt_contradiction": (
        "These digits contradict each other.",
        "Boards and result follow from the cells.",
    ),
    "no_puzzles": ("This installation has no puzzles.", "ninefold puzzles generate GAME makes a set."),
    "no_such_puzzle": ("There is no puzzle {puzzle}.", "A puzzle is named by its game and a number. Games: {games}."),
    "no_such_puzzle.number": ("There is no puzzle {puzzle}.", "The set of {game} has {count}: {game}-1 is the first."),
    "no_such_file.audit": ("Cannot read {file}.", "Make it readable, or remove it."),
    "broken_file.audit": ("This is not an audit of refused attempts.", "The server writes them."),
    "not_a_report": ("This is not a report of the referee.", "Ask a server of this version."),
    # Scores.
    "score.estimate": "about {share} of the points",
    # Replies to lines of UGI that are refused.
    "ugi.unknown_command": "unknown command {command}",
    "ugi.setoption": "Write: setoption name NAME value VALUE.",
    "ugi.game": "The engine plays squared and ultimate.",
    "ugi.position": "Write: position startpos, or position fen and its text, then perhaps moves.",
    "ugi.query": "Queries: gameover, p1turn, result.",
    "ugi.go": "go does not know {word}.",
    "ugi.number": "{text} is not a whole number from {low} to {high}.",
    # The report.
    "judge.exact": "exact values",
    "judge.engine": "the engine at {nodes:,} positions a move",
    "report.matches": "matches",
    "report.points": "points",
    "report.illegal_moves": "illegal moves",
    "report.unreadable": "unreadable",
    "report.refused_claims": "refused claims",
    "report.false_claims": "false claims",
    "report.missed_wins": "missed wins",
    "report.wrong_confirmations": "wrong confirms",
    "report.wrong_disputes": "wrong disputes",
    "report.mistakes": "mistakes",
    "report.misreports": "misreports",
    "report.resigned": "resignations",
    "report.forfeits": "forfeits",
    "report.time": "time used",
    "report.seconds": "{time:.1f} s",
    "report.minutes": "{time:.1f} min",
    "report.hours": "{time:.1f} h",
    "report.judged_by": "Mistakes are out of the moves judged, by {judges}.",
    "report.judges": "{one} and {other}",
    "report.forgotten": "{count} older refusals are not stored any more and not in the table.",
    "report.forgotten.one": "One older refusal is not stored any more and not in the table.",
}
