"""The full-screen app, as people at its keys and with its mouse see it."""
