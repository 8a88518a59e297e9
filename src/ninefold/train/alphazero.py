"""AlphaZero in a page: a network learns a game from nothing but its rules, by playing against itself, in JAX.

An iteration plays many games at once for a few moves (``_self_play``), puts what the search found into the replay
buffer (``_remember``), and fits the network to samples of it (``_learn``). It is one compiled function from a
``TrainingState`` to the next, on the CPU or on a GPU: the games are stepped by ``ninefold.envs``, the search is
DeepMind's mctx. Nothing is hidden elsewhere, so a state that is written to disk goes on as if it had not been
interrupted.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import mctx

from ninefold.core.game import Game
from ninefold.envs.arrays import Array
from ninefold.envs.batch import BatchState, make
from ninefold.envs.symmetry import symmetries_of
from ninefold.players.policy_network import NetworkShape, PolicyWeights, evaluate, initial_weights

NEVER = -1e9  # the logit of an illegal move


class AlphaZeroPlan(NamedTuple):
    """What is trained, and how. The numbers are for small games; ``plan_for`` has those of the others."""

    game: str
    options: tuple[tuple[str, str], ...] = ()
    seed: int = 1
    games: int = 128  # played at once
    moves: int = 16  # in each of them, in an iteration
    simulations: int = 24  # of the search, for a move
    considered: int = 16  # moves that the search tries at its root
    random: float = 0.08  # share of the moves that are random
    remembered: int = 16  # iterations in the replay buffer
    updates: int = 48  # steps of the optimizer in an iteration
    batch: int = 512  # positions in such a step
    rate: float = 1e-3  # of learning
    decay: float = 1e-4  # of the weights, as AdamW has it
    code: int = 32
    width: int = 64
    blocks: int = 2


def plan_for(game: Game, options: tuple[tuple[str, str], ...], seed: int) -> AlphaZeroPlan:
    """The plan of a new run on this machine: bigger for the big games, and bigger still on a GPU."""
    plan = AlphaZeroPlan(game.id, options, seed)
    if game.small:
        return plan
    plan = plan._replace(games=256, moves=32, random=0.04, remembered=24, batch=1024)
    if jax.default_backend() == "cpu":
        return plan._replace(simulations=20, considered=8, width=128)
    return plan._replace(
        games=4096, moves=24, remembered=16, simulations=64, updates=160, batch=4096, code=64, width=256, blocks=4
    )


class Samples(NamedTuple):
    """Positions with what there is to learn: the probabilities of the moves after a search, and the game's result for
    the side to move."""

    position: Array
    mask: Array
    policy: Array
    value: Array


class Played(NamedTuple):
    """Moves of many games: the reward of the side that made it, whether the game has ended with it, whether it was
    chosen at random, and what the search expected before it."""

    reward: Array
    done: Array
    is_random: Array
    worth: Array


class Optimizer(NamedTuple):
    """The moments of Adam, and the number of its steps."""

    first: PolicyWeights
    second: PolicyWeights
    steps: Array


class TrainingState(NamedTuple):
    """All there is to a run between two iterations."""

    iteration: Array
    weights: PolicyWeights
    optimizer: Optimizer
    games: BatchState
    replay: Samples


class Losses(NamedTuple):
    policy: Array
    value: Array


class AlphaZero:
    """A plan with its compiled functions. It holds no state of a run."""

    def __init__(self, plan: AlphaZeroPlan) -> None:
        self.plan = plan
        self.env = make(plan.game, jnp, options=dict(plan.options))
        self.tree_env = make(plan.game, jnp, resets=False, options=dict(plan.options))  # ended games stay as they ended
        boards, cells = (9, 9) if self.env.game.picture.boards else (1, 9)
        inputs = cells * self.env.observation_shape[-1]
        self.shape = NetworkShape(boards, inputs, self.env.actions, plan.code, plan.width, plan.blocks)
        self._symmetries = symmetries_of(self.env.game)
        self.iterate = jax.jit(self._iterate, donate_argnums=0)
        self.best_moves = jax.jit(self._best_moves, static_argnums=2)

    def begin(self) -> TrainingState:
        plan = self.plan
        weights = jax.tree.map(jnp.asarray, initial_weights(self.shape, plan.seed))
        first, second = (jax.tree.map(jnp.zeros_like, weights) for _ in range(2))
        games = self.env.init(plan.games)
        rows = plan.games * plan.moves * plan.remembered
        replay = Samples(
            jnp.zeros((rows, *games.position.shape[1:]), jnp.int32),
            jnp.zeros((rows, *games.mask.shape[1:]), jnp.int32),
            jnp.zeros((rows, self.env.actions), jnp.float16),
            jnp.zeros(rows, jnp.float16),
        )
        return TrainingState(jnp.int32(0), weights, Optimizer(first, second, jnp.int32(0)), games, replay)

    def _iterate(self, state: TrainingState) -> tuple[TrainingState, Losses]:
        # The random numbers depend on nothing but the seed and the iteration.
        play_key, learn_key = jax.random.split(jax.random.fold_in(jax.random.key(self.plan.seed), state.iteration))
        games, samples = self._self_play(state.weights, state.games, play_key)
        replay = self._remember(state.replay, samples, state.iteration)
        filled = jnp.minimum(state.iteration + 1, self.plan.remembered) * samples.value.size
        (weights, optimizer), losses = self._learn(state.weights, state.optimizer, replay, filled, learn_key)
        return TrainingState(state.iteration + 1, weights, optimizer, games, replay), losses

    # Step 1. Playing

    def _self_play(self, weights: PolicyWeights, games: BatchState, key: Array) -> tuple[BatchState, Samples]:
        """A few moves in every game, each after a search. A game that ends begins anew."""

        def move(games: BatchState, key: Array) -> tuple[BatchState, Any]:
            search_key, chance_key, choice_key = jax.random.split(key, 3)
            view = self.env.view(games)
            found = self._search(weights, search_key, games, self.plan.simulations, noise=1.0)
            # Random moves lead to positions that good play never sees, but a level may.
            is_random = jax.random.bernoulli(chance_key, self.plan.random, view.done.shape)
            anything = jax.random.categorical(choice_key, jnp.where(view.legal, 0.0, -jnp.inf))
            after = self.env.step(games, jnp.where(is_random, anything, found.action))
            worth = found.search_tree.summary().value
            played = Played(_for_side(after.reward, view.turn), after.done, is_random, worth)
            return after, (games.position, games.mask, found.action_weights, played)

        games, (position, mask, policy, played) = jax.lax.scan(move, games, jax.random.split(key, self.plan.moves))
        # A game that goes on is worth what the network makes of its last position.
        last = self._evaluate(weights, self.env.view(games).observation)[1]
        samples = Samples(position, mask, policy, results(played, last))
        return games, jax.tree.map(lambda one: one.reshape(-1, *one.shape[2:]), samples)

    def _search(self, weights: PolicyWeights, key: Array, games: BatchState, simulations: int, noise: float) -> Any:
        """Monte Carlo tree search: an action for every game, and better probabilities than the network's."""
        view = self.tree_env.view(games)
        logits, value = self._evaluate(weights, view.observation)
        return mctx.gumbel_muzero_policy(
            weights,
            key,
            mctx.RootFnOutput(prior_logits=logits, value=value, embedding=games),
            self._expand,
            simulations,
            invalid_actions=~view.legal,
            max_num_considered_actions=self.plan.considered,
            gumbel_scale=noise,
        )

    def _expand(self, weights: PolicyWeights, _: Array, action: Array, games: BatchState) -> tuple[Any, BatchState]:
        """A move in the tree, and the network's opinion of where it leads: the sides take turns, so it is negated."""
        turn = self.tree_env.view(games).turn
        after = self.tree_env.step(games, action)
        view = self.tree_env.view(after)
        logits, value = self._evaluate(weights, view.observation)
        over = ~view.legal.any(axis=-1)
        found = mctx.RecurrentFnOutput(
            reward=_for_side(after.reward, turn),
            discount=jnp.where(over, 0.0, -1.0),
            prior_logits=jnp.where(view.legal, logits, NEVER),
            value=jnp.where(over, 0.0, value),
        )
        return found, after

    def _best_moves(self, weights: PolicyWeights, games: BatchState, simulations: int) -> Array:
        """Moves without noise, to see how strong it is."""
        return self._search(weights, jax.random.key(0), games, simulations, noise=0.0).action

    def _evaluate(self, weights: PolicyWeights, observation: Array) -> tuple[Array, Array]:
        return evaluate(weights, self.shape, observation, jnp)

    # Step 2. Remembering

    def _remember(self, replay: Samples, samples: Samples, iteration: Array) -> Samples:
        """The samples replace the oldest ones."""
        first = iteration % self.plan.remembered * samples.value.size

        def put(memory: Array, new: Array) -> Array:
            return jax.lax.dynamic_update_slice_in_dim(memory, new.astype(memory.dtype), first, axis=0)

        return Samples(*(put(*pair) for pair in zip(replay, samples, strict=True)))

    # Step 3. Learning

    def _learn(self, weights: PolicyWeights, optimizer: Optimizer, replay: Samples, filled: Array, key: Array) -> Any:
        """Steps of the optimizer, each for samples of the replay buffer that are turned or mirrored at random."""

        def update(
            carry: tuple[PolicyWeights, Optimizer], key: Array
        ) -> tuple[tuple[PolicyWeights, Optimizer], Losses]:
            row_key, symmetry_key = jax.random.split(key)
            rows = jax.random.randint(row_key, (self.plan.batch,), 0, filled)
            symmetry = jax.random.randint(symmetry_key, (self.plan.batch,), 0, 8)
            chosen = jax.tree.map(lambda one: one[rows], replay)
            gradients, losses = jax.grad(self._loss, has_aux=True)(carry[0], chosen, symmetry)
            return adam(*carry, gradients, self.plan.rate, self.plan.decay), losses

        carry, losses = jax.lax.scan(update, (weights, optimizer), jax.random.split(key, self.plan.updates))
        return carry, jax.tree.map(jnp.mean, losses)

    def _loss(self, weights: PolicyWeights, samples: Samples, symmetry: Array) -> tuple[Array, Losses]:
        nothing = jnp.zeros(samples.value.shape, jnp.int8)
        view = self.env.view(BatchState(samples.position, samples.mask, nothing, nothing.astype(bool)))
        policy = self._symmetries.policy(samples.policy, symmetry).astype(jnp.float32)
        legal = self._symmetries.mask(view.legal, symmetry)
        logits, value = self._evaluate(weights, self._symmetries.planes(view.observation, symmetry))
        logs = jax.nn.log_softmax(jnp.where(legal, logits, NEVER))
        policy_loss = -(policy * logs).sum(-1).mean()
        value_loss = jnp.square(value - samples.value.astype(jnp.float32)).mean()
        return policy_loss + value_loss, Losses(policy_loss, value_loss)


def _for_side(reward: Array, turn: Array) -> Array:
    """The reward of X as that of the side that was to move."""
    return jnp.where(turn == 0, reward, -reward).astype(jnp.float32)


def results(played: Played, last: Array) -> Array:
    """For every move, the result of its game for the side that made it. ``last`` are the values of the positions after
    the last move, for the side to move there. A random move says nothing about the position before it, which is worth
    what the search found."""

    def back(later: Array, move: Played) -> tuple[Array, Array]:
        value = jnp.where(move.is_random, move.worth, jnp.where(move.done, move.reward, -later))
        return value, value

    return jax.lax.scan(back, last, played, reverse=True)[1]


def adam(weights: PolicyWeights, optimizer: Optimizer, gradients: PolicyWeights, rate: float, decay: float) -> Any:
    """A step of AdamW."""
    steps = optimizer.steps + 1
    first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, optimizer.first, gradients)
    second = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g * g, optimizer.second, gradients)
    small, large = 1 - 0.9**steps, 1 - 0.99**steps

    def step(weight: Array, m: Array, v: Array) -> Array:
        return weight - rate * (m / small / (jnp.sqrt(v / large) + 1e-8) + decay * weight)

    return jax.tree.map(step, weights, first, second), Optimizer(first, second, steps)
