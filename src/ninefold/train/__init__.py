"""Training: positions labelled by the engine, and the network that the engine evaluates positions with."""
