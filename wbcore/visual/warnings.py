"""Warnings about what cannot be shown, once for all who show it: rays, pictures and browsers."""

from __future__ import annotations

import logging
from weakref import WeakKeyDictionary

from wbridge.wbcore.physics.tree import node_path
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node

_LOG = logging.getLogger(__name__)
_TOLD: WeakKeyDictionary[World, set[str]] = WeakKeyDictionary()


def warn(world: World, node: Node, text: str, *, is_once: bool = False) -> None:
    """Log a warning about a node of a world, unless it was logged before.

    Args:
        world: the world.
        node: the node, whose path begins the message.
        text: what is wrong with it.
        is_once: log the text for the first node only.
    """
    message = f"warning: {node_path(node)}: {text}"
    warned = _TOLD.setdefault(world, set())
    key = text if is_once else message
    if key not in warned:
        warned.add(key)
        _LOG.warning("%s", message)
