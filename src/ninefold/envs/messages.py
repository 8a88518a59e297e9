"""The messages of the environments: what they refuse, for the people who train agents with them."""

from ninefold.core.messages import Template

ENGLISH: dict[str, Template] = {
    # Packages that are not installed.
    "envs.not_installed": "{package} is not installed. pip install 'ninefold[rl]'",
    "envs.not_installed.stable_baselines3": "{package} is not installed. pip install sb3-contrib",
    "envs.not_installed.pyspiel": "{package} is not installed. pip install open_spiel",
    "no_cupy": ("Games on a GPU need CuPy, which is not installed.", "Install CuPy for your CUDA version."),
    # Games, options, players.
    "envs.game": "game must be a name, such as 'classic', not {value}.",
    "envs.options": "options must be a dict, such as {{'first': 'O'}}, not {value}.",
    "no_such_option.env": ("Environments play without {option}.", "Options: {options}."),
    "no_such_player.env": ("{game} has no player {name} here.", "Players: {players}, or a function."),
    "no_such_player.batch": (
        "There is no player {name} for many games of {game} at once.",
        "Players: {players}, or a function.",
    ),
    "no_such_option.reset": (
        "A reset has no option {option}.",
        "Options: position, a position of the game or its text. Options of the rules are given when it is made.",
    ),
    "envs.reset_options": "options of a reset must be a dict, such as {{'position': text}}, not {value}.",
    "envs.position_count": "positions of {games} games must be {games}, not {count}.",
    "no_such_autoreset_mode": ("There is no autoreset mode {mode} here.", "Modes: {modes}."),
    "position_ended": ("The game has ended in this position.", "Begin at a position where a move is possible."),
    "position_ended.reply": (
        "Here the opponent can end the game before the agent moves.",
        "Begin at the agent's move, or make the environment with side='{side}'.",
    ),
    "no_such_layout": ("There is no layout {layout}.", "Layouts: {layouts}."),
    "no_such_side": ("There is no side {side}.", "Sides: {sides}."),
    "envs.agent": "There is no agent {agent}. Agents: {agents}.",
    "envs.ended": "The game has ended. Call reset() to begin another.",
    "envs.render_mode": "There is no render mode {mode}. Modes: {modes}.",
    "envs.no_rendering": "Many games at once cannot be rendered.",
    "envs.opponent": "The opponent must return a move or an action, not {value}.",
    "envs.sb3_set": "The games of this VecEnv are stepped together: {name} is set when it is made.",
    "envs.sb3_method": "The games of this VecEnv have no method {name}. Methods: {methods}.",
    # Numbers.
    "envs.one_integer": "{name} must be one integer, not {dtype} of the shape {shape}.",
    "envs.bool": "{name} must be True or False, not {value}.",
    "envs.games": "A batch has at least one game, not {count}.",
    "envs.steps": "A rollout has at least one step, and fewer than 2**31, not {steps}.",
    "envs.threads": "A batch has 1 to 256 threads, not {threads}.",
    # Arrays.
    "envs.library": "library must be a module of arrays, such as numpy, torch or jax.numpy, not {value}.",
    "envs.device": (
        "{library} has no device {device}. A device is named as its library names it: 'cpu' in NumPy, 'cpu' or "
        "'cuda:0' in PyTorch, jax.devices('cpu')[0] in JAX."
    ),
    "envs.array_class": "{name}: this batch has arrays of {library}, not a {found}.",
    "envs.other_device": "{name} is on {found}, but the batch is on {device}.",
    "envs.shape": "{name}: the shape for {games} games is {shape}, not {found}.",
    "envs.shape.one": "{name}: the shape for one game, as done has it, is {shape}, not {found}.",
    "envs.dtype": "{name} must be {dtype}, not {found}.",
    "envs.integers": "{name} must be an array of integers, one for each game, not {found}.",
    "envs.state": "state must be what init and step return, not a {found}.",
    "envs.out_class": "out must be a {expected}, not a {found}.",
    "envs.out_array": "out.{name} must be a writable, contiguous array of the type {dtype} and the shape {shape}.",
    "envs.no_out": "out: only NumPy batches of the native core write into given arrays.",
    # Positions.
    "envs.positions": "positions must be a list of them, such as [game.begin()], not {value}.",
    "envs.position": "A position is what game.begin() and game.parse(text) return, not {value}.",
    "envs.impossible": "These are not positions of this game.",
    "other_rules.game": ("This is a position of another game, not of {game}.", "Take a position of {game}."),
    "other_rules.options": (
        "This position is played with {found}, the environment with {expected}.",
        "Make it with the options of the position.",
    ),
    "other_rules.squared": (
        "This position is not played by the rules of the batch.",
        "Make a batch with the options of the position.",
    ),
    "other_rules.openspiel": ("OpenSpiel has no options of the rules.", "Play with the defaults."),
    "forfeited": ("A game that was forfeited has no position any more.", "Look at it before its last step."),
    # Interoperation.
    "envs.match": "match must be what begin(game) returns, not a {found}.",
    "envs.openspiel_state": "state must be a state of OpenSpiel, not a {found}.",
    "envs.openspiel_game": "game must be what find_game(name) returns, not {value}.",
    "no_such_game.openspiel": ("OpenSpiel has no {game}.", "Games: {games}."),
    "no_such_game.not_ours": ("{game} is not one of our games.", "Games: {games}."),
    "not_a_move.openspiel": ("{action} is not an action of these games.", "Actions are 0 to 8."),
    "not_a_move.cell": ("{cell} is not a cell.", "Cells are 0 to 8."),
    "half_a_move": ("A board was chosen and no cell yet.", "Convert it after the next action."),
    "not_on_the_board": (
        "OpenSpiel plays on until the board decides, but this match has ended: {result}",
        "Convert a match that goes on, or that the board decided.",
    ),
    "not_a_position.pettingzoo": ("A board of PettingZoo has nine squares.", "Take a classic position."),
    "not_a_position.squares": ("This is not a board of PettingZoo.", "It has nine squares, each 0, 1 or 2."),
}
