"""Training: positions labelled by the engine, and the network that the engine evaluates positions with."""

from ninefold.train import messages as messages
