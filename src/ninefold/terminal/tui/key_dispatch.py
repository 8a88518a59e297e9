"""Keys that are bound to something, in the order in which they were typed."""

from __future__ import annotations

from textual.widget import Widget


async def follow(widget: Widget, key: str) -> bool:
    """Do what a key is bound to, if it is, and do it now: on its way up to the app it could be overtaken by the key
    that was typed next."""
    active = widget.screen.active_bindings.get(key)
    return active is not None and active.enabled and await widget.app.run_action(active.binding.action, active.node)
