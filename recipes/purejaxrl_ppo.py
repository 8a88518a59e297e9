"""PPO in one file of JAX, in the manner of PureJaxRL: games, opponent and learning are one compiled function.

python -m recipes.purejaxrl_ppo --game classic --updates 300
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import optax

from ninefold.envs.batch import Batch, BatchState, make

ROLLOUT, EPOCHS, MINIBATCHES = 32, 4, 4
LEARNING_RATE, CLIP, ENTROPY, VALUE_WEIGHT, LAMBDA = 1e-3, 0.2, 0.01, 0.5, 0.95
ILLEGAL = -1e9


class Transition(NamedTuple):
    planes: Any
    mask: Any
    action: Any
    log_prob: Any
    value: Any
    reward: Any
    done: Any


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="classic")
    parser.add_argument("--envs", type=int, default=256, help="games at once; in half of them the agent is O")
    parser.add_argument("--updates", type=int, default=200, help=f"each of {ROLLOUT} steps of every game")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args(arguments)


def select(which: Any, these: BatchState, others: BatchState) -> BatchState:
    """For every game, its state in the first or in the second of two states."""
    return jax.tree.map(lambda a, b: jnp.where(which.reshape(-1, *[1] * (a.ndim - 1)), a, b), these, others)


def reply(env: Batch, state: BatchState, sides: Any, key: Any) -> BatchState:
    """A random move of the opponent in the games that go on and in which it is its turn."""
    seed = jax.random.randint(key, (), 0, 2**31 - 1, jnp.int32)
    replied = env.random_step(state, seed=seed, counter=0)
    return select(~state.done & (env.view(state).turn != sides), replied, state)


def start(env: Batch, sides: Any, key: Any) -> BatchState:
    return reply(env, env.init(len(sides)), sides, key)


def step(env: Batch, state: BatchState, action: Any, sides: Any, key: Any) -> tuple[BatchState, Any, Any]:
    """A move of the agent and the reply to it; games that have ended begin again. The reward is the agent's."""
    replying, beginning = jax.random.split(key)
    state = reply(env, env.step(state, action), sides, replying)
    reward, done = state.reward * (1.0 - 2.0 * sides), state.done
    return select(done, start(env, sides, beginning), state), reward, done


def initial(env: Batch, key: Any) -> Any:
    """The weights of a network with two heads."""
    size = 1
    for length in env.observation_shape:
        size *= length
    sizes = ((size, 128), (128, 128), (128, env.actions + 1))
    scales = (1.0, 1.0, 0.1)
    keys = jax.random.split(key, len(sizes))
    return [
        (jax.random.normal(key, shape) * scale / shape[0] ** 0.5, jnp.zeros(shape[1]))
        for key, shape, scale in zip(keys, sizes, scales, strict=True)
    ]


def network(weights: Any, planes: Any, mask: Any) -> tuple[Any, Any]:
    """Logits of the legal actions, and the value of the position."""
    hidden = planes.reshape(len(planes), -1).astype(jnp.float32)
    for matrix, bias in weights[:-1]:
        hidden = jnp.tanh(hidden @ matrix + bias)
    matrix, bias = weights[-1]
    out = hidden @ matrix + bias
    return jnp.where(mask, out[:, :-1], ILLEGAL), out[:, -1]


def loss_of(weights: Any, part: Transition, gain: Any, target: Any) -> Any:
    logits, value = network(weights, part.planes, part.mask)
    log_probs = jax.nn.log_softmax(logits)
    ratio = jnp.exp(jnp.take_along_axis(log_probs, part.action[:, None], axis=1)[:, 0] - part.log_prob)
    gain = (gain - gain.mean()) / (gain.std() + 1e-8)
    surrogate = jnp.minimum(ratio * gain, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * gain).mean()
    entropy = -jnp.where(part.mask, jnp.exp(log_probs) * log_probs, 0).sum(axis=1).mean()
    return -surrogate + VALUE_WEIGHT * ((value - target) ** 2).mean() - ENTROPY * entropy


def collect(env: Batch, sides: Any, weights: Any, state: BatchState, key: Any) -> tuple[BatchState, Transition]:
    def one(state: BatchState, key: Any) -> tuple[BatchState, Transition]:
        acting, stepping = jax.random.split(key)
        view = env.view(state)
        logits, value = network(weights, view.observation, view.legal)
        action = jax.random.categorical(acting, logits)
        log_prob = jnp.take_along_axis(jax.nn.log_softmax(logits), action[:, None], axis=1)[:, 0]
        after, reward, done = step(env, state, action, sides, stepping)
        return after, Transition(view.observation, view.legal, action, log_prob, value, reward, done)

    return jax.lax.scan(one, state, jax.random.split(key, ROLLOUT))


def advantages(data: Transition, last: Any) -> Any:
    def one(carry: Any, row: Any) -> Any:
        following, after = carry
        reward, value, done = row
        found = reward + after * ~done - value + LAMBDA * following * ~done
        return (found, value), found

    rows = data.reward, data.value, data.done
    return jax.lax.scan(one, (jnp.zeros_like(last), last), rows, reverse=True)[1]


def train(env: Batch, sides: Any, optimizer: Any, updates: int, key: Any) -> tuple[Any, Any]:
    """The weights after so many updates, and the mean reward of a game during each of them."""

    def minibatch(carry: Any, part: Any) -> Any:
        weights, memory = carry
        changes, memory = optimizer.update(jax.grad(loss_of)(weights, *part), memory)
        return (optax.apply_updates(weights, changes), memory), None

    def update(carry: Any, key: Any) -> Any:
        weights, memory, state = carry
        collecting, *shuffling = jax.random.split(key, 1 + EPOCHS)
        state, data = collect(env, sides, weights, state, collecting)
        view = env.view(state)
        gain = advantages(data, network(weights, view.observation, view.legal)[1])
        rows = jax.tree.map(lambda array: array.reshape(-1, *array.shape[2:]), (data, gain, gain + data.value))
        for shuffle in shuffling:
            order = jax.random.permutation(shuffle, len(rows[1])).reshape(MINIBATCHES, -1)
            parts = jax.tree.map(lambda array, order=order: array[order], rows)
            (weights, memory), _ = jax.lax.scan(minibatch, (weights, memory), parts)
        return (weights, memory, state), data.reward.sum() / jnp.maximum(data.done.sum(), 1)

    beginning, drawing, training = jax.random.split(key, 3)
    weights = initial(env, drawing)
    carry = weights, optimizer.init(weights), start(env, sides, beginning)
    (weights, _, _), curve = jax.lax.scan(update, carry, jax.random.split(training, updates))
    return weights, curve


def main(arguments: Sequence[str] | None = None) -> float:
    args = parsed(arguments)
    env, sides = make(args.game, jnp, resets=False), jnp.arange(args.envs) % 2
    optimizer = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(LEARNING_RATE, eps=1e-5))
    run = jax.jit(partial(train, env, sides, optimizer, args.updates))
    _, curve = run(jax.random.key(args.seed))
    print(f"the first update: {curve[0]:+.3f} a game against random moves")
    print(f"after {args.updates * ROLLOUT * args.envs:,} steps: {curve[-10:].mean():+.3f}")
    return float(curve[-10:].mean())


if __name__ == "__main__":
    main()
