"""The network of the engine: the same integers everywhere, and files that are refused when they are damaged."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import pytest

from ninefold import _native
from ninefold.analysis.engine import Engine, load_network, native_position, rule_set
from ninefold.analysis.network import FOLDER, MAGIC, SIZE, RuleSet, read_network, write_network
from ninefold.core.errors import Refusal
from ninefold.core.position import Position
from ninefold.games import find_game
from ninefold.train import features, network
from ninefold.train.rows import ROW, row

RULES = {
    "ultimate": ("ultimate", {}),
    "ultimate-boards": ("ultimate", {"tie_break": "boards"}),
    "squared": ("squared", {}),
}


def start(rules: str) -> Position:
    game, options = RULES[rules]
    return find_game(game).begin(options)


def random_positions(rules: str, games: int, seed: int = 1) -> Iterator[Position]:
    random = Random(seed)
    for _ in range(games):
        position = start(rules)
        while position.outcome is None:
            yield position
            position = position.play(random.choice(position.moves()))


def reference(weights: network.Weights, scale: int, positions: list[Position]) -> list[int]:
    rows = np.array([row(position, 0, 0) for position in positions], ROW)
    values: list[int] = network.evaluate(network.Tables(weights), features.inputs(rows), scale).tolist()
    return values


def check_equal(weights: network.Weights, scale: int, positions: list[Position]) -> None:
    """Compare the engine with the reference: positions, and all their children as the search sees them."""
    learned = _native.Network(network.payload(weights), scale)
    assert [learned.evaluate(native_position(one)) for one in positions] == reference(weights, scale, positions)
    children: list[Position] = []
    found: dict[str, list[int]] = {processor: [] for processor in _native.processors()}
    for position in positions:
        native = native_position(position)
        after = [position.play(move) for move in position.moves()]
        goes_on = [child.outcome is None for child in after]
        children += [child for child, on in zip(after, goes_on, strict=True) if on]
        for processor, values in found.items():
            evaluated = learned.evaluate_moves(native, processor)
            values += [value for value, on in zip(evaluated, goes_on, strict=True) if on]
    expected = reference(weights, scale, children)
    for processor, values in found.items():
        assert values == expected, processor


@pytest.mark.parametrize("rules", RULES)
def test_the_engine_computes_what_the_reference_does_on_every_kind_of_processor(rules: str) -> None:
    file = read_network(FOLDER / f"{rules}.net")
    check_equal(network.parse_payload(file.weights), file.scale, list(random_positions(rules, 4)))


def test_the_first_kind_of_processor_is_the_one_that_searches() -> None:
    first, *others = _native.processors()
    assert _native.processor().split("+")[0] == first
    assert [first, *others][-1] == "portable"
    learned = load_network(FOLDER / "ultimate.net", rule_set(start("ultimate")))
    with pytest.raises(ValueError, match="A processor is"):
        learned.evaluate_moves(native_position(start("ultimate")), "abacus")


@pytest.mark.exhaustive
@pytest.mark.parametrize("rules", RULES)
def test_a_million_positions_have_the_values_of_the_reference(rules: str) -> None:
    file = read_network(FOLDER / f"{rules}.net")
    weights = network.parse_payload(file.weights)
    for seed in range(170):  # about 2,000 positions and children of each of their moves
        check_equal(weights, file.scale, list(random_positions(rules, 10, seed)))


@pytest.mark.parametrize("size", [40, 3000, 32_000])
def test_no_weights_overflow(size: int) -> None:
    random = np.random.default_rng(size)
    weights = {name: random.integers(-size, size, shape) for name, shape in network.SHAPES.items()}
    for name in ("cells", "middle", "code", "place", "sent_state"):
        weights[name] = weights[name].clip(-8191, 8191)
    weights["output"] = weights["output"].clip(-127, 127)
    check_equal(weights, 9999, list(random_positions("squared", 2)))


@pytest.mark.parametrize("rules", RULES)
def test_a_value_is_never_that_of_a_draw_and_always_less_than_that_of_a_win(rules: str) -> None:
    learned = load_network(FOLDER / f"{rules}.net", rule_set(start(rules)))
    values = [learned.evaluate(native_position(position)) for position in random_positions(rules, 4)]
    assert 0 not in values
    assert max(map(abs, values)) < _native.WIN_IN_MAX_PLY
    assert min(values) < -100
    assert max(values) > 100


@pytest.mark.parametrize("rules", RULES)
def test_what_is_proven_does_not_depend_on_the_evaluation(rules: str) -> None:
    late = [one for one in random_positions(rules, 6, seed=5) if len(one.moves()) <= 4][-8:]
    learned, hand_crafted = Engine(1 << 20, 1), Engine(1 << 20, 1, learned=False)
    for position in late:
        found, expected = (engine.search(position, depth=81).lines[0] for engine in (learned, hand_crafted))
        assert found.proven
        assert found.value == expected.value


def test_the_network_is_used_where_the_package_has_one_for_the_rules() -> None:
    for rules in RULES:
        position = start(rules)
        learned, hand_crafted = (Engine(1 << 20, 1, learned=learned) for learned in (True, False))
        assert learned.search(position, depth=4).lines[0].score != hand_crafted.search(position, depth=4).lines[0].score
    other = find_game("squared").begin({"tie_break": "boards"})
    same = {Engine(1 << 20, 1, learned=learned).search(other, depth=4).lines[0].score for learned in (True, False)}
    assert len(same) == 1


@pytest.mark.parametrize("rules", RULES)
def test_the_tables_of_a_network_are_made_in_less_than_100_ms(rules: str) -> None:
    file = read_network(FOLDER / f"{rules}.net")

    def seconds() -> float:
        begun = time.process_time()
        _native.Network(file.weights, file.scale)
        return time.process_time() - begun

    assert min(seconds() for _ in range(5)) < 0.1


# Files


@pytest.fixture
def good(tmp_path: Path) -> Path:
    file = tmp_path / "good.net"
    file.write_bytes((FOLDER / "ultimate.net").read_bytes())
    return file


def refusal(file: Path, rules: RuleSet = RuleSet(False, False)) -> str:
    with pytest.raises(Refusal) as refused:
        load_network(file, rules)
    return refused.value.code


def test_a_file_of_another_kind_is_refused(good: Path) -> None:
    good.write_bytes(b"PNG" + good.read_bytes())
    assert refusal(good) == "not_a_network"
    good.write_bytes(MAGIC + b"{}\n" + bytes(SIZE))
    assert refusal(good) == "not_a_network"
    assert refusal(good.with_name("missing.net")) == "not_a_network.file"


@pytest.mark.parametrize(
    ("field", "value"), [("scale", "1e999"), ("scale", "800.5"), ("scale", "0"), ("rules", "1"), ("sha256", "1, 2")]
)
def test_a_file_whose_description_makes_no_sense_is_refused(good: Path, field: str, value: str) -> None:
    weights = good.read_bytes()[-SIZE:]
    about = {"rules": '"ultimate"', "scale": "823", "sha256": f'"{hashlib.sha256(weights).hexdigest()}"', field: value}
    described = ", ".join(f'"{name}": {text}' for name, text in about.items())
    good.write_bytes(MAGIC + f"{{{described}}}\n".encode() + weights)
    assert refusal(good) == "not_a_network"


@pytest.mark.parametrize("description", [b"[" * 30_000, b"[]", b"\xff"])
def test_a_file_without_a_description_is_refused(good: Path, description: bytes) -> None:
    good.write_bytes(MAGIC + description + b"\n" + good.read_bytes()[-SIZE:])
    assert refusal(good) == "not_a_network"


@pytest.mark.parametrize(("name", "most"), [("cells", 8191), ("place", 8191), ("sent_state", 8191), ("output", 127)])
def test_weights_that_would_overflow_are_refused(good: Path, name: str, most: int) -> None:
    weights = network.parse_payload(read_network(good).weights)
    weights[name] = weights[name].copy()
    for number in (most, -most):
        weights[name].flat[-1] = number
        write_network(good, "ultimate", 823, network.payload(weights), {})
        assert read_network(good).scale == 823
        weights[name].flat[-1] += 1 if number > 0 else -1
        write_network(good, "ultimate", 823, network.payload(weights), {})
        assert refusal(good) == "not_a_network"


@pytest.mark.parametrize("keep", [SIZE // 2, SIZE - 1])
def test_a_truncated_file_is_refused(good: Path, keep: int) -> None:
    data = good.read_bytes()
    good.write_bytes(data[: len(data) - SIZE + keep])
    assert refusal(good) == "not_a_network.damaged"


def test_a_file_with_a_changed_bit_is_refused(good: Path) -> None:
    data = bytearray(good.read_bytes())
    data[-5000] ^= 1
    good.write_bytes(data)
    assert refusal(good) == "not_a_network.damaged"


def test_a_network_of_other_rules_is_refused_with_their_names(good: Path) -> None:
    assert refusal(good, RuleSet(True, False)) == "not_a_network.rules"
    with pytest.raises(Refusal, match="made for 'ultimate', and these are the rules of squared"):
        Engine(1 << 20, 1, network=good).search(start("squared"), depth=2)


def test_a_written_network_is_read_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "new.net"
    write_network(file, "squared", 900, bytes([1, 0, 127, 0]) * (SIZE // 4), {"made": "here"})
    assert read_network(file)[:2] == ("squared", 900)
    assert read_network(file).about["made"] == "here"


@pytest.mark.parametrize("rules", RULES)
def test_a_shipped_network_is_small_and_names_the_recipe_that_made_it(rules: str) -> None:
    file = FOLDER / f"{rules}.net"
    recipe = Path(__file__).parents[2] / str(read_network(file).about["recipe"])
    assert file.stat().st_size < 100_000
    assert f"--out {rules}.net" in recipe.read_text(encoding="utf-8")
