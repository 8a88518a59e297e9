"""The messages of the command line."""

from ninefold.core.messages import Template

ENGLISH: dict[str, Template] = {
    "not_installed": ("ninefold {command} needs {package}, which is not installed.", "pip install 'ninefold[{extra}]'"),
    "no_such_game.missing": ("Which game? Games: {games}.", "For example: {example}"),
    "no_such_command": ("{command} has no command {word}.", "Commands: {commands}."),
    "no_such_command.more": ("{command} has no command {word}.", "`{command} --help` lists its options."),
    "no_such_language": ("Ninefold does not speak {language}.", "Languages: {languages}."),
    "cli.input_ended": "The input has ended, so the command stops.",
    "cli.interrupted": "Interrupted.",
    "cli.cannot_write": "ninefold: cannot write: {why}.",
    "cli.closed_output": "standard output is closed",
    "cli.refused": "ninefold: {refusal}",
    "cli.version": "ninefold {version} ({core})",
    "cli.core.native": "native core on {processor}",
    "cli.core.python": "pure Python, without the native core",
    # Tools.
    "solve.value": "{game}: {value} for {side}, who starts, with best play of both.",
    "solve.best": "Best first moves: {moves}.",
    "solve.positions": "{positions:,} positions; in {undecided:,} of them the game goes on.",
    "solve.counts": "With best play, the side to move wins {won:,} of them, draws {drawn:,} and loses {lost:,}.",
    "solve.dead": "In {dead:,} of the drawn ones nobody can win any more (dead draws).",
    "too_big.solve": ("{game} has too many positions to be solved.", "Search its moves: ninefold analyze {id}"),
    "analyze.unit": "A score is in lines of boards: +1.00 means that {side} is one line ahead.",
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
    # Puzzles.
    "puzzles.title": "{puzzle}: {game}",
    "puzzles.task": "{side} to move wins in {plies}: exactly one move does it.",
    "puzzles.solution": "Solution: {moves}",
    "puzzles.prompt": "{side}, your move: ",
    "puzzles.reply": "Right. {side} answers {move}.",
    "puzzles.solved": "Solved.",
    "puzzles.slow": "{move} wins in {plies}, but there is a win in {best}. Try again.",
    "puzzles.draws": "{move} is only a draw: {side} answers {reply}. Try again.",
    "puzzles.loses": "{move} loses in {plies}: {side} answers {reply}. Try again.",
    "puzzles.ends": "{move} ends the game without a win. Try again.",
    "puzzles.written": "wrote {count} puzzles to {file}",
    "puzzles.checked": "{game}: {count} puzzles, {faults} faults",
    # The benchmark of the search.
    "bench.head.position": "position",
    "bench.head.plies": "plies",
    "bench.head.nodes": "nodes",
    "bench.head.depth": "depth",
    "bench.head.best": "best",
    "bench.head.score": "score",
    "bench.speed": "{nodes:,} nodes, {speed:,.0f} a second, {cpu_speed:,.0f} a second of the processor",
    "bench.signature": "signature {signature}",
    # Tournaments.
    "too_few.sprt": (
        "A sequential test is between two players.",
        "As in: arena squared easy hard --sprt 0,10",
    ),
    "arena.unit": "games",
    "arena.interrupted": "Interrupted after {done} of {size} games.",
    "arena.resume": "Continue with the same command and --log {file}.",
    "arena.plot": "{game}: Elo and 95% intervals, {count} games",
    "arena.head.player": "player",
    "arena.head.ratings": "   Elo   95% interval   points",
    "arena.pairs": "{one} against {two}: {elo:+.1f} Elo ({low:+.1f} .. {high:+.1f}), pairs {counts}",
    "arena.sprt": (
        "{pairs} pairs ({counts}): LLR {ratio:.2f} of {lower:.2f} .. {upper:.2f}, "
        "Elo {elo:+.0f} ({low:+.0f} .. {high:+.0f})"
    ),
    "arena.sprt.H0": "Accepted H0 after {pairs} pairs: {one} is {elo0:+g} Elo against {two}, rather than {elo1:+g}.",
    "arena.sprt.H1": "Accepted H1 after {pairs} pairs: {one} is {elo1:+g} Elo against {two}, rather than {elo0:+g}.",
    "arena.sprt.undecided": "Undecided after {pairs} pairs between {elo0:+g} and {elo1:+g} Elo of {one} against {two}.",
    "arena.head.pairs": "95% intervals by pair of games; pairs with 0, 1/2, 1, 3/2 and 2 points:",
    "arena.rating": "{elo:>+6.0f}   {low:>+5.0f} .. {high:>+5.0f}   {points:g}/{games} ({share:.0%})",
}

# What argparse says itself, word by word: it is put into other languages, and never into words here.
ARGPARSE: dict[str, Template] = {
    "argparse.usage": "usage: ",
    "argparse.error": "%(prog)s: error: %(message)s\n",
    "argparse.unrecognized": "unrecognized arguments: %s",
    "argparse.required": "the following arguments are required: %s",
    "argparse.one_of": "one of the arguments %s is required",
    "argparse.choice": "invalid choice: %(value)r (choose from %(choices)s)",
    "argparse.value": "invalid %(type)s value: %(value)r",
    "argparse.one": "expected one argument",
    "argparse.ignored": "ignored explicit argument %r",
    "argparse.together": "not allowed with argument %s",
    "argparse.argument": "argument %(argument_name)s: %(message)s",
}
