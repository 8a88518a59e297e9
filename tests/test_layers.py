"""Who may import whom. The layers are the folders of the package; every import counts, also one inside a function."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "ninefold"

# Each imports only from itself and from those before it.
LAYERS = (
    "core", "games", "match", "analysis", "players", "arena", "server.hosting", "server.storage", "server.http",
    "client", "terminal", "agents", "envs", "train", "cli",
)  # fmt: skip
FRONT_ENDS = ("server.http", "terminal", "agents", "envs", "train")  # never import each other
OUTSIDE = ("__init__.py", "__main__.py", "_native.pyi", "py.typed")
# What a layer may need beyond the standard library.
PACKAGES = {
    "arena": {"ray"},
    "server.storage": {"sqlalchemy", "psycopg"},
    "server.http": {
        "fastapi",
        "starlette",
        "pydantic",
        "uvicorn",
        "platformdirs",
        "prometheus_client",
        "typing_extensions",
    },
    "client": {"httpx", "websockets", "platformdirs"},
    "terminal.preferences": {"platformdirs"},
    "terminal.tui": {"textual", "rich"},
    "agents": {"mcp", "mcp_types", "starlette", "pydantic", "typing_extensions"},
    "envs": {"numpy", "cupy", "gymnasium", "pettingzoo", "pyspiel"},
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
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("ninefold."):
            yield node.value


def our_modules(tree: ast.AST) -> set[str]:
    """The modules of ninefold that a tree imports."""
    ours = (name.removeprefix("ninefold.") for name in imports(tree) if name.startswith("ninefold."))
    return {name if name in FILES else name.rpartition(".")[0] for name in ours} - {"", "_native"}


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
    after = LAYERS[LAYERS.index(layer(module)) + 1 :] if layer(module) else LAYERS
    assert [name for name in our_modules(TREES[module]) if layer(name) in after] == []


@pytest.mark.parametrize("module", [module for module in FILES if layer(module) in FRONT_ENDS])
def test_front_ends_do_not_import_each_other(module: str) -> None:
    others = set(FRONT_ENDS) - {layer(module)}
    assert [name for name in our_modules(TREES[module]) if layer(name) in others] == []


def is_import_call(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call):
        return False
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return name in ("import_module", "__import__")


def test_a_computed_import_stays_in_the_folder_of_games() -> None:
    """All other names of modules are written out, where the tests above see them."""

    def is_written_out(call: ast.Call) -> bool:
        return isinstance(call.args[0], ast.Constant)

    calls = [(module, node) for module, tree in TREES.items() for node in ast.walk(tree) if is_import_call(node)]
    computed = {module for module, call in calls if isinstance(call, ast.Call) and not is_written_out(call)}
    assert computed <= {"games", "cli.parser"}
    assert 'import_module(f"{__name__}.{module}")' in FILES["games"].read_text(encoding="utf-8")


def test_one_module_alone_imports_the_native_core() -> None:
    assert [module for module, tree in TREES.items() if "ninefold._native" in set(imports(tree))] == ["analysis.engine"]


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
