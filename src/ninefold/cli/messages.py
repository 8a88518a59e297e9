"""The messages of the command line."""

from ninefold.core.messages import Template

ENGLISH: dict[str, Template] = {
    "not_installed": ("ninefold {command} needs {package}, which is not installed.", "pip install 'ninefold[{extra}]'"),
    "no_such_command": ("{command} has no command {word}.", "Commands: {commands}."),
    "no_such_command.more": ("{command} has no command {word}.", "`{command} --help` lists its options."),
    "cli.input_ended": "The input has ended; so has Ninefold.",
    "cli.interrupted": "Interrupted.",
    "cli.cannot_write": "ninefold: cannot write: {why}.",
    "cli.refused": "ninefold: {refusal}",
    "cli.version": "ninefold {version} ({core})",
    "cli.core.native": "native core on {processor}",
    "cli.core.python": "pure Python, without the native core",
    # Tools.
    "solve.value": "{game}: {value} for {side}, who starts, with best play of both.",
    "solve.best": "Best first moves: {moves}.",
    "solve.positions": "{positions:,} positions, {undecided:,} of them undecided.",
    "solve.counts": "For the side to move: {won:,} won, {drawn:,} drawn, {lost:,} lost; dead draws: {dead}.",
    "analyze.exact": "{side} to move, exact values:",
    "analyze.search": "{side} to move, by search:",
    "analyze.proven": "proven",
    "analyze.info": "Depth {depth}, {nodes:,} nodes, {speed:.1f} million a second.",
    "analyze.live": "depth {depth:>2}  {score}  {moves}  {nodes:.1f}M nodes",
    "replay.rescued": "Rescued {count} events. {why}",
    "replay.rescued.one": "Rescued one event. {why}",
    "replay.whole": "Every line can be read: nothing had to be rescued. Events: {count}.",
    "said_twice.output": (
        "--json and --svg - would both write to standard output.",
        "Write the picture to a file: --svg FILE.",
    ),
    "show.to_move": "{side} to move.",
    # The benchmark of the search.
    "bench.head.position": "position",
    "bench.head.plies": "plies",
    "bench.head.nodes": "nodes",
    "bench.head.depth": "depth",
    "bench.head.best": "best",
    "bench.head.score": "score",
    "bench.speed": "{nodes:,} nodes, {speed:,.0f} a second",
    "bench.signature": "signature {signature}",
    # Tournaments.
    "too_few": ("A tournament needs two different players.", "Name them, as in: arena squared easy hard"),
    "arena.unit": "games",
    "arena.interrupted": "Interrupted after {done} of {size} games.",
    "arena.resume": "Continue with the same command and --log {file}.",
    "arena.plot": "{game}: Elo and 95% intervals, {count} games",
    "arena.head.player": "player",
    "arena.head.ratings": "   Elo   95% interval   points",
    "arena.rating": "{elo:>+6.0f}   {low:>+5.0f} .. {high:>+5.0f}   {points:g}/{games} ({share:.0%})",
}
