"""Who may import whom. The layers are the folders of the package; every import counts, also one inside a function."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import ninefold

PACKAGE = Path(__file__).parents[1] / "src" / "ninefold"

# Each imports only from itself and from those before it.
LAYERS = (
    "core", "games", "match", "analysis", "players", "arena", "server.hosting", "server.storage", "server.http",
    "client", "terminal", "agents", "envs", "train", "cli",
)  # fmt: skip
FRONT_ENDS = ("server.http", "terminal", "agents", "envs", "train")  # never import each other
EXCEPT = {("train", "envs")}  # AlphaZero plays in the environments
FRONT_DOOR = PACKAGE / "__init__.py"  # what ``import ninefold`` exports
FOR_EVERYBODY = ("core", "games", "match", "analysis", "players", "arena")  # the layers that it may export from
OUTSIDE = ("__init__.py", "__main__.py", "_native.pyi", "py.typed")
# What a layer may need beyond the standard library.
PACKAGES = {
    "core.raster": {"PIL"},
    "players.policy_network": {"numpy"},
    "core.data_frame": {"pandas"},
    "arena": {"ray"},
    "server.storage": {"sqlalchemy", "psycopg"},
    "server.http": {
        "PIL",
        "fastapi",
        "starlette",
        "pydantic",
        "uvicorn",
        "websockets",
        "opentelemetry",
        "platformdirs",
        "prometheus_client",
        "typing_extensions",
    },
    "client": {"httpx", "websockets", "platformdirs"},
    "terminal.preferences": {"platformdirs"},
    "terminal.tui": {"textual", "rich"},
    "agents.leaderboard": {"pyarrow"},
    "agents": {"mcp", "mcp_types", "starlette", "pydantic", "typing_extensions"},
    "envs": {"numpy", "cupy", "gymnasium", "jax", "pettingzoo", "pyspiel"},
    "envs.sb3": {"stable_baselines3"},
    "train.data": {"pyarrow"},
    "train": {"numpy", "torch", "jax", "mctx"},
    "cli": {"platformdirs", "mcp"},
}


def module_name(file: Path) -> str:
    """The name of a module below ninefold: ``games.classic``, or ``games`` for the package itself."""
    return ".".join(file.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")


FILES = {module_name(file): file for file in sorted(PACKAGE.rglob("*.py")) if file.parent != PACKAGE}
TREES = {module: ast.parse(file.read_text(encoding="utf-8")) for module, file in FILES.items()}


def imports(tree: ast.AST) -> Iterator[str]:
    """The full names of what is imported anywhere in a tree, by a statement or by a string."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            assert node.module
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            assert "ninefold.server" not in names, "name the layer of the server: hosting, storage or http"
            yield from names
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("ninefold."):
            yield node.value


def our_modules(tree: ast.AST) -> set[str]:
    """The modules of ninefold that a tree imports."""
    ours = (name.removeprefix("ninefold.") for name in imports(tree) if name.startswith("ninefold."))
    return {name if name in FILES else name.rpartition(".")[0] for name in ours} - {"", "_native"}


def wrong_imports(module: str, tree: ast.AST) -> list[str]:
    """The modules that a module must not import: those of later layers, and the front ends, which only ``cli`` may."""
    here = layer(module)
    later = LAYERS[LAYERS.index(here) + 1 :]
    foreign = () if here == "cli" else {other for other in FRONT_ENDS if other != here and (here, other) not in EXCEPT}
    return [name for name in sorted(our_modules(tree)) if layer(name) in later or layer(name) in foreign]


def layer(module: str) -> str:
    if module in ("server", "server.messages"):
        return "server.hosting"  # the texts of the server are for its three layers
    return next((name for name in LAYERS if f"{module}.".startswith(f"{name}.")), "")


def test_the_package_holds_the_layers_and_nothing_else() -> None:
    layers = {name.partition(".")[0] for name in LAYERS}
    found = {path.name for path in PACKAGE.iterdir()} - {"__pycache__", *OUTSIDE}
    assert {name for name in found if not name.startswith("_native.")} <= layers
    assert [module for module in FILES if not layer(module)] == []


@pytest.mark.parametrize("module", FILES)
def test_a_module_imports_only_from_its_own_layer_and_those_before_it(module: str) -> None:
    assert wrong_imports(module, TREES[module]) == []


