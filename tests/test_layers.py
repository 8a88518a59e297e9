"""Who may import whom: every import in the package, also those inside functions, goes sideways or down."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "src" / "ninefold"

# From the ground up. A package stands for all of its modules.
LAYERS = (
    "grid core",
    "game notation text strict_json progress arguments",
    "games",
    "actions claims state door match compile solve log record shared_board files journal engine uttt",
    "players analysis threats report render svg",
    "service client",
    "terminal tools arena ugi web agents envs",
    "cli parser",
    "__main__",
)
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names.split()}


def module_name(file: Path) -> str:
    """The name of a module below ninefold: ``games.classic``, or ``games`` for the package itself."""
    return ".".join(file.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__")


FILES = {module_name(file): file for file in sorted(PACKAGE.rglob("*.py")) if file != PACKAGE / "__init__.py"}


def imports(tree: ast.AST) -> Iterator[str]:
    """The full names of what is imported anywhere in a tree."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            assert node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("ninefold."):
            yield node.value  # a module that is imported by its name


def our_modules(tree: ast.AST) -> set[str]:
    """The modules of ninefold that a tree imports."""
    ours = (name.removeprefix("ninefold.") for name in imports(tree) if name.startswith("ninefold."))
    return {name if name in FILES else name.rpartition(".")[0] for name in ours} - {"", "_native"}


def level(module: str) -> int:
    return LEVEL[module.partition(".")[0]]


def parsed(module: str) -> ast.Module:
    return ast.parse(FILES[module].read_text(encoding="utf-8"))


def test_every_module_has_its_layer() -> None:
    assert {module.partition(".")[0] for module in FILES} == set(LEVEL)


def test_one_module_alone_imports_the_native_core() -> None:
    assert [module for module in FILES if "ninefold._native" in set(imports(parsed(module)))] == ["engine"]


@pytest.mark.parametrize("module", FILES)
def test_imports_never_go_up(module: str) -> None:
    assert [name for name in our_modules(parsed(module)) if level(name) > level(module)] == []


def test_games_know_only_what_is_below_them_and_not_each_other() -> None:
    below = {"grid", "core", "game", "notation"}
    games = [module for module in FILES if module.startswith("games.")]
    assert games
    assert {module: our_modules(parsed(module)) - below for module in games} == {module: set() for module in games}


def test_nobody_imports_the_command_line_but_its_own_entry() -> None:
    assert [module for module in FILES if "cli" in our_modules(parsed(module))] == ["__main__"]


def test_the_doors_to_a_server_do_not_know_each_other() -> None:
    for one, other in (("web", "agents"), ("agents", "web")):
        modules = [module for module in FILES if module.partition(".")[0] == one]
        assert [name for module in modules for name in our_modules(parsed(module)) if name.startswith(other)] == []


def test_imports_at_the_top_of_modules_make_no_circle() -> None:
    def top(module: str) -> set[str]:
        statements = [node for node in parsed(module).body if isinstance(node, ast.Import | ast.ImportFrom)]
        return our_modules(ast.Module(list(statements), [])) - {module}

    order = list(TopologicalSorter({module: top(module) for module in FILES}).static_order())
    assert set(order) == set(FILES)


@pytest.mark.parametrize("module", FILES)
def test_only_the_server_and_its_client_need_more_than_the_standard_library(module: str) -> None:
    roots = {name.partition(".")[0] for name in imports(parsed(module))}
    allowed = {
        "service": {"sqlalchemy", "psycopg", "platformdirs"},
        "web": {"fastapi", "starlette", "pydantic", "uvicorn", "platformdirs"},
        "client": {"websockets", "platformdirs"},
        "arena": {"ray"},
        "terminal.saves": {"platformdirs"},
        "terminal.screen": {"textual", "rich"},
        "agents": {"mcp", "mcp_types", "starlette", "pydantic", "platformdirs"},
        "envs": {"numpy", "cupy", "gymnasium", "pettingzoo", "pyspiel"},
    }
    names = {package for package in allowed if f"{module}.".startswith(f"{package}.")}
    assert roots - sys.stdlib_module_names - {"ninefold"} <= set[str]().union(*(allowed[name] for name in names))
