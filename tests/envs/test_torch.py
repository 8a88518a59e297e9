"""What PyTorch compiles is equal to the native core. Behind ``make test-learning``, because PyTorch is large."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from ninefold.envs.batch import make
from tests.support.batches import ALL_RULES, compared

pytestmark = pytest.mark.learning

SIZES = 130
TOGETHER = 10  # sizes that are compiled together, which takes less time
# In a process of its own, because compiled code that overflows ends the process.
RANDOM_STEPS = """
import sys, torch
from ninefold.envs.batch import make
from tests.support.batches import same

sizes = range(int(sys.argv[1]), int(sys.argv[2]))
env, ours = make("classic", torch), make("classic")

@torch.compile(fullgraph=True, dynamic=False)
def step(states, counter):
    return [env.random_step(state, seed=5, counter=counter) for state in states]

states, expected = [env.init(size) for size in sizes], [ours.init(size) for size in sizes]
for counter in range(12):
    states = step(states, torch.asarray(counter))
    expected = [ours.random_step(state, seed=5, counter=counter) for state in expected]
    for one, other in zip(expected, states, strict=True):
        same(one, other)
"""


@pytest.mark.parametrize("first", range(1, SIZES + 1, TOGETHER))
def test_compiled_random_steps_of_any_number_of_games_do_not_overflow(first: int) -> None:
    """Of a range of numbers and a factor PyTorch made a range of larger steps, whose overflow ended in SIGBUS."""
    command = [sys.executable, "-c", RANDOM_STEPS, str(first), str(first + TOGETHER)]
    done = subprocess.run(command, cwd=Path(__file__).parents[2], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("resets", [True, False])
@pytest.mark.parametrize(("game", "options"), ALL_RULES)
def test_a_million_compiled_steps_are_those_of_the_native_core(
    game: str, options: dict[str, str], resets: bool
) -> None:
    torch = pytest.importorskip("torch")
    torch._dynamo.reset()
    theirs = make(game, torch, resets=resets, options=options)
    compiled = partial(torch.compile, fullgraph=True, dynamic=False)
    assert compared(make(game, resets=resets, options=options), theirs, 10_000, 100, compiled) >= 10_000