@pytest.mark.parametrize(
    ("module", "statement", "wrong"),
    [
        ("terminal.saves", "from ninefold.server.http.app import make_app", ["server.http.app"]),
        ("terminal.saves", "def late():\n    import ninefold.envs.gym", ["envs.gym"]),
        ("agents.tools", "load('ninefold.terminal.tui.app')", ["terminal.tui.app"]),
        ("client.api", "from ninefold.server.http import errors", ["server.http.errors"]),
        ("core.grid", "from ninefold.match.match import Match", ["match.match"]),
        ("cli.main", "from ninefold.server.http import errors", []),
        ("client.api", "from ninefold.server.hosting import tokens", []),
    ],
)
def test_an_import_of_another_front_end_or_a_later_layer_is_found(
    module: str, statement: str, wrong: list[str]
) -> None:
    assert wrong_imports(module, ast.parse(statement)) == wrong


@pytest.mark.parametrize("statement", ["from ninefold import server", "from . import saves"])
def test_an_import_that_hides_its_module_is_not_allowed(statement: str) -> None:
    with pytest.raises(AssertionError):
        list(imports(ast.parse(statement)))


def import_calls(tree: ast.AST) -> list[ast.Call]:
    """The calls that import a module, whatever name the function was imported under."""
    names = {"import_module", "__import__"} | {
        alias.asname
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "importlib"
        for alias in node.names
        if alias.asname
    }
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [call for call in calls if (getattr(call.func, "attr", "") or getattr(call.func, "id", "")) in names]


def is_written_out(call: ast.Call) -> bool:
    """True if the only argument is the full name of a module, where the tests above see it."""
    return len(call.args) == 1 and not call.keywords and isinstance(call.args[0], ast.Constant)


def test_a_computed_import_stays_in_the_folder_of_games() -> None:
    computed = {module for module, tree in TREES.items() if not all(map(is_written_out, import_calls(tree)))}
    assert computed <= {"games", "cli.parsers.command", "envs.arrays"}  # the last one imports libraries of arrays
    assert 'import_module(f"{__name__}.{module}")' in FILES["games"].read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "source",
    [
        "import_module('.http.app', 'ninefold.server')",
        "from importlib import import_module as load\nload('ninefold.' + 'server.http.app')",
        "importlib.import_module(name)",
    ],
)
def test_a_computed_import_is_found(source: str) -> None:
    assert not all(map(is_written_out, import_calls(ast.parse(source))))


def test_one_module_alone_imports_the_native_core() -> None:
    assert [module for module, tree in TREES.items() if "ninefold._native" in set(imports(tree))] == ["core.native"]


def test_the_front_door_exports_from_the_layers_below_servers_and_front_ends() -> None:
    tree = ast.parse(FRONT_DOOR.read_text(encoding="utf-8"))
    assert our_modules(tree)
    assert [module for module in sorted(our_modules(tree)) if layer(module) not in FOR_EVERYBODY] == []


def test_no_module_of_the_package_comes_in_through_the_front_door() -> None:
    """It would hide the layer that the name comes from."""
    found = {
        module: set(imports(tree)) & {f"ninefold.{name}" for name in ninefold.__all__} for module, tree in TREES.items()
    }
    assert {module: names for module, names in found.items() if names} == {}


def test_games_do_not_import_each_other() -> None:
    games = [module for module in FILES if module.startswith("games.")]
    assert games
    assert [name for module in games for name in our_modules(TREES[module]) if layer(name) != "core"] == []


def test_only_the_entry_point_imports_the_command_line() -> None:
    assert [module for module, tree in TREES.items() if "cli.main" in our_modules(tree)] == []


def test_imports_at_the_top_of_modules_make_no_cycle() -> None:
    def top(module: str) -> set[str]:
        statements = [node for node in TREES[module].body if isinstance(node, ast.Import | ast.ImportFrom)]
        return our_modules(ast.Module(list(statements), [])) - {module}

    order = list(TopologicalSorter({module: top(module) for module in FILES}).static_order())
    assert set(order) == set(FILES)


@pytest.mark.parametrize("module", FILES)
def test_a_module_imports_only_the_packages_of_its_layer(module: str) -> None:
    roots = {name.partition(".")[0] for name in imports(TREES[module])}
    allowed = [packages for name, packages in PACKAGES.items() if f"{module}.".startswith(f"{name}.")]
    assert roots - sys.stdlib_module_names - {"ninefold"} <= set[str]().union(*allowed)
