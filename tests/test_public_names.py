"""The public names: each has an example that runs, and the documents name all of them."""

from __future__ import annotations

import ast
import doctest
import inspect
import re
import sys
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import ninefold
from scripts.site.public import PUBLIC, described_in, exported, file_of

ROOT = Path(__file__).parents[1]
# Not collected by the suite: other tests run their examples, against a server and where Stable-Baselines3 is installed.
RUN_ELSEWHERE = {
    "ninefold.client": "tests/client/test_docstrings.py",
    "ninefold.envs.sb3": "tests/envs/test_sb3.py",
}
NAMES = [(module, name) for module in PUBLIC if module != "ninefold.envs.sb3" for name in described_in(module)]


def is_from_elsewhere(owner: type, member: str) -> bool:
    """True if a method is part of somebody else's interface, which describes it: ``step`` of an environment."""
    bases = [base for base in owner.__mro__[1:] if member in vars(base)]
    return any(not base.__module__.startswith("ninefold") and base is not object for base in bases)


def members(module: str, name: str) -> Iterator[tuple[str, object]]:
    """A public name, and its public methods and properties if it is a class. A constant is described by its class."""
    value = getattr(import_module(module), name)
    is_described = inspect.isclass(value) or callable(value) or inspect.ismodule(value)
    yield name, value if is_described else type(value)
    for member, defined in vars(value).items() if inspect.isclass(value) else ():
        is_method = callable(defined) or isinstance(defined, property | classmethod | staticmethod)
        if member.startswith("_") or not is_method or is_from_elsewhere(value, member):
            continue
        yield f"{name}.{member}", getattr(value, member) if isinstance(defined, classmethod) else defined


def has_example(value: object) -> bool:
    """True if a docstring has an example that does more than import something."""
    examples = doctest.DocTestParser().get_examples(inspect.getdoc(value) or "")
    return not all(re.match(r"(from|import) ", example.source) for example in examples)


@pytest.mark.parametrize(("module", "name"), NAMES, ids=lambda part: part)
def test_every_public_name_and_every_method_of_it_has_an_example(module: str, name: str) -> None:
    assert [member for member, value in members(module, name) if not has_example(value)] == []


def test_the_environment_of_a_package_that_is_not_installed_has_an_example() -> None:
    tree = ast.parse(file_of("ninefold.envs.sb3").read_text(encoding="utf-8"))
    (described,) = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    assert [described.name] == exported("ninefold.envs.sb3")
    assert ">>> " in (ast.get_docstring(described) or "")


def test_methods_properties_and_constants_are_looked_at() -> None:
    looked_at = {member for module, name in NAMES for member, _ in members(module, name)}
    assert {
        "Match.act",
        "Match.position",
        "Position.moves",
        "Refusal.from_text",
        "Batch.rollout",
        "RemoteSeat.my_turn",
        "NinefoldEnv.action_masks",
        "CONFIRM",
    } <= looked_at
    assert "NinefoldEnv.step" not in looked_at


def test_a_name_without_an_example_would_be_seen() -> None:
    assert not has_example(is_from_elsewhere)
    assert has_example(ninefold.begin)


def test_the_examples_are_collected_with_the_suite_or_run_elsewhere() -> None:
    options = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["pytest"]["ini_options"]
    assert "--doctest-modules" in options["addopts"]
    assert "src" in options["testpaths"]
    ignored = {file.removeprefix("src/") for file in re.findall(r"--ignore=(\S+)", options["addopts"])}
    modules = {module: Path(*module.split(".")) for module in PUBLIC}
    left_out = {module for module, path in modules.items() if any(Path(file).is_relative_to(path) for file in ignored)}
    left_out |= {module for module, path in modules.items() if f"{path}.py" in ignored}
    assert left_out - {"ninefold"} == set(RUN_ELSEWHERE)
    assert all((ROOT / test).exists() for test in RUN_ELSEWHERE.values())


@pytest.mark.parametrize("module", PUBLIC)
def test_what_a_public_module_exports_is_there(module: str) -> None:
    if module == "ninefold.envs.sb3":
        return
    names = exported(module)
    assert names
    assert all(hasattr(import_module(module), name) for name in names)
    assert module in sys.modules


def test_the_page_of_the_library_says_what_is_public() -> None:
    page = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
    table = page.partition("\n## What is public\n")[2].partition("\n## ")[0]
    assert re.findall(r"^\| `([\w.]+)` \|", table, re.MULTILINE) == list(PUBLIC)
